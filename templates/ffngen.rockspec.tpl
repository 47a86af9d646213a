-- In a source tree: luarocks make FILE. Elsewhere: luarocks build FILE, beside the archive of
--   git archive --prefix=ffngen-${version}/ -o ffngen-${version}.tar.gz v${version}
-- To publish, `source` says where the tag can be had instead.
rockspec_format = '3.0'
package = 'ffngen'
version = '${version}-1'
source = { url = 'file://ffngen-${version}.tar.gz', tag = 'v${version}' }
description = {
  summary = 'Feed-forward kernels with fixed sizes, as plain C that you own',
  detailed = 'You state a layer in a few lines of Lua; ffngen writes C for portable C11, AVX2, '
    .. 'AVX-512 and NEON, with its tests.',
  license = 'MIT',
}
dependencies = { 'lua >= 5.4', 'argparse >= 0.7', 'dkjson >= 2.5', 'luafilesystem >= 1.8' }
build = {
  type = 'none',
  -- Whole folders: the generator finds its modules, templates and runtime beside each other.
  copy_directories = { 'generator', 'templates', 'runtime' },
  install = { bin = { ffngen = 'generator/package/rock.lua' } },
}
