# SPDX-License-Identifier: ${license}
# ${made}
#
#   ${prefix}_dep = dependency('${prefix}', fallback: ['${prefix}', '${prefix}_dep'])
#
# A subproject installs nothing unless its option `install` is true.
project('${prefix}', 'c', version: '${version}', license: '${license}',
  default_options: ['c_std=c11', 'buildtype=release', 'b_ndebug=if-release'])

c = meson.get_compiler('c')
% if selfcheck then
m_dep = c.find_library('m', required: false)
% end
installed = not meson.is_subproject() or get_option('install')
# Kernels keep their bits whatever the product's flags are: -Ofast and -ffast-math end here.
exact = c.get_supported_arguments(
% for i, flag in ipairs(exact) do
  '${flag}'${i < #exact and ',' or ')'}
% end
% if selfcheck then
# Or a program starts with subnormals that become zero.
exact_link = c.get_supported_link_arguments(
  '-O2', '-fno-fast-math', '-fno-unsafe-math-optimizations')
% end
# Each file is a translation unit: kernels use the same short names for themselves.
apart = ['unity=off']
here = include_directories('.')
% if header_only then
${prefix}_dep = declare_dependency(include_directories: here)
% else
${prefix}_lib = static_library('${prefix}',
% for _, file in ipairs(sources) do
  '${file}',
% end
  include_directories: here, c_args: exact, override_options: apart, install: installed)
${prefix}_dep = declare_dependency(include_directories: here, link_with: ${prefix}_lib)
% end
if installed
  install_headers('${table.concat(headers, "', '")}')
endif
meson.override_dependency('${prefix}', ${prefix}_dep)

% if selfcheck then
check = files(
% for _, file in ipairs(check_sources) do
  '${file}',
% end
)
% end
if not meson.is_subproject()
% if selfcheck then
  test('selfcheck', executable('selfcheck', check, c_args: exact, override_options: apart,
    link_args: exact_link, dependencies: [${prefix}_dep, m_dep]), timeout: 600)
  executable('example', 'example_main.c', check, c_args: ['-D${PREFIX}_EXAMPLE', exact],
    override_options: apart, link_args: exact_link, dependencies: [${prefix}_dep, m_dep])
% end
  import('pkgconfig').generate(name: '${prefix}', description: 'Feed-forward kernels',
    version: '${version}'${header_only and '' or (', libraries: ' .. prefix .. '_lib')})
endif
