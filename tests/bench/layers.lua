--- The layers of `ffngen list --json` (on standard input) as lines of C, one per spec.
local json = require 'dkjson'

local list = assert(json.decode(io.read('a')))
local seen = {}
print('/* Made by tests/bench/layers.lua: BENCH_SPEC(name, layer) */')
for _, kernel in ipairs(list.kernels) do
  if not seen[kernel.spec] then
    seen[kernel.spec] = true
    print(('BENCH_SPEC(%s, %s)'):format(kernel.spec, kernel.layer))
  end
end
