# SPDX-License-Identifier: ${license}
# ${made}
#
#   ${prefix}_dep = dependency('${prefix}', fallback: ['${prefix}', '${prefix}_dep'])
project('${prefix}', 'c', version: '${version}', license: '${license}',
  default_options: ['c_std=c11', 'buildtype=release', 'b_ndebug=if-release'])

m_dep = meson.get_compiler('c').find_library('m', required: false)
here = include_directories('.')
% if header_only then
${prefix}_dep = declare_dependency(include_directories: here)
% else
${prefix}_lib = static_library('${prefix}',
% for _, file in ipairs(sources) do
  '${file}',
% end
  include_directories: here, install: not meson.is_subproject())
${prefix}_dep = declare_dependency(include_directories: here, link_with: ${prefix}_lib)
% end
install_headers('${table.concat(headers, "', '")}')
meson.override_dependency('${prefix}', ${prefix}_dep)

check = files(
% for _, file in ipairs(check_sources) do
  '${file}',
% end
)
if not meson.is_subproject()
  test('selfcheck', executable('selfcheck', check, dependencies: [${prefix}_dep, m_dep]),
    timeout: 600)
  executable('example', 'example_main.c', check, c_args: '-D${PREFIX}_EXAMPLE',
    dependencies: [${prefix}_dep, m_dep])
  import('pkgconfig').generate(name: '${prefix}', description: 'Feed-forward kernels',
    version: '${version}'${header_only and '' or (', libraries: ' .. prefix .. '_lib')})
endif
