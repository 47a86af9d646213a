# The version of an installed ffngen: one fits a wish that names its first two numbers.
file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/../../../share/ffngen/generator/common/version.lua"
  _ffngen_version REGEX "generator = ")
string(REGEX REPLACE ".*generator = '([0-9.]+)'.*" "\\1" PACKAGE_VERSION "${_ffngen_version}")
string(REGEX MATCH "^[0-9]+\\.[0-9]+" _ffngen_minor "${PACKAGE_VERSION}")
if(PACKAGE_FIND_VERSION VERSION_LESS_EQUAL PACKAGE_VERSION AND
    PACKAGE_FIND_VERSION VERSION_GREATER_EQUAL _ffngen_minor)
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
  set(PACKAGE_VERSION_EXACT TRUE)
endif()
