--- A model whose architecture has no rule, by the user's word: --variant says what its layers are.
--- What may be the layer's is refused by name all the same.
local activations = require 'activation'
local architectures = require 'import.gguf.architectures'
local asked_variants = require 'import.asked_variants'
local problems = require 'common.problem'
local record = require 'common.record'

local M = {}

--- The rule of such an architecture.
---@param path string
---@param name string    of the architecture, which a stranger wrote
---@param asked string   what --variant says
---@return GgufRule
function M.rule(path, name, asked)
  if not name:find '^[%w_.-]+$' or #name > 64 then
    problems.bad_input(path, 'general.architecture is "%s", which is no name of an architecture: '
      .. 'convert the model again', record.shown(name))
  end
  local variants = asked_variants.of(asked)
  local gated, plain = variants[true], variants[false]
  local own = activations.by_variant[gated or plain]
  return architectures.by_word(name, {
    activation = own.activation.name, gated = gated and (not plain or 'either') or false,
    plain = gated and plain or nil,
  })
end

return M
