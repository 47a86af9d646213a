--- The launcher of a rock: LuaRocks puts it into the rock's bin/, beside generator/. The rocks that
--- this one depends on are in its tree:
--- TREE/lib/luarocks/rocks-5.4/ffngen/VERSION is this one, TREE/share/lua/5.4 has the others.
local rock = arg[0]:match('^(.*)/bin/[^/]*$')
local tree = rock:match('^(.*)/lib/luarocks/[^/]+/[^/]+/[^/]+$')
if tree then
  package.path = ('%s/share/lua/5.4/?.lua;%s/share/lua/5.4/?/init.lua;%s'):format(tree, tree,
    package.path)
  package.cpath = ('%s/lib/lua/5.4/?.so;%s'):format(tree, package.cpath)
end
dofile(rock .. '/generator/main.lua')
