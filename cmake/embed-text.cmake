# embed_text(TEXT-FILE SYMBOL RESULT): a C file, generated while configuring, with the text as
# `const char SYMBOL[]`; RESULT is the variable that gets its path. Changing the text configures
# anew.
function(embed_text source symbol result)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${source}")
    file(READ "${source}" text)
    string(REPLACE "\\" "\\\\" text "${text}")
    string(REPLACE "\"" "\\\"" text "${text}")
    string(REPLACE "\n" "\\n\"\n    \"" text "${text}")
    get_filename_component(name "${source}" NAME_WE)
    set(generated "${PROJECT_BINARY_DIR}/${name}_text.c")
    set(declaration "extern const char ${symbol}[];\nconst char ${symbol}[] =\n")
    file(CONFIGURE OUTPUT "${generated}" CONTENT "${declaration}    \"@text@\";\n"
         @ONLY)
    set(${result} "${generated}" PARENT_SCOPE)
endfunction()
