# ffngen_add_layer(TARGET SPEC... [ARGS OPTION...])
#
# A static library of the layers of spec files: TARGET.h declares a function TARGET_LAYER() for each,
# and a self-check is the target TARGET_selfcheck. ARGS go to `ffngen vendor`, whose prefix is TARGET:
# --isa c,neon for another machine than this one, say. It is generated when CMake configures, and
# anew by the build when a spec, a file of the options or ffngen has changed.

# What ffngen needs, or the reason why it cannot run.
function(ffngen_check_lua main)
  find_program(FFNGEN_LUA NAMES lua5.4 lua-5.4 lua54 lua DOC "Lua 5.4, which runs ffngen")
  if(FFNGEN_LUA)
    execute_process(
      COMMAND "${FFNGEN_LUA}" -E -e "assert(_VERSION == 'Lua 5.4', 'this is ' .. _VERSION)" "${main}"
        --version
      RESULT_VARIABLE code OUTPUT_QUIET ERROR_VARIABLE problem)
    if(code STREQUAL "0")
      return()
    endif()
  else()
    set(problem "no Lua was found")
  endif()
  message(FATAL_ERROR "ffngen needs Lua 5.4 with argparse, dkjson and luafilesystem: "
    "apt install lua5.4 lua-argparse lua-dkjson lua-filesystem, or "
    "luarocks install argparse dkjson luafilesystem; or set FFNGEN_LUA, now ${FFNGEN_LUA}.\n${code} ${problem}")
endfunction()

function(ffngen_add_layer target)
  cmake_parse_arguments(PARSE_ARGV 1 given "" "" "ARGS")
  if(NOT given_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "ffngen_add_layer(${target}): which layers? Give a spec file: "
      "ffngen_add_layer(${target} my.lua)")
  endif()
  foreach(option --prefix --out --check --dry-run --json)
    if(option IN_LIST given_ARGS)
      message(FATAL_ERROR "ffngen_add_layer(${target}): not with ${option}: the prefix is ${target}, "
        "and where files go is the build's")
    endif()
  endforeach()
  get_filename_component(root "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../.." ABSOLUTE)
  ffngen_check_lua("${root}/generator/main.lua")

  set(folder "${CMAKE_CURRENT_BINARY_DIR}/ffngen/${target}")
  execute_process(
    COMMAND "${FFNGEN_LUA}" -E "${root}/generator/main.lua" vendor ${given_UNPARSED_ARGUMENTS}
      --prefix "${target}" --out "${folder}" ${given_ARGS}
    WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}"
    RESULT_VARIABLE code OUTPUT_QUIET ERROR_VARIABLE problem)
  file(GLOB_RECURSE sources "${root}/generator/*.lua" "${root}/templates/*" "${root}/runtime/*")
  foreach(word ${given_UNPARSED_ARGUMENTS} ${given_ARGS})
    get_filename_component(path "${word}" ABSOLUTE)
    if(EXISTS "${path}" AND NOT IS_DIRECTORY "${path}")
      list(APPEND sources "${path}")
    endif()
  endforeach()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${sources})
  if(NOT code STREQUAL "0")
    message(FATAL_ERROR "ffngen_add_layer(${target}):\n${problem}")
  endif()
  add_subdirectory("${folder}" "${folder}.build")
endfunction()
