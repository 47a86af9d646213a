--- What weights of each format take on each instruction set, as lines of C: vector instructions
--- for one vector and one row, and those of them that take the place of a multiply-add.
local instructions = require 'emit.instructions'
local isas = require 'isa'
local weights = require 'weights'

print('/* Made by tests/bench/instructions.lua: BENCH_TAKES(FORMAT, ISA, all, multiplying) */')
for _, name in ipairs(weights.names) do
  local format = weights.by_name[name]
  for _, isa_name in ipairs(isas.names) do
    local isa = isas.by_name[isa_name]
    if isa.fused and not format.floats then
      local all, vectors = instructions.of(isa, format)
      print(('BENCH_TAKES(%s, %s, %.4f, %d)'):format(name:upper(), isa_name:upper(),
        all / vectors, format.registers > 0 and 2 or 1))
    end
  end
end
