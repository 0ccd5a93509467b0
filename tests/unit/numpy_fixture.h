/* Numpy arrays and archives of them, made byte by byte. */
#ifndef RLS2_TESTS_NUMPY_FIXTURE_H
#define RLS2_TESTS_NUMPY_FIXTURE_H

#include "reader_fixture.h"

#include <zlib.h>

/* A .npy file with that header dict. */
static inline image npy_with(int version, const char *dict, const void *numbers, size_t size)
{
    image file = {0};
    const unsigned char major[] = {(unsigned char)version, 0};
    size_t length = strlen(dict);
    add_bytes(&file, "\x93NUMPY", 6);
    add_bytes(&file, major, 2);
    add_number(&file, length, version == 1 ? 2 : 4);
    add_bytes(&file, dict, length);
    add_bytes(&file, numbers, size);
    return file;
}

static inline image npy_of(const char *descr, const char *shape, const void *numbers, size_t size)
{
    char dict[256];
    snprintf(dict, sizeof dict, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }   \n",
             descr, shape);
    return npy_with(1, dict, numbers, size);
}

/* What a member of an archive is made with; zeros are the usual. */
typedef struct packing {
    int deflated;
    int zip64;    /* sizes and offset stand in extra fields, as for large files */
    int crc_off;  /* added to the checksum */
    int size_off; /* added to the size */
    int flags;
    int method; /* instead of the right one */
} packing;

typedef struct archive {
    image file;
    image directory;
    int members;
} archive;

static inline size_t deflated(const image *content, unsigned char *packed, size_t room)
{
    z_stream stream = {0};
    assert_int_equal(deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
    stream.next_in = (z_const Bytef *)(uintptr_t)content->bytes;
    stream.avail_in = (uInt)content->length;
    stream.next_out = packed;
    stream.avail_out = (uInt)room;
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    size_t length = room - stream.avail_out;
    deflateEnd(&stream);
    return length;
}

/* The fields a local header and a directory entry share, from "version needed" on. */
static inline void add_common(image *file, const packing *how, uint32_t crc, size_t packed,
                              size_t size, const char *name, int extra)
{
    add_number(file, 45, 2);
    add_number(file, (uint64_t)how->flags, 2);
    add_number(file, how->method ? (uint64_t)how->method : how->deflated ? 8 : 0, 2);
    add_number(file, 0, 4);
    add_number(file, crc, 4);
    add_number(file, how->zip64 ? 0xFFFFFFFF : packed, 4);
    add_number(file, how->zip64 ? 0xFFFFFFFF : size, 4);
    add_number(file, strlen(name), 2);
    add_number(file, (uint64_t)extra, 2);
}

static inline void add_member(archive *a, const char *name, const image *content, packing how)
{
    static unsigned char packed[1 << 15];
    const unsigned char *bytes = content->bytes;
    size_t length = content->length, size = (size_t)((int64_t)content->length + how.size_off);
    size_t offset = a->file.length;
    uint32_t crc =
        (uint32_t)crc32(0, content->bytes, (uInt)content->length) + (uint32_t)how.crc_off;
    if (how.deflated) {
        length = deflated(content, packed, sizeof packed);
        bytes = packed;
    }
    /* numpy writes ZIP64 extra fields into local headers, whatever the size */
    add_number(&a->file, 0x04034b50, 4);
    add_common(&a->file, &how, crc, length, size, name, 20);
    add_bytes(&a->file, name, strlen(name));
    add_number(&a->file, 1, 2);
    add_number(&a->file, 16, 2);
    add_number(&a->file, size, 8);
    add_number(&a->file, length, 8);
    add_bytes(&a->file, bytes, length);

    add_number(&a->directory, 0x02014b50, 4);
    add_number(&a->directory, 45, 2);
    add_common(&a->directory, &how, crc, length, size, name, how.zip64 ? 28 + 8 : 0);
    add_number(&a->directory, 0, 2); /* no comment */
    add_number(&a->directory, 0, 8); /* disk, attributes */
    add_number(&a->directory, how.zip64 ? 0xFFFFFFFF : offset, 4);
    add_bytes(&a->directory, name, strlen(name));
    if (how.zip64) {
        add_number(&a->directory, 0x5455, 2); /* a field of another kind first */
        add_number(&a->directory, 4, 2);
        add_number(&a->directory, 0, 4);
        add_number(&a->directory, 1, 2);
        add_number(&a->directory, 24, 2);
        add_number(&a->directory, size, 8);
        add_number(&a->directory, length, 8);
        add_number(&a->directory, offset, 8);
    }
    a->members++;
}

/* The directory and the end record, or with ZIP64 its larger brother and only then that. */
static inline void finish_archive(archive *a, int zip64)
{
    size_t offset = a->file.length, members = (size_t)a->members;
    add_bytes(&a->file, a->directory.bytes, a->directory.length);
    if (zip64) {
        size_t end = a->file.length;
        add_number(&a->file, 0x06064b50, 4);
        add_number(&a->file, 44, 8);
        add_number(&a->file, 45 | 45 << 16, 4);
        add_number(&a->file, 0, 8);
        add_number(&a->file, members, 8);
        add_number(&a->file, members, 8);
        add_number(&a->file, a->directory.length, 8);
        add_number(&a->file, offset, 8);
        add_number(&a->file, 0x07064b50, 4);
        add_number(&a->file, 0, 4);
        add_number(&a->file, end, 8);
        add_number(&a->file, 1, 4);
    }
    add_number(&a->file, 0x06054b50, 4);
    add_number(&a->file, 0, 4);
    add_number(&a->file, zip64 ? 0xFFFF : members, 2);
    add_number(&a->file, zip64 ? 0xFFFF : members, 2);
    add_number(&a->file, zip64 ? 0xFFFFFFFF : a->directory.length, 4);
    add_number(&a->file, zip64 ? 0xFFFFFFFF : offset, 4);
    add_number(&a->file, 0, 2);
}

#endif
