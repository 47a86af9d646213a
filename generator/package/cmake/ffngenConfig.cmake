# find_package(ffngen): ffngen_add_layer(), as ffngen.cmake says; and ffngen::ffn, the installed
# library of this project's own kernels; ffngen::ffn_shared is the shared one, where that is there.
get_filename_component(_ffngen_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
include("${_ffngen_prefix}/share/ffngen/generator/package/cmake/ffngen.cmake")
if(NOT TARGET ffngen::ffn)
  add_library(ffngen::ffn STATIC IMPORTED)
  set_target_properties(ffngen::ffn PROPERTIES
    IMPORTED_LOCATION "${_ffngen_prefix}/lib/libffn.a"
    INTERFACE_INCLUDE_DIRECTORIES "${_ffngen_prefix}/include/ffngen"
    INTERFACE_LINK_LIBRARIES m)
endif()
if(NOT TARGET ffngen::ffn_shared AND EXISTS "${_ffngen_prefix}/lib/libffn.so")
  file(READ_SYMLINK "${_ffngen_prefix}/lib/libffn.so" _ffngen_soname)
  add_library(ffngen::ffn_shared SHARED IMPORTED)
  set_target_properties(ffngen::ffn_shared PROPERTIES
    IMPORTED_LOCATION "${_ffngen_prefix}/lib/${_ffngen_soname}"
    IMPORTED_SONAME "${_ffngen_soname}"
    INTERFACE_INCLUDE_DIRECTORIES "${_ffngen_prefix}/include/ffngen")
  unset(_ffngen_soname)
endif()
unset(_ffngen_prefix)
