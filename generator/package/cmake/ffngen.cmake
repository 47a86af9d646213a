# ffngen_add_layer(TARGET SPEC... [ARGS OPTION...])
#
# A static library of the layers of spec files: PREFIX.h declares a function PREFIX_LAYER() for each,
# and a self-check is the target TARGET_selfcheck. PREFIX is what TARGET is in C: small letters and _
# for capitals, dashes and dots (my_net for my-net, which is an alias of the library then), or what
# --prefix says. ARGS go to `ffngen vendor`: --isa c,neon for another machine than this one, say. It
# is generated when CMake configures, and anew by the build when a spec, a file of the options or
# ffngen has changed.

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

# What names begin with in C: that of --prefix, else the target, as `ffngen vendor` writes it.
function(ffngen_prefix_of target result)
  set(prefix "${target}")
  set(follows OFF)
  foreach(word ${ARGN})
    if(follows)
      set(prefix "${word}")
    elseif(word MATCHES "^--prefix=(.*)$")
      set(prefix "${CMAKE_MATCH_1}")
    endif()
    string(COMPARE EQUAL "${word}" "--prefix" follows)
  endforeach()
  string(TOLOWER "${prefix}" prefix)
  string(REGEX REPLACE "[.-]" "_" prefix "${prefix}")
  set(${result} "${prefix}" PARENT_SCOPE)
endfunction()

# Targets of a name that C does not take.
function(ffngen_alias target prefix)
  add_library("${target}" ALIAS "${prefix}")
  add_library("${target}::${target}" ALIAS "${prefix}")
  if(TARGET "${prefix}_selfcheck")
    add_custom_target("${target}_selfcheck" DEPENDS "${prefix}_selfcheck")
  endif()
  message(STATUS "ffngen_add_layer(${target}): ${prefix}.h; names in C begin with ${prefix}_")
endfunction()

function(ffngen_add_layer target)
  cmake_parse_arguments(PARSE_ARGV 1 given "" "" "ARGS")
  if(NOT given_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "ffngen_add_layer(${target}): which layers? Give a spec file: "
      "ffngen_add_layer(${target} my.lua)")
  endif()
  foreach(word ${given_ARGS})
    if(word MATCHES "^--(out|check|dry-run|json)(=|$)")
      message(FATAL_ERROR "ffngen_add_layer(${target}): not with ${word}: "
        "where files go, and when, is the build's")
    endif()
  endforeach()
  ffngen_prefix_of("${target}" prefix ${given_ARGS})
  foreach(name "${target}" "${prefix}")
    if(TARGET "${name}")
      message(FATAL_ERROR "ffngen_add_layer(${target}): there is a target ${name} already: "
        "choose another target, and ARGS --prefix NAME where that makes the same name in C")
    endif()
  endforeach()
  get_filename_component(root "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../.." ABSOLUTE)
  ffngen_check_lua("${root}/generator/main.lua")

  set(folder "${CMAKE_CURRENT_BINARY_DIR}/ffngen/${target}")
  execute_process(
    COMMAND "${FFNGEN_LUA}" -E "${root}/generator/main.lua" vendor ${given_UNPARSED_ARGUMENTS}
      --out "${folder}" ${given_ARGS} --prefix "${prefix}"
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
    message(FATAL_ERROR "ffngen_add_layer(${target}):\n${problem}"
      "The prefix is ${prefix}: that of ARGS --prefix NAME, or else the target's name in C.")
  endif()
  add_subdirectory("${folder}" "${folder}.build")
  if(NOT target STREQUAL prefix)
    ffngen_alias("${target}" "${prefix}")
  endif()
endfunction()
