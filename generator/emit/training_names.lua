--- Names for the numbers of a kernel's training: bits of gradients, columns of what a stage makes,
--- rows of the tensors that stages give to each other, places among what is saved.
local lists = require 'common.list'

local M = {}

--- The names of bits: of one gradient, and the text of those that a stage runs for.
local function set_wants(env, training)
  local bit = {}
  for i, output in ipairs(training.outputs) do bit[output] = i end
  function env.want_name(output) return ('%sWANT_%s'):format(env.OWN, output:upper()) end
  --- Those of a stage; of the first ones all at once.
  ---@param stage Stage
  function env.wants(stage)
    if not stage.wants then return env.PREFIX .. '_WANTS_Y' end
    local bits, first = lists.map(stage.wants, function(output) return bit[output] end), 0
    table.sort(bits)
    while bits[first + 1] == first + 1 do first = first + 1 end
    local parts = {}
    if first > 1 then
      parts[1] = ('%s_WANTS_TO(%s)'):format(env.PREFIX, env.want_name(training.outputs[first]))
    end
    for i = first > 1 and first + 1 or 1, #bits do
      parts[#parts + 1] = ('%s_WANTS(%s)'):format(env.PREFIX,
        env.want_name(training.outputs[bits[i]]))
    end
    return table.concat(parts, ' | ')
  end
end

--- How many columns the stages make, or sum over tokens.
local function set_columns(env, training, forward)
  local function of_forward(i, what) return env.NAME(training.panels[i]) .. what end
  env.INPUTS = of_forward(1, '_INPUTS')
  env.OUTPUTS = forward[1].beside and env.OWN .. 'OUTPUTS' or of_forward(#forward, '_OUTPUTS')
  --- The columns of the caller's rows in front of those of a forward stage.
  function env.columns_before(i)
    if not forward[i].beside then return '' end
    return table.concat(lists.map({ table.unpack(training.panels, 1, i - 1) }, function(p)
      return env.NAME(p) .. '_OUTPUTS'
    end), ' + ')
  end
  --- Those of a stage without sums: of a forward stage's input, or of what it makes.
  local function without_sums(stage)
    if stage.of then return of_forward(stage.of, '_OUTPUTS') end
    for i, f in ipairs(forward) do
      if stage.operand.tensor == f.operand.tensor then return of_forward(i, '_INPUTS') end
    end
    return env.OUTPUTS
  end
  ---@param s TrainStage
  function env.columns_name(s)
    if s.plan then return env.NAME(s.plan) .. '_OUTPUTS' end
    return s.stage.sum and env.NAME(s) .. '_INPUTS' or without_sums(s.stage)
  end
  --- What threads share of them, in whole panels: of a fold what it makes, a value for each
  --- parameter.
  function env.width_text(s)
    return ('%s_WHOLE_PANELS(%s)'):format(env.PREFIX,
      s.stage.kind == 'fold' and s.stage.outputs or env.columns_name(s))
  end
end

--- What reads a tensor of a pass as its operand, or as panels: names of its row or panels.
---@param place TensorPlace
---@return string|nil
local function by_reader(env, stages, place)
  for _, s in ipairs(stages) do
    if s.stage.sum and lists.has(s.stage.operand.parts, place.tensor) then
      return env.NAME(s.plan or s) .. '_ROW'
    elseif s.stage.stream and s.stage.stream.packed == place.tensor then
      return env.NAME(s) .. '_PANELS'
    end
  end
end

--- Names of rows, by places.
local function set_places(env, training, pass_names)
  local named = {}
  env.row_names = {}
  for _, name in ipairs(pass_names) do
    local pass = training.passes[name]
    for _, s in ipairs(pass.stages) do
      for _, result in ipairs(s.stage.results) do
        local place = pass.places[result.tensor]
        if place and place.buffer and not named[place] then
          named[place] = by_reader(env, pass.stages, place)
          if not named[place] then
            named[place] = ('%s%s_%s_ROW'):format(env.OWN, name:upper(), place.tensor:upper())
            table.insert(env.row_names, { name = named[place], numbers = place.row })
          end
        end
      end
    end
  end
  function env.saved_name(tensor) return ('%sSAVED_%s'):format(env.OWN, tensor:upper()) end
  --- Numbers of a row in a block; of panels, how many; of what is saved, those of a token in
  --- front of it.
  ---@param place TensorPlace
  function env.place_name(place) return named[place] or env.saved_name(place.tensor) end
end

--- Puts the names into an environment of templates.
---@param training Training
---@param forward Stage[]
---@param pass_names string[]
function M.set(env, training, forward, pass_names)
  set_wants(env, training)
  set_columns(env, training, forward)
  set_places(env, training, pass_names)
end

return M
