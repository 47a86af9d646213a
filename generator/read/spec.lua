--- read: path -> Spec[]. What the user says is judged here and nowhere else.
---
--- A spec file is Lua with a handful of names in scope and nothing else: no io, no os, no loops
--- that never end, no memory that never stops growing. It says what a layer is, never how it is
--- computed. Every error has the file, the line, the wrong name and the nearest right one.
local activations = require 'activation'
local calls = require 'read.calls'
local declared_activations = require 'read.declared_activations'
local disk = require 'common.disk'
local efforts = require 'read.effort'
local fields = require 'read.fields'
local identifier = require 'read.identifier'
local judge = require 'read.judge'
local limits = require 'common.limits'
local lists = require 'common.list'
local mixture = require 'read.mixture'
local problems = require 'common.problem'
local size = require 'read.size'
local sources = require 'read.source'

local M = {}

local max_file = limits.most 'spec'

--- The text of a spec file.
local function read_text(path)
  local text, problem = disk.head(path, max_file + 1)
  -- Editors of Windows begin a file with a byte order mark.
  text = text and text:gsub('^\xef\xbb\xbf', '')
  if not text then
    problems.bad_input(path, 'cannot be read: %s', problem)
  elseif #text > max_file then
    limits.refuse(problems.place(path, 1), 'spec')
  elseif text:sub(1, 1) == '\27' then
    problems.bad_input(problems.place(path, 1), 'a precompiled chunk is not a spec: give Lua text')
  end
  return text
end

--- The project's activations, and those that a file declares behind them.
local function vocabulary(path, text, declared, seen, effort)
  if #declared == 0 then return activations end
  return activations.with(declared_activations.of(path, text, declared, seen, effort))
end

--- The activations that the layers of a file may name; it may have no layer yet.
---@param path string
---@return table vocabulary
function M.activations(path)
  local text = read_text(path)
  local _, declared = calls.of(path, text)
  return vocabulary(path, text, declared, {}, efforts.new(path))
end

--- The specs of a text. `seen` (name -> place) is shared among files: names are unique.
---@param path string  for messages
---@param text string
---@param seen table<string, string>
---@return Spec[]
function M.of_text(path, text, seen)
  local specs = {}
  local called, declared = calls.of(path, text)
  if #called == 0 then
    problems.bad_input(problems.place(path, 1), 'the file has no layer (choose from: %s)',
      table.concat(fields.callable, ', '))
  end
  local effort = efforts.new(path)
  local known = vocabulary(path, text, declared, seen, effort)
  for _, call in ipairs(called) do
    local place = problems.place(path, call.line)
    identifier.check(place, call.kind, call.name, seen)
    if type(call.given) ~= 'table' or size.is(call.given) then
      problems.bad_input(place, '%s "%s" takes a table: %s \'%s\' { d_model = ..., ... }',
        call.kind, call.name, call.kind, call.name)
    end
    effort.at(call.line)
    local source = sources.new(path, text, call, effort)
    if call.kind == 'moe' then
      local layers = mixture.specs(source, call.given, known)
      for _, s in ipairs(layers) do identifier.check(place, call.kind, s.name, seen) end
      lists.append(specs, layers)
    else
      specs[#specs + 1] = judge.spec(source, call.given, known)
    end
  end
  return specs
end

--- Reads one spec file.
---@param path string
---@param seen table<string, string>
---@return Spec[]
function M.read(path, seen) return M.of_text(path, read_text(path), seen) end

return M
