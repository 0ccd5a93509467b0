# embed_bytes(FILE SYMBOL RESULT): a C file, generated while building, with the bytes of FILE as
# `const unsigned char SYMBOL[]` and their number as `const size_t SYMBOL_length`; RESULT is the
# variable that gets its path.
#
# Included by CMakeLists.txt; run as a script (cmake -P) it writes the file.

if(CMAKE_SCRIPT_MODE_FILE)
    file(READ "${SOURCE}" hex HEX)
    string(LENGTH "${hex}" digits)
    math(EXPR length "${digits} / 2")
    string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hex "${hex}")
    file(WRITE "${FILE}" "#include <stddef.h>\n\n"
         "extern const unsigned char ${SYMBOL}[];\nextern const size_t ${SYMBOL}_length;\n"
         "const unsigned char ${SYMBOL}[] = {\n${hex}\n};\n"
         "const size_t ${SYMBOL}_length = ${length};\n")
    return()
endif()

set(embed_bytes_script "${CMAKE_CURRENT_LIST_FILE}")

function(embed_bytes source symbol result)
    set(generated "${PROJECT_BINARY_DIR}/${symbol}_bytes.c")
    add_custom_command(OUTPUT "${generated}"
        COMMAND "${CMAKE_COMMAND}" "-DSOURCE=${source}" "-DSYMBOL=${symbol}" "-DFILE=${generated}"
                -P "${embed_bytes_script}"
        DEPENDS "${source}" "${embed_bytes_script}"
        COMMENT "Embedding ${source}"
        VERBATIM)
    set(${result} "${generated}" PARENT_SCOPE)
endfunction()
