/* Writes a Parquet or Feather file as CSV, batch by batch, in memory that does not grow with it.
 * Dictionaries are written as their values, booleans as 0 and 1, as rls2 reads them from a frame;
 * the index that pandas kept is left out. */
#include "cli/parquet.h"

#include <stddef.h>

static const char SCRIPT[] =
    "import sys\n"
    "sys.path[:] = [folder for folder in sys.path if folder] # not the current one\n"
    "import re\n"
    "try:\n"
    "    import pyarrow as pa, pyarrow.csv, pyarrow.feather, pyarrow.parquet\n"
    "except ImportError:\n"
    "    sys.exit('Parquet and Feather files are read through the pyarrow of python3, which is '\n"
    "             'not installed: pip install pyarrow')\n"
    "path = sys.argv[1]\n"
    "with open(path, 'rb') as file:\n"
    "    magic = file.read(6)\n"
    "if magic == b'ARROW1':\n"
    "    source = pa.ipc.open_file(pa.memory_map(path))\n"
    "    schema = source.schema\n"
    "    batches = (source.get_batch(i) for i in range(source.num_record_batches))\n"
    "elif magic[:4] == b'FEA1':\n"
    "    table = pa.feather.read_table(path)\n"
    "    schema, batches = table.schema, table.to_batches()\n"
    "else:\n"
    "    source = pa.parquet.ParquetFile(path, memory_map=True)\n"
    "    schema, batches = source.schema_arrow, source.iter_batches(65536)\n"
    "def plain(field):\n"
    "    type = field.type\n"
    "    if pa.types.is_dictionary(type):\n"
    "        type = type.value_type\n"
    "    if pa.types.is_boolean(type):\n"
    "        type = pa.int8()\n"
    "    if pa.types.is_nested(type) or pa.types.is_duration(type) or 'binary' in str(type):\n"
    "        sys.exit(f\"column '{field.name}' holds {type}, which is neither numbers, text nor "
    "\"\n"
    "                 'times: make one of these of it, or leave it out when the file is written')\n"
    "    return field.with_type(type)\n"
    "kept = [i for i, name in enumerate(schema.names)\n"
    "        if not re.fullmatch('__index_level_[0-9]+__', name)]\n"
    "target = pa.schema([plain(schema.field(i)) for i in kept])\n"
    "with pa.csv.CSVWriter(sys.stdout.buffer, target) as writer:\n"
    "    for batch in batches:\n"
    "        columns = [batch.column(i).cast(target.field(j).type) for j, i in enumerate(kept)]\n"
    "        writer.write_batch(pa.record_batch(columns, schema=target))\n";

const char *const *parquet_converter(void)
{
    static const char *const ARGUMENTS[] = {"python3", "-c", SCRIPT, NULL};
    return ARGUMENTS;
}
