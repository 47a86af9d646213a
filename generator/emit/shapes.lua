--- One text for what is alike in several stages of a file.
---
--- The functions of a stage are rendered with symbols for what is its own: `$_STEP` is a size,
--- `@_sums_16` a function. Where stages have the same text and the same sizes, one function serves
--- them all. Where sizes differ, the text of a function that has a shape takes them as arguments:
--- it is inlined, so that they are constants. A function that is not inlined keeps its name, and
--- calls that text.
local lists = require 'common.list'
local record = require 'common.record'
local texts = require 'common.text'

local M = {}

---@class Draft: Function  rendered with symbols
---@field of StagePlan|TrainStage  the stage whose symbols it says
---@field shape string|nil         what its text is called where it takes sizes
---@field about string|nil         what the comment of that text says
---@field sizes table<string, string>|nil  C of symbols that are no enumerators
---@field general (fun(): Draft)|nil       its text in terms in which more stages are alike
---@field takes FunctionArgument[]|nil      what it is handed where it is a stage's own
---@field thin boolean|nil         it keeps its name though it is inlined
---@field small boolean|nil        it takes sizes though it is short
---@field apart boolean|nil        it stays the stage's own

---@class FunctionArgument
---@field name string    what a text calls the function
---@field symbol string
---@field type string    C of a parameter of that name

---@class Shared  what calls of a draft become
---@field name string
---@field symbols string[]  arguments more
---@field sizes table<string, string>  C of those that are no enumerators
---@field uses string[]     functions among them

--- An environment in which the names of a stage are symbols.
---@param s StagePlan|TrainStage
function M.env(env, s)
  local own = s.stage.name
  local function symbol(mark, scratch, named)
    return function(of)
      if of.stage.name == own then return mark end
      return of.stage.name == own .. '_scratch' and mark .. scratch or named(of)
    end
  end
  return setmetatable({
    NAME = symbol('$', '_SCRATCH', env.NAME), fn = symbol('@', '_scratch', env.fn),
  }, { __index = env })
end

--- What the name of a size or a function is called that begins with what env() has for a stage.
---@param begins string
---@param name string
function M.symbol(begins, name) return ((begins .. '_' .. name):sub(3)) end

--- The functions of a stage as drafts.
---@param s StagePlan|TrainStage
---@param functions table[]
---@return Draft[]
function M.drafts(s, functions)
  for _, f in ipairs(functions) do f.of = s end
  return functions
end

--- A text in the names of a stage.
local function named(env, s, text)
  return (text:gsub('%$', (env.NAME(s):gsub('%%', '%%%%'))):gsub('@', env.fn(s)))
end

