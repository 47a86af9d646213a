--- Runs the text of a spec file. What runs inside only takes notes, which are judged when it has
--- ended: what was called, with which name, on which line, and what it was given.
local fields = require 'read.fields'
local problems = require 'common.problem'
local record = require 'common.record'
local sandbox = require 'read.sandbox'
local size = require 'read.size'
local trace = require 'activation.graph.trace'
local version = require 'common.version'

local M = {}

--- What is made of a layer takes milliseconds, beyond all limits of the sandbox.
M.max_layers = 1000

---@class CalledActivation
---@field name any     what it was given first
---@field line integer
---@field given any    what that was given; false for nil, nil for nothing at all

---@class Call
---@field kind string  what was called
---@field name any     what it was given first
---@field line integer
---@field given any    what that was given; false for nil, nil for nothing at all

--- The line of a spec that calls a word. `return ffn 'x'` has left the spec when it gets there.
local function line_of_caller(last_line)
  local caller = debug.getinfo(3, 'Sl')
  return caller and caller.source == sandbox.chunk_name and caller.currentline or last_line
end

--- What is in scope. What goes wrong in there is thrown as a bare sentence, or as a table of
--- names that only look right once they are made fit to be shown.
---@param calls Call[] is filled
---@param activations CalledActivation[] is filled
---@param last_line integer
local function scope_of(calls, activations, last_line)
  local scope = size.scope()
  local words = trace.scope()
  for _, word in ipairs(trace.words) do scope[word] = words[word] end
  function scope.activation(given_name)
    local call = { name = given_name, line = line_of_caller(last_line), given = nil }
    activations[#activations + 1] = call
    return function(given)
      if call.given ~= nil then error('activation: it is given twice', 0) end
      call.given = given == nil and false or given
    end
  end
  for _, kind in ipairs(fields.callable) do
    scope[kind] = function(given_name)
      local call = {
        kind = kind, name = given_name, line = line_of_caller(last_line), given = nil,
      }
      if #calls == M.max_layers then
        error(string.format('too many layers: at most %d in a file', M.max_layers), 0)
      end
      calls[#calls + 1] = call
      return function(given)
        if call.given ~= nil then error(kind .. ': a layer is given twice', 0) end
        call.given = given == nil and false or given
      end
    end
  end
  -- Judged at once: names of a newer schema may follow. Strings have no methods in here.
  function scope.schema(given)
    if math.type(given) ~= 'integer' or given < 1 then
      error(string.format('schema takes the number of a schema: schema(%d)', version.schema), 0)
    elseif given > version.schema then
      error(string.format('schema %d is newer than %d, the newest that ffngen %s reads: '
        .. 'install a newer ffngen', given, version.schema, version.generator), 0)
    elseif #calls > 0 then
      error('schema stands before the first layer', 0)
    end
  end
  return scope
end

--- The scope as the environment of a chunk: nothing else is there, nothing can be added.
local function environment_of(scope)
  return setmetatable({}, {
    __index = function(_, key)
      local v = scope[key]
      if v == nil then error({ is_unknown = true, word = key }, 0) end
      return v
    end,
    __newindex = function(_, key)
      error({ message = 'a spec sets no globals: write "local" before ', global = key }, 0)
    end,
    __metatable = false,
  })
end

--- What was thrown in a spec, as a sentence.
function M.sentence(problem)
  if type(problem) ~= 'table' then return (problem:gsub('^[^\n]-:%d+: ', '')) end
  if not problem.is_unknown then
    return problem.message .. '"' .. record.shown(problem.global) .. '"'
  end
  local word = record.shown(problem.word)
  return ('unknown word "%s"%s'):format(word, record.suggest(word, fields.scope))
end

---@param path string for messages
---@param text string
---@return Call[]
---@return CalledActivation[]
function M.of(path, text)
  local last_line = 1 + select(2, text:gsub('%s+$', ''):gsub('\n', ''))
  local function fail(message, line)
    problems.bad_input(problems.place(path, line or last_line), '%s', record.shown(message, 400))
  end
  local calls, activations = {}, {}
  -- In pcall, which keeps the caller's error handler out of what is no defect.
  local _, chunk, syntax = pcall(load, text, sandbox.chunk_name, 't',
    environment_of(scope_of(calls, activations, last_line)))
  if not chunk then
    local line, message = syntax:match('^%(spec%):(%d+): (.*)$')
    fail(message or syntax:gsub('C stack overflow', 'brackets in brackets without end'),
      math.tointeger(tonumber(line)))
  end
  local problem, line = sandbox.run(chunk, #text)
  if problem then fail(M.sentence(problem), line) end
  return calls, activations
end

return M
