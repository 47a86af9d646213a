--- The launcher of a rock: LuaRocks puts it into the rock's bin/, beside generator/.
dofile(arg[0]:match('^(.*)/bin/[^/]*$') .. '/generator/main.lua')
