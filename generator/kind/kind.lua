--- What a kind of layer is: all that reading, lowering, names and C ask of it. A kind knows no
--- other vocabulary: what a spec may name, and how words of names are made, is handed to it.
local record = require 'common.record'

---@class Kind
---@field name string           small letters alone: names of kernels begin with it
---@field computes string       for people, where specs are told
---@field fields string[]       of a spec: those that make it what it is, in the order of telling
---@field also string[]         and what it takes beside those of all kinds
---@field meanings table<string, string>  what a field means that no other kind has; of others a
--- sentence more
---@field named_by string       the field whose names become words of kernels' names
---@field choices string|false  the list of a vocabulary of activations that these are of
---@field square boolean        d_out, left out, is d_model
---@field queried boolean       sizes tell its layers apart: ffn_find() finds them
---@field dropout string[]      where it may drop values; those between its matrices if it has some
---@field shape fun(check: Check, s: Spec)  what a spec was given -> fields of the Spec
---@field stages fun(l: table, is_gated: boolean): KindStage[]  of a Spec, or of what a name says;
--- is_gated: its variant is
---@field front NameForm        of names: what stands in front of the word for biases
---@field back NameForm         and behind it
---@field english fun(l: table, applied: fun(name: string, parameters: any): string): string

---@class KindStage
---@field name string           names its functions in C
---@field inputs integer
---@field takes string          what a spec calls its inputs
---@field outputs integer
---@field matrices string[]     enumerators of ffn_matrix, the one that is activated first
---@field applied string|false  the activation or variant; false: the identity
---@field parameters number[]|string|false  of that
---@field times_input boolean   it is multiplied with what the stage takes
---@field output string|false   the name of the output that it gives: it takes x, as all others do

local M = {}

local schema = record.schema {
  name = 'string', computes = 'string', fields = 'table', also = { 'table', {} },
  meanings = { 'table', {} }, named_by = 'string', choices = { 'string', false },
  square = { 'boolean', false }, queried = { 'boolean', true },
  dropout = { 'table', { 'output' } }, shape = 'function', stages = 'function', front = 'table',
  back = 'table', english = 'function',
}

--- Stages as a kind's file says them, with what each takes.
local function with_inputs(l, said)
  local stages, inputs, takes = {}, l.d_model, 'd_model'
  for i, stage in ipairs(said) do
    stages[i] = record.strict('kind stage', {
      name = stage.name, inputs = inputs, takes = takes, outputs = stage.outputs,
      matrices = stage.matrices, applied = stage.applied or false,
      parameters = stage.parameters or false, times_input = stage.times_input or false,
      output = stage.output or false,
    })
    if not stage.output then inputs, takes = stage.outputs, stage.called end
  end
  return stages
end

--- The record of a kind, from what its file says; an error where that does not hold.
---@param name string
---@param said table
---@return Kind
function M.record(name, said)
  local place = ('kind/%s.lua'):format(name)
  local kind = schema:read(said, place)
  if kind.name ~= name then error(('%s: its name is "%s"'):format(place, kind.name), 0) end
  if not name:find '^%l+$' then
    error(place .. ': names of kernels begin with its name, of small letters alone', 0)
  end
  kind.stages = function(l, is_gated) return with_inputs(l, said.stages(l, is_gated)) end
  return record.strict('kind ' .. name, kind)
end

return M
