--- Marks in drafts of a stage's functions for what is the stage's own: `$_STEP` is a size,
--- `@_sums_16` a function, `$more` where a call may have more arguments, `$head` and `$about` the
--- head and the comment of the function itself, `$unread` a branch that may read none of its sizes.
local lists = require 'common.list'

local M = {}

--- An environment in which the names of a stage are marks.
---@param s StagePlan|TrainStage
function M.env(env, s)
  local own = s.stage.name
  local function marked(mark, scratch, named)
    return function(of)
      if of.stage.name == own then return mark end
      return of.stage.name == own .. '_scratch' and mark .. scratch or named(of)
    end
  end
  return setmetatable({
    NAME = marked('$', '_SCRATCH', env.NAME), fn = marked('@', '_scratch', env.fn),
  }, { __index = env })
end

--- What a size or a function is called without its mark.
---@param begins string      the beginning, env()'s, or all of it
---@param name string|nil    the rest
function M.symbol(begins, name)
  return ((name and begins .. '_' .. name or begins):sub(3))
end

--- The size of what is in scratch that a symbol says; nil where it says another.
function M.of_scratch(symbol) return symbol:match '^SCRATCH_(.*)' end

--- The functions that a text calls.
function M.functions(text)
  local list = {}
  for name in text:gmatch '@[%l%d_]+' do list[#list + 1] = name end
  return lists.unique(list)
end

--- The sizes that a text says, in the order in which it does.
function M.sizes(text)
  local list = {}
  for symbol in text:gmatch '%$_([%w_]+)' do list[#list + 1] = symbol end
  return lists.unique(list)
end

--- A text in which calls have the names and arguments that they become.
---@param shared table<string, Shared>
function M.with_calls(text, shared)
  local arguments = {}
  text = text:gsub('@[%l%d_]+', function(name)
    local target = shared[name]
    if not target then return nil end
    if #target.symbols > 0 then
      arguments[#arguments + 1] = ', $_' .. table.concat(target.symbols, ', $_')
      return target.name .. '\1' .. #arguments .. '\1'
    end
    return target.name
  end)
  text = text:gsub('\1(%d+)\1(.-)%$more', function(index, before)
    return before .. arguments[math.tointeger(index)]
  end)
  return (text:gsub('%$more', ''))
end

--- A text with other C in the place of its sizes, where there is some.
---@param text string
---@param value fun(symbol: string): string|nil
function M.with_sizes(text, value) return (text:gsub('%$_([%w_]+)', value)) end

--- A text with its head, its comment and what names the sizes that a branch leaves unread.
---@param own { head: string, about: string, unread: string|nil }
function M.filled(text, own) return (text:gsub('%$(%l+)', own)) end

--- A text whose sizes are parameters.
function M.bare(text) return (text:gsub('%$_', '')) end

--- A text in the names of a stage.
function M.named(env, s, text)
  return (text:gsub('[$@]', { ['$'] = env.NAME(s), ['@'] = env.fn(s) }))
end

--- How many lines a text has.
function M.lines(text) return (select(2, text:gsub('\n', ''))) end

return M
