--- One text for what is alike in several stages of a file.
---
--- The functions of a stage are drafts, whose text has marks for what is the stage's own, see
--- marks.lua. Where stages have the same text and the same sizes, one function serves them all.
--- Where sizes differ, the text of a draft that has a shape takes them as arguments: it is inlined,
--- so that they are constants. What is not inlined keeps its name, and calls that text.
local lists = require 'common.list'
local marks = require 'emit.marks'
local parameters = require 'emit.parameters'
local record = require 'common.record'
local stage_sizes = require 'emit.stage_sizes'
local texts = require 'common.text'

local M = {}

---@class Draft
---@field name string|false        with the mark; false: it is no one else's
---@field linkage 'inline'|'noinline'|'static'
---@field returns string           with the blank or star before the name
---@field parameters FunctionParameter[]
---@field text string
---@field about string             what its comment says
---@field uses string[]            inline functions that it calls, with marks or helpers
---@field wide 'perhaps'|'always'|false
---@field alike string|false       its name where it is one for several stages, unless as it is
---@field shape string|false       the name of the text that takes sizes
---@field shared_about string|false  what the comment says then
---@field sizes table<string, string>  C of symbols that are no enumerators
---@field general (fun(): string, table<string, string>)|false  text and sizes in terms in which
--- more stages are alike
---@field takes FunctionArgument[]  what the text is handed where it is a stage's own
---@field thin boolean    it keeps its name though it is inlined
---@field small boolean   it takes sizes though it is short

---@class FunctionArgument
---@field name string    what a text calls the function
---@field parameter FunctionParameter

---@param fields table  of a draft, those that are not as most are
---@return Draft
function M.draft(fields)
  local draft = {
    name = false, linkage = 'static', returns = 'void ', parameters = {}, about = '', uses = {},
    wide = false, alike = false, shape = false, shared_about = false, sizes = {}, general = false,
    takes = {}, thin = false, small = false, text = '',
  }
  for _, field in ipairs(record.sorted_keys(fields)) do
    assert(draft[field] ~= nil, field)
    draft[field] = fields[field]
  end
  return record.strict('draft', draft)
end

---@class OwnDraft
---@field draft Draft
---@field s StagePlan|TrainStage  whose marks it says
---@field values table<string, any>  sizes that its plan does not have

--- The drafts of a stage.
---@param s StagePlan|TrainStage
---@param drafts Draft[]
---@param values table<string, any>|nil
---@return OwnDraft[]
function M.of_stage(s, drafts, values)
  return lists.map(drafts, function(draft)
    return { draft = draft, s = s, values = values or {} }
  end)
end

---@class Shared  what calls of a draft become
---@field name string
---@field symbols string[]             arguments more
---@field sizes table<string, string>  C of those that are no enumerators
---@field uses string[]                functions among them

---@class Member  a draft whose calls are settled
---@field draft Draft
---@field s StagePlan|TrainStage
---@field text string
---@field sizes table<string, string>
---@field values table<string, any>
---@field uses string[]

---@class Settling
---@field env table
---@field shared table<string, table<string, Shared>>  by stage and name
---@field names table<string, boolean>                 that are given
---@field drafts table<string, table<string, boolean>>  of a stage, by name

