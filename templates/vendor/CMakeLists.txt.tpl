# SPDX-License-Identifier: ${license}
# ${made}
#
#   add_subdirectory(${prefix})                or, installed,  find_package(${prefix} ${version} REQUIRED)
#   target_link_libraries(product PRIVATE ${prefix}::${prefix})
#
# Part of a product, it installs nothing unless ${PREFIX}_INSTALL is ON.
cmake_minimum_required(VERSION 3.13)
project(${prefix} VERSION ${version} LANGUAGES C)
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
if(CMAKE_SOURCE_DIR STREQUAL PROJECT_SOURCE_DIR)
  set(alone ON)
else()
  set(alone OFF)
endif()
option(${PREFIX}_INSTALL "Install the kernels of ${prefix}" ${D}{alone})

# Kernels keep their bits whatever the product's flags are: -Ofast and -ffast-math end here.
if(NOT MSVC)
  set(exact ${table.concat(exact, ' ')})
% if selfcheck then
  set(exact_link -O2 -fno-fast-math -fno-unsafe-math-optimizations) # or subnormals become zero
% end
endif()

# Each file is a translation unit: kernels use the same short names for themselves.
set(CMAKE_UNITY_BUILD OFF)

% if header_only then
add_library(${prefix} INTERFACE)
target_include_directories(${prefix} INTERFACE
% else
add_library(${prefix} STATIC
% for _, file in ipairs(sources) do
  ${file}
% end
)
set_target_properties(${prefix} PROPERTIES POSITION_INDEPENDENT_CODE ON C_STANDARD 11)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  target_compile_options(${prefix} PRIVATE -O2) # kernels are of no use without
endif()
target_compile_options(${prefix} PRIVATE ${D}{exact})
target_include_directories(${prefix} PUBLIC
% end
  $<BUILD_INTERFACE:${D}{CMAKE_CURRENT_SOURCE_DIR}> $<INSTALL_INTERFACE:${D}{CMAKE_INSTALL_INCLUDEDIR}>)
add_library(${prefix}::${prefix} ALIAS ${prefix})

% if selfcheck then
# The self-check and the example, to be built by name where this is part of a product.
add_executable(${prefix}_selfcheck EXCLUDE_FROM_ALL
% for _, file in ipairs(check_sources) do
  ${file}
% end
)
add_executable(${prefix}_example EXCLUDE_FROM_ALL
  example_main.c
% for _, file in ipairs(check_sources) do
  ${file}
% end
)
target_compile_definitions(${prefix}_example PRIVATE ${PREFIX}_EXAMPLE)
foreach(program ${prefix}_selfcheck ${prefix}_example)
  set_target_properties(${D}{program} PROPERTIES C_STANDARD 11)
  target_compile_options(${D}{program} PRIVATE ${D}{exact})
  target_link_libraries(${D}{program} PRIVATE ${prefix} ${D}{exact_link})
  if(UNIX)
    target_link_libraries(${D}{program} PRIVATE m)
  endif()
endforeach()
if(alone)
  set_target_properties(${prefix}_selfcheck ${prefix}_example PROPERTIES EXCLUDE_FROM_ALL OFF)
  enable_testing()
  add_test(NAME ${prefix}_selfcheck COMMAND ${prefix}_selfcheck)
endif()

% end
if(${PREFIX}_INSTALL)
  install(TARGETS ${prefix} EXPORT ${prefix}Config ARCHIVE DESTINATION ${D}{CMAKE_INSTALL_LIBDIR})
  install(FILES ${table.concat(headers, ' ')} DESTINATION ${D}{CMAKE_INSTALL_INCLUDEDIR})
  set(package ${D}{CMAKE_INSTALL_LIBDIR}/cmake/${prefix})
  install(EXPORT ${prefix}Config NAMESPACE ${prefix}:: DESTINATION ${D}{package})
  write_basic_package_version_file(${prefix}ConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${D}{CMAKE_CURRENT_BINARY_DIR}/${prefix}ConfigVersion.cmake DESTINATION ${D}{package})
endif()
