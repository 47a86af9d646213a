# find_package(ffngen): ffngen_add_layer(), as ffngen.cmake says; and ffngen::ffn, the installed
# library of this project's own kernels.
get_filename_component(_ffngen_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
include("${_ffngen_prefix}/share/ffngen/generator/package/cmake/ffngen.cmake")
if(NOT TARGET ffngen::ffn)
  add_library(ffngen::ffn STATIC IMPORTED)
  set_target_properties(ffngen::ffn PROPERTIES
    IMPORTED_LOCATION "${_ffngen_prefix}/lib/libffn.a"
    INTERFACE_INCLUDE_DIRECTORIES "${_ffngen_prefix}/include/ffngen"
    INTERFACE_LINK_LIBRARIES m)
endif()
unset(_ffngen_prefix)
