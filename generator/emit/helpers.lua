--- What a kernel's functions take of its instruction set and its weight formats, and which
--- functions others call: none stands in a file that nothing calls.
local decoding = require 'emit.decoding'
local environment = require 'emit.environment'
local isas = require 'isa'
local lists = require 'common.list'
local prefixes = require 'common.prefix'
local record = require 'common.record'
local single_weights = require 'emit.single_weights'
local summings = require 'emit.summing'

local M = {}

---@class Helper
---@field name string
---@field text string
---@field uses string[]   helpers that it calls
---@field always boolean  what words are made of, whichever of them are said
---@field portable boolean  it is the same on every instruction set

--- Those of some functions that others call, all the way down, in their order.
---@param functions table[]  { name =, uses =, always = }
---@param callers table[]    { uses = }
function M.called(functions, callers)
  local wanted = {}
  local function want(names)
    for _, name in ipairs(names) do
      if not wanted[name] then
        wanted[name] = true
        for _, f in ipairs(functions) do
          if f.name == name then want(f.uses or {}) end
        end
      end
    end
  end
  for _, caller in ipairs(callers) do want(caller.uses or {}) end
  return lists.filter(functions, function(f) return f.always or wanted[f.name] or false end)
end

--- The tiles that multiply, of a stage and of its scratch.
local function tiles_of(s)
  return lists.append(lists.append({}, s.tiles), s.scratch and s.scratch.plan.tiles or {})
end

--- The words that stages read their weights with, and sum with.
---@param isa table
---@param stages StagePlan[]
---@return table<string, boolean>
local function words_of_stages(isa, stages)
  local used = {}
  for _, s in ipairs(stages) do
    local of_weights = s.stage.stream and decoding.words(isa, s.stage.stream.format,
      s.stage.arithmetic.takes) or {}
    for _, words in ipairs { of_weights, summings.words(isa, s.stage, tiles_of(s)) } do
      for _, word in ipairs(record.sorted_keys(words)) do used[word] = true end
    end
  end
  return used
end

--- The helpers of a kernel.
---@param env table
---@param functions Function[]
---@return Helper[]
function M.of(env, functions)
  local all, isa, stored = {}, env.isa, environment.formats(env.pass.stages)
  local used = words_of_stages(isa, env.pass.stages)
  local function add_lines(name, lines, uses, always, portable)
    all[#all + 1] = { name = name, text = lines, uses = uses, always = always, portable = portable }
  end
  local function add(name, code, uses, always, portable)
    if code ~= '' then add_lines(name, code .. '\n', uses, always, portable or false) end
  end
  add('isa', isa.helpers, {}, true)
  add('store_tail', isa.store_tail, {}, false)
  add('turn', isa.turn, {}, false)
  add('turn_in', isa.turn_in, { 'turn' }, false)
  add('turn_out', isa.turn_out, { 'turn' }, false)
  add('dots', isa.dots, {}, false)
  add('matrix', isa.matrix_helpers, {}, false)
  -- One weight for itself is read in words of portable C.
  local seen = {}
  local plain = isa.name ~= 'c' and prefixes.isa(isas.by_name.c, env.prefix) or nil
  for _, words in ipairs { isa, plain } do
    for _, word in ipairs(record.sorted_keys(words.word_helpers)) do
      -- Portable C reads a weight by itself, whatever the stage takes of it.
      local says = lists.filter(words.name == 'c' and stored or {}, function(format)
        return decoding.words(words, format, 'value')[word] or false
      end)
      if #says > 0 or words == isa and used[word] then
        -- Several words may call one function, and kernels of one file may have different ones of
        -- these: so its text is its name.
        local text = words.word_helpers[word]
        if not seen[text] then add(text, text, {}, true, words.name == 'c') end
        seen[text] = true
      end
    end
  end
  for _, s in ipairs(env.pass.stages) do
    for _, text in ipairs(s.stage.operand.format.helpers(isa)) do
      if not seen[text] then
        seen[text] = true
        add('operand ' .. text, prefixes.text(text, env.prefix), {}, true,
          not isa.operand_helpers)
      end
    end
  end
  for _, format in ipairs(stored) do
    for _, text in ipairs(format.helpers) do
      if not seen[text] then
        seen[text] = true
        -- Its text is its name: other kernels of a file have it for other formats.
        add(text, prefixes.text(text, env.prefix), {}, true, true)
      end
    end
    local name = single_weights.helper(format)
    if name then add_lines(name, single_weights.text(env.prefix, format), {}, false, true) end
  end
  return M.called(all, functions)
end

return M