--- A text in which functions have other names, and calls of them arguments more.
---@param text string
---@param shared table<string, Shared>  by what the text calls them
---@param argument fun(symbol: string): string
local function with_calls(text, shared, argument)
  local out, at = {}, 1
  while true do
    local first, last = text:find('@[%l%d_]+', at)
    if not first then break end
    local target = shared[text:sub(first, last)]
    out[#out + 1] = text:sub(at, first - 1)
    out[#out + 1] = target and target.name or text:sub(first, last)
    at = last + 1
    if target and #target.symbols > 0 then
      local _, close = text:find('^%b()', at)
      if close then
        local inner = with_calls(text:sub(at + 1, close - 1), shared, argument)
        out[#out + 1] = ('(%s, %s)'):format(inner,
          table.concat(lists.map(target.symbols, argument), ', '))
        at = close + 1
      end
    end
  end
  out[#out + 1] = text:sub(at)
  return table.concat(out)
end

--- The symbols of sizes in a text, in the order in which it says them.
local function symbols_of(text)
  local list = {}
  for symbol in text:gmatch '%$_([%w_]+)' do list[#list + 1] = symbol end
  return lists.unique(list)
end

--- What enumerators mean, by their names: C in which no other one is left.
local function meanings(sizes)
  local said, meant = {}, {}
  for name, value in sizes:gmatch '\n  ([%u%d_]+) = ([^,\n]+),' do said[name] = value end
  local function meaning(name)
    if not meant[name] and said[name] then
      meant[name] = '(' .. said[name]:gsub('%f[%w_][%u][%u%d_]+', meaning) .. ')'
    end
    return meant[name]
  end
  for _, name in ipairs(record.sorted_keys(said)) do meaning(name) end
  return meant
end

--- A text without its first comment.
local function code_of(text) return (text:gsub('/%*.-%*/\n', '', 1)) end

--- A text whose first comment says more.
local function with_about(text, about)
  if not text:match '^#?[^\n]*\n?/%*' then return ('/* %s */\n%s'):format(about, text) end
  return (text:gsub('%s*%*/', (' ' .. about .. ' */'):gsub('%%', '%%%%'), 1))
end

--- What functions that are not settled yet are called in a text, and a function itself.
local function callees(text)
  local list = {}
  for name in text:gmatch '@[%l%d_]+' do list[#list + 1] = name end
  return lists.unique(list)
end

---@class Member  a draft whose calls are settled
---@field draft Draft
---@field text string          calls have their names and arguments, the function itself is `\0`
---@field code string          that without its comment
---@field sizes table<string, string>  C of symbols that are no enumerators
---@field uses string[]        what it calls

---@class Settling
---@field env table
---@field meanings table<string, string>
---@field shared table<string, table<string, Shared>>  by stage, by what drafts call them
---@field names table<string, boolean>                  that are given
---@field drafts table<string, table<string, Draft>>

--- A draft whose calls are settled.
---@param settling Settling
---@param draft Draft
---@return Member
local function member_of(settling, draft, text, own_sizes)
  local shared = settling.shared[draft.of.stage.name]
  local sizes, uses, called = {}, {}, { [draft.name or ''] = { name = '\0', symbols = {} } }
  for _, name in ipairs(callees(text)) do
    local target = shared[name]
    for _, symbol in ipairs(target and target.symbols or {}) do
      sizes[symbol] = target.sizes[symbol]
    end
    lists.append(uses, target and target.uses or {})
  end
  for _, symbol in ipairs(record.sorted_keys(own_sizes or {})) do
    sizes[symbol] = own_sizes[symbol]
  end
  for _, one in ipairs(draft.takes or {}) do
    sizes[one.symbol] = shared[one.name].name
    called[one.name] = { name = '$_' .. one.symbol, symbols = {} }
  end
  for _, name in ipairs(draft.uses or {}) do
    uses[#uses + 1] = not called[name] and shared[name] and shared[name].name or name
  end
  local settled = with_calls(text, setmetatable(called, { __index = shared }), function(symbol)
    return '$_' .. symbol
  end)
  return {
    draft = draft, text = settled, code = code_of(settled), sizes = sizes,
    uses = lists.unique(uses),
  }
end

--- The functions that a member is handed, by the names that a stage has for them.
local function handed(member)
  return lists.map(member.draft.takes or {}, function(one) return member.sizes[one.symbol] end)
end

--- The C of a symbol, in the names of its stage.
local function value_of(settling, member, symbol)
  return named(settling.env, member.draft.of, member.sizes[symbol] or '$_' .. symbol)
end

--- What all symbols of a text mean in a stage, as one key.
---@param symbols string[]
local function key_of(settling, member, symbols)
  return table.concat(lists.map(symbols, function(symbol)
    return (value_of(settling, member, symbol):gsub('%f[%w_]%u[%u%d_]+', settling.meanings))
  end), '\n')
end

--- Members that have the same of something, in the order of the first ones.
---@param members any[]
---@param key fun(member: any): string
---@return any[][]
local function parted(members, key)
  local parts, by_key = {}, {}
  for _, member in ipairs(members) do
    local of = key(member)
    if not by_key[of] then
      by_key[of] = {}
      parts[#parts + 1] = by_key[of]
    end
    table.insert(by_key[of], member)
  end
  return parts
end

--- A name that nothing has, and that this has from now on.
local function new_name(settling, name)
  local number, unique = 1, name
  while settling.names[unique] do
    number = number + 1
    unique = ('%s_%d'):format(name, number)
  end
  settling.names[unique] = true
  return unique
end

--- Says what calls of a draft become.
local function set_target(settling, member, name, symbols)
  if not member.draft.name then return end
  settling.shared[member.draft.of.stage.name][member.draft.name] = {
    name = name, symbols = symbols, sizes = member.sizes,
    uses = #symbols > 0 and handed(member) or {},
  }
end

--- The function of some members whose text and sizes are the same.
---@param members Member[]
---@param text string  with symbols, the function itself is `\0`
---@param more table   fields that it has otherwise
---@return Function
local function one_for_all(settling, members, text, more)
  local env, first = settling.env, members[1]
  local draft = first.draft
  local name = draft.name and named(env, draft.of, draft.name)
  if #members > 1 then
    name = new_name(settling, ('%sshared%s'):format(env.own, draft.name:sub(2)))
    local others = lists.map({ table.unpack(members, 2) }, function(member)
      return member.draft.of.stage.name
    end)
    text = with_about(text, ('The same for %s.'):format(table.concat(others, ', ')))
  end
  for _, member in ipairs(members) do set_target(settling, member, name, {}) end
  local function in_full(code)
    code = code:gsub('%$_([%w_]+)', function(symbol) return value_of(settling, first, symbol) end)
    return (named(env, draft.of, code):gsub('%z', name or ''))
  end
  local declaration = not draft.inline and draft.declaration or ''
  return {
    name = name, text = in_full(text), inline = draft.inline, wide = draft.wide,
    declaration = in_full((declaration:gsub('@[%l%d_]+', '\0', 1))),
    uses = more.uses or lists.append(handed(first), first.uses),
  }
end

--- The names of a function's parameters.
local function parameter_names(declaration)
  local names, inside = {}, declaration:match '%((.*)%)$'
  inside = inside:gsub('%(%*const ([%w_]+)%)%b()', '%1')
  for one in (inside .. ','):gmatch '([^,]*),' do names[#names + 1] = one:match '([%w_]+)%s*$' end
  return names
end

--- The text that takes sizes.
---@param symbols string[]
local function shape_text(env, draft, text, name, symbols)
  local type_of = {}
  for _, one in ipairs(draft.takes or {}) do type_of[one.symbol] = one.type end
  local declared = lists.map(symbols, function(symbol)
    return type_of[symbol] or 'const size_t ' .. symbol
  end)
  local head, body = text:match '^(.-)(%z.*)$'
  local line, before = head:match '[^\n]*$', head:gsub('[^\n]*$', '')
  if not draft.inline then line = env.PREFIX .. '_INLINE void ' end
  body = body:gsub('^%z(%b())', function(list)
    return ('%s(%s,\n%s'):format(name, list:sub(2, -2),
      texts.wrap(texts.closed(declared, ')'), 97, '    '))
  end)
  before = before:gsub('/%*.-%*/\n', '')
  return ('%s/* %s */\n%s%s'):format(before, env.commented(draft.about
    .. ' Sizes, in capitals, are those of the caller, and constants.'), line,
    (body:gsub('%$_', '')))
end

--- The functions of members whose sizes differ: a text that takes them, and where the function is
--- not inlined one that keeps its name.
---@param members Member[]
---@param text string
---@return table<Draft, Function[]>
local function with_sizes(settling, members, text, symbols)
  local env, draft, results = settling.env, members[1].draft, {}
  for _, symbol in ipairs(symbols) do
    if settling.meanings[symbol] then error(symbol .. ' is an enumerator of the file', 0) end
  end
  local name = new_name(settling, env.own .. draft.shape)
  results[draft] = { {
    name = name, inline = true, declaration = '', uses = members[1].uses, wide = draft.wide,
    text = shape_text(env, draft, text, name, symbols),
  } }
  if draft.inline and not draft.thin then
    for _, member in ipairs(members) do set_target(settling, member, name, symbols) end
    return results
  end
  for _, part in ipairs(parted(members, function(member)
    return key_of(settling, member, symbols)
  end)) do
    local own = part[1].draft
    local arguments = parameter_names(own.declaration)
    for _, symbol in ipairs(symbols) do arguments[#arguments + 1] = '$_' .. symbol end
    local linkage = own.inline and env.PREFIX .. '_INLINE ' or env.noinline
    local returns = own.declaration:match '^void ' and '' or 'return '
    local code = ('%s%s {\n  %s%s(%s);\n}\n'):format(linkage,
      own.declaration:gsub('@[%l%d_]+', '\0', 1), returns, name, table.concat(arguments, ', '))
    results[own] = lists.append(results[own] or {},
      { one_for_all(settling, part, code, { uses = { name, table.unpack(handed(part[1])) } }) })
  end
  return results
end

--- Whether it saves lines that a text takes sizes: a call of it takes some, too.
local function is_worth(members)
  local draft, _, lines = members[1].draft, members[1].code:gsub('\n', '')
  if draft.small then return true end
  local thin = (not draft.inline or draft.thin) and 6 or 0
  return (#members - 1) * lines > 4 + thin * #members
end

--- The functions of members that have the same text in general terms.
---@param members { plain: Member, general: Member }[]
---@return table<Draft, Function[]>
local function settle_group(settling, members)
  local plain = lists.map(members, function(one) return one.plain end)
  local chosen = plain
  if #parted(plain, function(one) return one.code end) > 1 then
    chosen = lists.map(members, function(one) return one.general end)
  end
  local symbols = symbols_of(chosen[1].code)
  local function key(one) return key_of(settling, one, symbols) end
  if plain[1].draft.shape and #parted(chosen, key) > 1 and is_worth(chosen) then
    return with_sizes(settling, chosen, chosen[1].text, symbols)
  end
  local results = {}
  for _, part in ipairs(parted(plain, function(one)
    return (one.draft.apart or not one.draft.name) and one.draft.of.stage.name
      or one.code .. key_of(settling, one, symbols_of(one.code))
  end)) do
    results[part[1].draft] = { one_for_all(settling, part, part[1].text, {}) }
  end
  return results
end

--- Whether all that a draft calls is settled.
local function is_ready(settling, draft)
  local own = draft.of.stage.name
  return #lists.filter(callees(draft.text), function(name)
    return name ~= draft.name and settling.drafts[own][name] and not settling.shared[own][name]
  end) == 0
end

--- The functions of some stages, each once, in the order of their definition.
---@param sizes string  the enumerators of the file
---@param drafts Draft[]
---@return Function[]
function M.settle(env, sizes, drafts)
  local settling = {
    env = env, meanings = meanings(sizes), shared = {}, names = {}, drafts = {},
  }
  for _, draft in ipairs(drafts) do
    local stage = draft.of.stage.name
    settling.shared[stage] = settling.shared[stage] or {}
    settling.drafts[stage] = settling.drafts[stage] or {}
    if draft.name then
      settling.drafts[stage][draft.name] = draft
      settling.names[named(env, draft.of, draft.name)] = true
    end
  end
  local results, pending = {}, drafts
  while #pending > 0 do
    local ready = lists.filter(pending, function(draft) return is_ready(settling, draft) end)
    assert(#ready > 0, 'functions call each other')
    local members = lists.map(ready, function(draft)
      local plain = member_of(settling, draft, draft.text, draft.sizes)
      local more = draft.general and draft.general()
      return { plain = plain, general = more
        and member_of(settling, draft, more.text, more.sizes) or plain }
    end)
    for _, group in ipairs(parted(members, function(one) return one.general.code end)) do
      local settled = settle_group(settling, group)
      for _, one in ipairs(group) do results[one.plain.draft] = settled[one.plain.draft] or {} end
    end
    local is_settled = lists.set(ready)
    pending = lists.filter(pending, function(draft) return not is_settled[draft] end)
  end
  local functions = {}
  for _, draft in ipairs(drafts) do lists.append(functions, results[draft]) end
  return functions
end

return M