--- A draft whose calls are settled.
---@param settling Settling
---@param own OwnDraft
---@return Member
local function member_of(settling, own, text, sizes)
  local draft, shared = own.draft, settling.shared[own.s.stage.name]
  local all, uses, targets = {}, {}, {}
  for _, name in ipairs(marks.functions(text)) do
    local target = shared[name]
    targets[name] = target
    for _, symbol in ipairs(target and target.symbols or {}) do
      all[symbol] = target.sizes[symbol]
    end
    lists.append(uses, target and target.uses or {})
  end
  for _, symbol in ipairs(record.sorted_keys(sizes)) do all[symbol] = sizes[symbol] end
  for _, one in ipairs(draft.takes) do
    all[one.parameter.name] = shared[one.name].name
    targets[one.name] = { name = '$_' .. one.parameter.name, symbols = {} }
  end
  for _, name in ipairs(draft.uses) do
    local is_taken = #lists.filter(draft.takes, function(one) return one.name == name end) > 0
    if not is_taken then uses[#uses + 1] = shared[name] and shared[name].name or name end
  end
  return {
    draft = draft, s = own.s, values = own.values, sizes = all, uses = lists.unique(uses),
    text = marks.with_calls(text, targets),
  }
end

--- The functions that a member is handed.
local function handed(member)
  return lists.map(member.draft.takes, function(one) return member.sizes[one.parameter.name] end)
end

--- A text in the names of its stage.
---@param member Member
local function in_full(env, member, text)
  return marks.named(env, member.s, marks.with_sizes(text, function(symbol)
    return member.sizes[symbol]
  end))
end

--- What sizes mean in a stage, as one key.
---@param member Member
---@param symbols string[]
local function key_of(member, symbols)
  return table.concat(lists.map(symbols, function(symbol)
    local value = member.sizes[symbol] or '$_' .. symbol
    return marks.with_sizes(value, function(one)
      return tostring(member.values[one] or stage_sizes.of(member.s, one))
    end)
  end), '\n')
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

--- The head of a function, without its linkage.
---@param draft Draft
---@param more string[]  parameters in lines of their own
local function head_of(draft, name, more)
  local declared = parameters.declared(draft.parameters)
  local line = ('%s%s(%s)'):format(draft.returns, name, table.concat(declared, ', '))
  if #more == 0 and #line <= 78 then return line end
  local lines = texts.wrap(texts.closed(declared, #more > 0 and ',' or ')'), 97, '    ')
  if #more > 0 then lines = lines .. '\n' .. texts.wrap(texts.closed(more, ')'), 97, '    ') end
  return ('%s%s(\n%s'):format(draft.returns, name, lines)
end

--- The linkage of a draft, in C.
local function linkage_of(env, draft)
  return draft.linkage == 'inline' and env.PREFIX .. '_INLINE ' or env[draft.linkage]
end

--- Says what calls of a draft become.
local function set_target(settling, member, name, symbols)
  if not member.draft.name then return end
  settling.shared[member.s.stage.name][member.draft.name] = {
    name = name, symbols = symbols, sizes = member.sizes,
    uses = #symbols > 0 and handed(member) or {},
  }
end

--- The function of some members whose text and sizes are the same.
---@param members Member[]
---@param text string
---@param uses string[]
---@return Function
local function one_for_all(settling, members, text, uses)
  local env, first = settling.env, members[1]
  local draft = first.draft
  local name, about = draft.name and in_full(env, first, draft.name), draft.about
  if #members > 1 then
    name = new_name(settling, ('%sshared_%s'):format(env.own,
      draft.alike or marks.symbol(draft.name)))
    local others = lists.map({ table.unpack(members, 2) }, function(member)
      return member.s.stage.name
    end)
    about = ('%s The same for %s.'):format(draft.shared_about or about, table.concat(others, ', '))
  end
  for _, member in ipairs(members) do set_target(settling, member, name, {}) end
  local head = name and head_of(draft, name, {}) or ''
  local own = {
    head = linkage_of(env, draft) .. head, about = env.commented(about), unread = '',
  }
  return {
    name = name, inline = draft.linkage == 'inline', wide = draft.wide or nil, uses = uses,
    declaration = draft.linkage == 'inline' and '' or head,
    text = in_full(env, first, marks.filled(text, own)),
  }
end

--- The functions of members whose sizes differ: a text that takes them, and where the function is
--- not inlined one that keeps its name.
---@param members Member[]
---@param symbols string[]
---@return table<Draft, Function[]>
local function with_sizes(settling, members, symbols)
  local env, first = settling.env, members[1]
  local draft, results, pointers = first.draft, {}, {}
  local name = new_name(settling, env.own .. draft.shape)
  for _, one in ipairs(draft.takes) do pointers[one.parameter.name] = one.parameter end
  local more = parameters.declared(lists.map(symbols, function(symbol)
    return pointers[symbol] or parameters.parameter('const size_t ', symbol)
  end))
  local own = {
    head = ('%s_INLINE %s'):format(env.PREFIX, head_of(draft, name, more)),
    about = env.commented((draft.shared_about or draft.about)
      .. ' Sizes, in capitals, are those of the caller, and constants.'),
    unread = table.concat(lists.map(symbols, function(symbol)
      return ('\n  (void)%s;'):format(symbol)
    end)),
  }
  results[draft] = { {
    name = name, inline = true, declaration = '', uses = first.uses, wide = draft.wide or nil,
    text = marks.bare(marks.filled(first.text, own)),
  } }
  if draft.linkage == 'inline' and not draft.thin then
    for _, member in ipairs(members) do set_target(settling, member, name, symbols) end
    return results
  end
  for _, part in ipairs(lists.parted(members, function(one) return key_of(one, symbols) end)) do
    local thin = part[1].draft
    local arguments = lists.map(thin.parameters, function(p) return p.name end)
    for _, symbol in ipairs(symbols) do
      arguments[#arguments + 1] = in_full(env, part[1], '$_' .. symbol)
    end
    local code = ('/* $about */\n$head {\n  %s%s\n}\n'):format(
      thin.returns == 'void ' and '' or 'return ', parameters.call(name, arguments, 91))
    results[thin] = lists.append(results[thin] or {},
      { one_for_all(settling, part, code, lists.append({ name }, handed(part[1]))) })
  end
  return results
end

--- Whether it saves lines that a text takes sizes: what calls it takes some, too.
---@param members Member[]
local function is_worth(members)
  local draft, lines = members[1].draft, marks.lines(members[1].text)
  local is_called_thinly = draft.linkage ~= 'inline' or draft.thin
  return draft.small or (#members - 1) * lines > 4 + (is_called_thinly and 6 * #members or 0)
end

--- The functions of members that have the same text in general terms.
---@param members { plain: Member, general: Member }[]
---@return table<Draft, Function[]>
local function settle_alike(settling, members)
  local plain = lists.map(members, function(one) return one.plain end)
  local function settled(part)
    return { one_for_all(settling, part, part[1].text,
      lists.append(handed(part[1]), part[1].uses)) }
  end
  if #plain == 1 then return { [plain[1].draft] = settled(plain) } end
  local chosen = plain
  if #lists.parted(plain, function(one) return one.text end) > 1 then
    chosen = lists.map(members, function(one) return one.general end)
  end
  local symbols = marks.sizes(chosen[1].text)
  local ways = lists.parted(chosen, function(one) return key_of(one, symbols) end)
  if plain[1].draft.shape and #ways > 1 and is_worth(chosen) then
    return with_sizes(settling, chosen, symbols)
  end
  local results = {}
  for _, part in ipairs(lists.parted(plain, function(one)
    return one.text .. key_of(one, marks.sizes(one.text))
  end)) do
    results[part[1].draft] = settled(part)
  end
  return results
end

--- Whether all that a draft calls is settled.
---@param own OwnDraft
local function is_ready(settling, own)
  local stage = own.s.stage.name
  return #lists.filter(marks.functions(own.draft.text), function(name)
    return name ~= own.draft.name and settling.drafts[stage][name]
      and not settling.shared[stage][name]
  end) == 0
end

--- A draft as it is and in general terms, where it has such.
---@param own OwnDraft
local function members_of(settling, own)
  local plain = member_of(settling, own, own.draft.text, own.draft.sizes)
  if not own.draft.general then return { plain = plain, general = plain } end
  local text, sizes = own.draft.general()
  return { plain = plain, general = member_of(settling, own, text, sizes) }
end

--- The functions of some stages, each once, in the order of their definition.
---@param drafts OwnDraft[]
---@return Function[]
---@return fun(s: StagePlan|TrainStage, name: string): string  what a stage's function is called
function M.settle(env, drafts)
  local settling = { env = env, shared = {}, names = {}, drafts = {} }
  for _, own in ipairs(drafts) do
    local stage, name = own.s.stage.name, own.draft.name
    settling.shared[stage] = settling.shared[stage] or {}
    settling.drafts[stage] = settling.drafts[stage] or {}
    if name then
      settling.drafts[stage][name] = true
      settling.names[marks.named(env, own.s, name)] = true
    end
  end
  local results, pending = {}, drafts
  while #pending > 0 do
    local ready = lists.filter(pending, function(own) return is_ready(settling, own) end)
    assert(#ready > 0, 'functions call each other')
    local members = lists.map(ready, function(own) return members_of(settling, own) end)
    for _, part in ipairs(lists.parted(members, function(one)
      return one.plain.draft.name and one.general.text or one.plain.draft
    end)) do
      local settled = settle_alike(settling, part)
      for _, one in ipairs(part) do results[one.plain.draft] = settled[one.plain.draft] or {} end
    end
    local is_settled = lists.set(ready)
    pending = lists.filter(pending, function(own) return not is_settled[own] end)
  end
  local functions = {}
  for _, own in ipairs(drafts) do lists.append(functions, results[own.draft]) end
  return functions, function(s, name)
    local target = settling.shared[s.stage.name][name]
    return target and target.name or marks.named(env, s, name)
  end
end

return M
