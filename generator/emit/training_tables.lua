--- What the tables and the interface of a kernel's training say.
local gradient_text = require 'emit.gradients'
local lists = require 'common.list'
local record = require 'common.record'

local M = {}

---@class TrainStageDescription  the fields of an ffn_train_stage, in C
---@field name string         of its function, without the file's own
---@field width string
---@field column_step integer
---@field weights_at string
---@field bias_at string
---@field region integer
---@field over_tokens integer
---@field in_at string
---@field out_at string
---@field wants string

---@param env table
---@param name string    of the pass
---@param pass table     of the plan's training
---@param s TrainStage
---@return TrainStageDescription
local function stage_description(env, name, pass, s)
  local kind = s.stage.kind
  local function at(tensor)
    local place = pass.places[tensor]
    return place and place.buffer and ('offsetof(%s%s_memory, %s)'):format(env.own, name,
      env.buffer_name(place.buffer))
  end
  return record.strict('train stage description', {
    columns = function() return env.columns_of(s) end, width = env.width_text(s),
    column_step = s.column_step,
    weights_at = s.plan and env.NAME(s.plan) .. '_AT' or '0',
    bias_at = s.plan and env.bias_text(s.plan) or '0', region = s.region,
    over_tokens = (kind == 'tokens' or kind == 'columns') and 1 or 0,
    in_at = s.stage.sum and at(s.stage.operand.tensor) or '0',
    out_at = kind == 'weights' and at(s.stage.results[1].tensor) or 'SIZE_MAX',
    wants = env.wants(s.stage),
  })
end

---@class TrainPassDescription
---@field name string
---@field stages TrainStageDescription[]
---@field buffers table[]  name, bytes of a row, the tensors in it

--- The passes of a training, in C.
---@param env table
---@param pass_names string[]
---@return TrainPassDescription[]
local function passes_of(env, training, pass_names)
  return lists.map(pass_names, function(name)
    local pass, buffers = training.passes[name], {}
    for b, buffer in ipairs(pass.buffers) do
      buffers[b] = {
        name = env.buffer_name(b), bytes = buffer.bytes,
        tensors = table.concat(buffer.tensors, ', '),
      }
    end
    return record.strict('train pass description', {
      name = name, buffers = buffers,
      stages = lists.map(pass.stages, function(s)
        return stage_description(env, name, pass, s)
      end),
    })
  end)
end

--- How each stage's weights are packed: those of forward stages, and then transposed ones.
---@class Packed
---@field format string
---@field lies string          where, for packed.h
---@field of integer           the forward stage, from 0
---@field rows string|boolean  of a transposed matrix, in C; false of one that is not
---@field stacked boolean       of all stages, one behind the other

---@param env table
---@param forward Stage[]
---@return Packed[]
local function packs_of(env, training, forward)
  local packs = {}
  for i, s in ipairs(training.panels) do
    local parts = s.stage.sum.parts
    packs[i] = record.strict('packed', {
      format = s.stage.stream.format.name, lies = env.layout_of(s),
      of = i <= #forward and i - 1 or s.stage.of - 1,
      rows = i > #forward
        and env.NAME(s) .. '_INPUTS' .. (parts > 1 and (' / %d'):format(parts) or ''),
      stacked = i > #forward and s.stage.beside,
    })
  end
  return packs
end

--- Roundings of the sums of gradients with respect to inputs, by forward stages.
local function back_lengths_of(training, forward)
  local lengths = {}
  for _, s in ipairs(training.panels) do
    local stage = s.stage
    if stage.of then
      local more = stage.results[1].value.op == 'fma' and 1 or 0
      lengths[stage.of] = stage.sum.roundings + more
      for i = 2, stage.beside and #forward or 1 do lengths[i] = lengths[1] end
    end
  end
  return lengths
end

--- What a caller may want, each with its bits.
local function wanted_of(env, token_stages, forward)
  local wanted = { {
    condition = 'to->dx', bit = ('%s_WANTS(%s)'):format(env.PREFIX, env.want_name 'dx'),
  } }
  for _, s in ipairs(token_stages) do
    local fields = lists.map(gradient_text.fields(s.stage, forward, 'to'), function(field)
      return field.condition
    end)
    wanted[#wanted + 1] = {
      condition = table.concat(fields, ' || '), bit = env.wants(s.stage),
    }
  end
  return wanted
end

--- Puts them into an environment of templates that has the names of training.
---@param env table
---@param training Training
---@param forward Stage[]
---@param pass_names string[]
function M.set(env, training, forward, pass_names)
  env.passes = passes_of(env, training, pass_names)
  env.packs = packs_of(env, training, forward)
  env.back_lengths = back_lengths_of(training, forward)
  env.wanted = wanted_of(env, env.token_stages, forward)
end

return M
