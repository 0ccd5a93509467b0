# Man pages and shell completions, written by the command itself from its tables of options.
#
# Included by CMakeLists.txt; run as a script (cmake -P) it writes what COMMAND prints with
# ARGUMENTS to FILE.

if(CMAKE_SCRIPT_MODE_FILE)
    execute_process(COMMAND "${COMMAND}" help ${ARGUMENTS}
                    OUTPUT_VARIABLE text RESULT_VARIABLE code)
    if(NOT code EQUAL 0)
        message(FATAL_ERROR "${COMMAND} help ${ARGUMENTS} ended with ${code}")
    endif()
    file(WRITE "${FILE}" "${text}")
    return()
endif()

# The command just built must run here; under sanitizers it is not what is installed.
if(CMAKE_CROSSCOMPILING OR RLS2_SANITIZE)
    return()
endif()

set(manual_files)

function(write_help file) # ARGUMENTS of rls2 help
    add_custom_command(OUTPUT "${file}"
        COMMAND "${CMAKE_COMMAND}" "-DCOMMAND=$<TARGET_FILE:rls2_command>" "-DARGUMENTS=${ARGN}"
                "-DFILE=${file}"
                -P "${PROJECT_SOURCE_DIR}/cmake/manual.cmake"
        DEPENDS rls2_command "${PROJECT_SOURCE_DIR}/cmake/manual.cmake"
        COMMENT "Writing ${file}"
        VERBATIM)
    set(manual_files ${manual_files} "${file}" PARENT_SCOPE)
endfunction()

set(share "${PROJECT_BINARY_DIR}/share")

# One page for each command; command.h numbers them.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
             "${PROJECT_SOURCE_DIR}/cli/command.h")
file(STRINGS cli/command.h commands REGEX "^ *FOR_[A-Z]+ = 1 << ")
write_help("${share}/man/man1/rls2.1" --man)
foreach(line ${commands})
    string(REGEX REPLACE "^ *FOR_([A-Z]+) .*" "\\1" name "${line}")
    string(TOLOWER "${name}" name)
    write_help("${share}/man/man1/rls2-${name}.1" --man ${name})
endforeach()
write_help("${share}/bash-completion/completions/rls2" --bash)
write_help("${share}/zsh/site-functions/_rls2" --zsh)

add_custom_target(rls2_manual ALL DEPENDS ${manual_files})

# OPTIONAL: whoever builds single targets may still install them.
install(DIRECTORY "${share}/man/man1" DESTINATION "${CMAKE_INSTALL_MANDIR}" OPTIONAL)
install(DIRECTORY "${share}/bash-completion" "${share}/zsh"
        DESTINATION "${CMAKE_INSTALL_DATADIR}" OPTIONAL)
