--- The words that a compiler makes code of, in the text of a kernel: a word is a call. It counts as
--- often as it is there in machine code: an inline function once for each call, what is in an
--- unrolled loop once for each step.
local record = require 'common.record'

local M = {}

--- Words that are no code: of C, and of the runtime's hints.
local no_code = {
  ['if'] = true, ['for'] = true, ['while'] = true, ['switch'] = true, sizeof = true,
  OPAQUE = true, OFTEN = true,
}

--- A name as it is without a prefix and without a layer's.
---@param names Naming
---@return fun(name: string): string
local function shortener(names)
  local begins, known = { names.own, names.shared, names.prefix .. '_' }, {}
  local function short(name)
    for _, begin in ipairs(begins) do
      if begin ~= '' and name:sub(1, #begin):lower() == begin:lower() then
        return name:sub(#begin + 1)
      end
    end
    return name
  end
  return function(name)
    known[name] = known[name] or short(name)
    return known[name]
  end
end

--- How many multiply-adds a word is; nil where it is no code.
local function fmas_of(word)
  if no_code[word] or word:find 'cast' then return nil end
  return word:find 'FMA_FOUR$' and 4 or word:find('fma', 1, true) and 1 or 0
end

--- The steps of a loop that is unrolled; few where a parameter tells.
local function steps_of(head)
  local steps = 1
  for factor in head:match('<([^;)]*)'):gmatch '[%w_]+' do
    steps = steps * (tonumber(factor) or 4)
  end
  return steps
end

--- Visits each call of a text, with how often it is there and its arguments.
---@param text string  without comments
---@param times number
---@param visit fun(name: string, times: number, arguments: string)
local function each_call(text, times, visit)
  local function calls_in(part)
    for name, arguments in part:gmatch '([%w_]+)(%b())' do
      visit(name, times, arguments)
      calls_in(arguments:sub(2, -2))
    end
  end
  local at = 1
  while true do
    local from, _, four, head, body = text:find('%u_UNROLL(_?4?)%s+for (%b())%s*()', at)
    calls_in(text:sub(at, from and from - 1 or #text))
    if not from then return end
    local _, last = text:find(text:sub(body, body) == '{' and '^%b{}' or '^[^;]*;', body)
    each_call(text:sub(body, last), times * (four == '_4' and 4 or steps_of(head)), visit)
    at = last + 1
  end
end

---@class CodePart
---@field name string
---@field text string     its body
---@field head string     what stands in front of that
---@field inline boolean
---@field of string       the function that it belongs to

--- The functions of C in a text, in their order.
---@param text string
---@param of string
---@return CodePart[]
local function parts_of(text, of)
  local list = {}
  for chunk in text:gsub('/%*.-%*/', ''):gmatch '(.-\n}\n?)' do
    local name, body = chunk:match '([%w_]+)%(', chunk:find('{', 1, true)
    if name and body then
      list[#list + 1] = record.strict('code part', {
        name = name, text = chunk:sub(body), head = chunk:sub(1, body - 1),
        inline = chunk:find '%u_INLINE%s' ~= nil, of = of,
      })
    end
  end
  return list
end

---@class HelperWords  what calls of helpers count as
---@field vectors table<string, integer>  words of vectors, by name
---@field scalars table<string, integer>  operations of those that compute one number
---@field chosen table<string, CodeWords>  of an average case, where a constant chooses one
---@field once integer  operations of all of the scalars, which pack() and unpack() hold

--- Adds a call to the words of a kernel or a case.
---@param words CodeWords
---@param helpers HelperWords
---@param name string
---@param fmas integer  that the name says
---@param count number  of such calls
local function add_call(words, helpers, name, fmas, count)
  local chosen = helpers.chosen[name]
  if chosen then
    words.fmas = words.fmas + count * chosen.fmas
    words.others = words.others + count * chosen.others
    words.scalars = words.scalars + count * chosen.scalars
  elseif fmas > 0 then
    words.fmas = words.fmas + count * fmas
  elseif helpers.scalars[name] then
    words.scalars = words.scalars + count * helpers.scalars[name]
  else
    words.others = words.others + count * (helpers.vectors[name] or 1)
  end
end

local function no_words(once)
  return record.strict('code words', { fmas = 0, others = 0, scalars = 0, once = once })
end

--- The words of a case of a function, on average; nil where no constant chooses one.
---@param part CodePart
---@param helpers HelperWords
---@param short fun(name: string): string
---@return CodeWords|nil
local function case_of(part, helpers, short)
  local chooser = part.text:match 'switch %(([%w_]+)%)'
  local is_constant = chooser and part.head:find('const size_t ' .. chooser, 1, true)
  if not is_constant then return nil end
  local last = select(2, part.text:gsub('case %d', ''))
  local words = no_words(0)
  each_call(part.text, 1 / (last + 1), function(name, times)
    local fmas = fmas_of(short(name))
    if fmas then add_call(words, helpers, name, fmas, times) end
  end)
  return words
end

---@param list table[]
---@param short fun(name: string): string
---@return HelperWords
local function helpers_of(list, short)
  local vectors, scalars, chosen = {}, {}, {}
  local helpers = { vectors = vectors, scalars = scalars, chosen = chosen, once = 0 }
  for _, helper in ipairs(list) do
    for _, part in ipairs(parts_of(helper.text, helper.name)) do
      local count = 0
      each_call(part.text, 1, function(name, times)
        count = count + times * (scalars[name] or vectors[name] or 1)
      end)
      chosen[part.name] = case_of(part, helpers, short)
      if part.head:find '__m' or part.text:find '_mm' then
        vectors[part.name] = math.max(1, count)
      elseif not chosen[part.name] then
        scalars[part.name] = count + select(2, part.text:gsub('[-+<>?&|*^]+ ', ''))
        helpers.once = helpers.once + scalars[part.name]
      end
    end
  end
  return record.strict('words of helpers', helpers)
end

--- How often each part is there. Of a tile that is called for each number of rows, what fewer rows
--- do not use is not there; so it is of chains and their outputs.
---@param parts CodePart[]  each behind those that it calls
---@return table<CodePart, number>
local function times_of(parts)
  local by_name, most, called, times = {}, {}, {}, {}
  for _, part in ipairs(parts) do by_name[part.name] = part end
  local function outputs_of(name, arguments)
    local part = by_name[name]
    return part and part.head:find('const int outputs', 1, true)
      and tonumber(arguments:match ',%s*(%d+)%)$')
  end
  for _, part in ipairs(parts) do
    each_call(part.text, 1, function(name, _, arguments)
      most[name] = math.max(most[name] or 1, outputs_of(name, arguments) or 1)
    end)
  end
  for i = #parts, 1, -1 do
    local part = parts[i]
    times[part] = part.inline and (called[part.name] or 0) or 1
    if part.inline and part.head:find('const int rows', 1, true) then
      times[part] = (times[part] + 1) / 2
    end
    each_call(part.text, times[part], function(name, count, arguments)
      local outputs = outputs_of(name, arguments)
      called[name] = (called[name] or 0) + count * (outputs and outputs / most[name] or 1)
    end)
  end
  return times
end

---@class CodeWords
---@field fmas number     fused multiply-adds
---@field others number   other words
---@field scalars number  operations of one number
---@field once number     such operations of what packs and unpacks weights

--- The words of a kernel.
---@param kernel KernelText
---@param names Naming
---@param skips_wide boolean  vectors of doubles stand in for tiles, where they may
---@return CodeWords
function M.of(kernel, names, skips_wide)
  local short, parts, skipped = shortener(names), {}, {}
  for _, f in ipairs(kernel.functions) do
    local own = parts_of(f.text, f.name)
    if own[1] then own[#own].inline = f.inline end
    for _, part in ipairs(own) do parts[#parts + 1] = part end
    for _, name in ipairs(f.wide and skips_wide and f.uses or {}) do skipped[name] = true end
  end
  local helpers, times, is_part = helpers_of(kernel.helpers, short), times_of(parts), {}
  for _, part in ipairs(parts) do is_part[part.name] = true end
  local words = no_words(helpers.once)
  for _, part in ipairs(parts) do
    each_call(skipped[part.of] and '' or part.text, times[part], function(name, count)
      local fmas = fmas_of(short(name))
      if fmas and not is_part[name] then add_call(words, helpers, name, fmas, count) end
    end)
  end
  return words
end

return M
