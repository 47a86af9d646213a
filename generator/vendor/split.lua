--- Splits kernels into translation units that stay below a number of bytes. Inline functions go
--- wherever they are used; the others become external, under the names that they have; data and
--- what reads it stay in the first unit, with the kernel's descriptor.
local c_text = require 'vendor.c_text'
local problems = require 'common.problem'
local name = require 'lower.name'

local M = {}

local function words_of(text)
  local words = {}
  for _, piece in ipairs(c_text.pieces(text)) do
    if piece.kind == 'word' then words[piece.text] = true end
  end
  return words
end

--- What stands around a kernel's items: includes and target before, their end behind.
local function parts_of(text)
  local items = c_text.items(text)
  local first, last = 1, #items
  while items[first].kind == 'directive' do first = first + 1 end
  while items[last].kind == 'directive' or items[last].kind == 'comment' do last = last - 1 end
  local before, behind = {}, {}
  for i = 1, first - 1 do before[i] = items[i].text end
  for i = last + 1, #items do behind[#behind + 1] = items[i].text end
  return table.concat(before), table.move(items, first, last, 1, {}), table.concat(behind)
end

local function external(text)
  return (text:gsub('FFN_NOINLINE ', '', 1):gsub('%f[%w_]static ', '', 1))
end

--- Which items are data, or read it.
local function homebound(items, words)
  local home, data = {}, {}
  for i, item in ipairs(items) do
    if item.kind == 'data' then
      home[i] = true
      table.move(item.names, 1, #item.names, #data + 1, data)
    end
  end
  for i in ipairs(items) do
    for _, own in ipairs(data) do home[i] = home[i] or words[i][own] end
  end
  return home
end

--- A unit's text: what is around, the inline functions that it uses, declarations, its items.
local function unit_text(before, behind, items, words, chosen)
  local used = {}
  local function use(i)
    if used[i] then return end
    used[i] = true
    for j, other in ipairs(items) do
      if other.kind == 'function' and words[i][other.names[1]] and j ~= i then
        if other.inline then use(j) else used[j] = used[j] or 'declared' end
      end
    end
  end
  for _, i in ipairs(chosen) do use(i) end
  local mine, declarations, inlines, bodies = {}, {}, {}, {}
  for _, i in ipairs(chosen) do mine[i] = true end
  for i, item in ipairs(items) do
    if used[i] and item.kind == 'function' and item.internal and not item.inline then
      declarations[#declarations + 1] = external(item.head) .. ';\n'
    end
    if used[i] and item.inline then
      inlines[#inlines + 1] = item.text
    elseif mine[i] then
      bodies[#bodies + 1] = item.kind == 'function' and item.internal and external(item.text)
        or item.text
    end
  end
  return ('%s\n%s%s%s%s'):format(before, table.concat(declarations), table.concat(inlines),
    table.concat(bodies), behind)
end

--- The units of one kernel.
local function kernel_units(file, most, measure)
  local before, items, behind = parts_of(file.text)
  local words = {}
  for i, item in ipairs(items) do words[i] = words_of(item.text) end
  local home = homebound(items, words)
  local stem = file.path:sub(1, -3)
  local short = before:gsub('^/%*.-%*/\n', ([[
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * A part of %s, which says what it computes.
 */
]]):format(file.path))

  local units, at_home, current = {}, {}, {}
  local function text_of(list) return unit_text(short, behind, items, words, list) end
  local function close()
    if #current == 0 then return end
    units[#units + 1] = {
      path = ('%s_part%d.c'):format(stem, #units + 1), text = text_of(current),
    }
    current = {}
  end
  for i, item in ipairs(items) do
    if home[i] then
      at_home[#at_home + 1] = i
    elseif not item.inline then
      current[#current + 1] = i
      if measure(text_of(current)) > most and #current > 1 then
        current[#current] = nil
        close()
        current = { i }
      end
    end
  end
  close()
  table.insert(units, 1,
    { path = file.path, text = unit_text(before, behind, items, words, at_home) })
  return units
end

--- Source files, each of at most `most` bytes.
---@param sources table[] { path =, text = }
---@param most integer
---@param measure fun(text: string): integer  the bytes that it will have in the end
function M.units(sources, most, measure)
  local result, needed, largest = {}, 0, nil
  for _, file in ipairs(sources) do
    local units = { file }
    if measure(file.text) > most and name.decode(file.path:sub(1, -3)) then
      units = kernel_units(file, most, measure)
    end
    for _, unit in ipairs(units) do
      local bytes = measure(unit.text)
      if bytes > needed then needed, largest = bytes, unit.path end
      result[#result + 1] = unit
    end
  end
  if needed > most then
    problems.bad_input(nil, '--max-tu-bytes %d: %s cannot be cut further: give at least %d', most,
      largest, needed)
  end
  return result
end

return M
