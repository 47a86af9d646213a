--- The activations that a spec declares: named well, and traced within the limits of a spec.
local calls = require 'read.calls'
local identifier = require 'read.identifier'
local numerals = require 'read.numerals'
local problems = require 'common.problem'
local record = require 'common.record'
local sandbox = require 'read.sandbox'
local trace = require 'activation.graph.trace'

local M = {}

local most = 64

--- The graph of a function. It is called inside of the limits, and judged outside.
---@param call CalledActivation
---@param text string of the spec
---@param effort Effort
---@return TracedFunction|nil
---@return any problem
---@return integer|nil line where the spec was
local function graph_of(call, text, effort)
  local known, run = numerals.of(call.given, text), nil
  local problem, line = sandbox.run(function() run = trace.run(call.given, known) end, #text,
    effort)
  if problem then return nil, problem, line end
  local ok, judged = pcall(trace.judge, run, effort.take)
  if ok then return judged end
  if problems.is(judged) then error(judged, 0) end
  return nil, judged
end

---@param path string
---@param text string
---@param called CalledActivation[]
---@param seen table<string, string> name -> place; names are added
---@param effort Effort
---@return SpecActivation[]
function M.of(path, text, called, seen, effort)
  local list = {}
  for i, call in ipairs(called) do
    local place = problems.place(path, call.line)
    effort.at(call.line)
    identifier.activation(place, call.name, seen)
    if call.given == nil then
      problems.bad_input(place, 'activation "%s" takes a function: activation \'%s\' '
        .. '(function(x) return ... end)', call.name, call.name)
    elseif i > most then
      problems.bad_input(place, 'activation "%s": a file has at most %d', call.name, most)
    end
    local traced, problem, line = graph_of(call, text, effort)
    if not traced then
      problems.bad_input(problems.place(path, line or call.line), 'activation "%s": %s', call.name,
        record.shown(calls.sentence(problem), 400))
    end
    list[i] = { name = call.name, traced = traced }
  end
  return list
end

return M
