--- generator/GLOSSARY.md against the code: its terms are used, its numbers are true, and what has
--- a name has it alone.
local unit = require 'luaunit'
local isas = require 'isa'
local layer = require 'lower.layer'
local plan = require 'plan.plan'
local spec = require 'read.spec'
local support = require 'support'
local weights = require 'weights'

TestGlossary = {}

local page = support.read(support.root .. '/generator/GLOSSARY.md')

--- The terms of a page's tables: those of a row are two words for one thing.
---@return string[]
local function terms_of(text)
  local list = {}
  for cell in text:gmatch '\n| ([%l ,]+) | [^\n]* |%f[\n]' do
    if cell ~= 'term' then
      for term in (cell .. ', '):gmatch '(.-), ' do list[#list + 1] = term end
    end
  end
  return list
end

--- The texts of generator, runtime and templates, without pages.
local function sources()
  local list = {}
  for _, folder in ipairs { 'generator', 'runtime', 'templates' } do
    for path, text in pairs(support.snapshot(support.root .. '/' .. folder)) do
      if path:match '%.lua$' or path:match '%.[ch]$' or path:match '%.tpl$' then
        list[folder .. '/' .. path] = text
      end
    end
  end
  return list
end

--- Whether a term, or more than one, stands in a text.
local function has(text, term) return text:find('%f[%w_]' .. term .. 's?%f[^%w_]') ~= nil end

function TestGlossary.test_terms()
  local rows = select(2, page:gsub('\n| [%l ,]+ | ', '')) - select(2, page:gsub('\n| term |', ''))
  unit.assertTrue(rows > 30 and rows <= 40, rows .. ' terms; at most 40')
  local seen, texts = {}, {}
  for _, text in pairs(sources()) do texts[#texts + 1] = text end
  for _, term in ipairs(terms_of(page)) do
    unit.assertNil(seen[term], 'twice: ' .. term)
    seen[term] = true
    local is_used = false
    for _, text in ipairs(texts) do is_used = is_used or has(text, term) end
    unit.assertTrue(is_used, 'no code says ' .. term)
  end
  unit.assertTrue(seen.token and seen.row and seen['k block'])
end

--- What the page says of the example and of formats.
function TestGlossary.test_numbers()
  local s = spec.of_text('example', page:match '`(ffn .-})`', {})[1]
  local p = plan.plan(layer.lower(s), isas.by_name.avx2)
  local gate_up, down = p.passes.forward.stages[1], p.passes.forward.stages[2]
  local lies = gate_up.stage.stream.layout
  local function says(form, ...)
    local text = form:format(...)
    unit.assertTrue(page:gsub('%s+', ' '):find(text, 1, true) ~= nil, text)
  end
  says('%d columns are %d panels', gate_up.stage.outputs, lies.panels)
  says('%d k are %d k blocks', gate_up.stage.inputs, gate_up.stage.sum.blocks)
  says('Up to %d successive k', gate_up.stage.sum.block)
  says('gate_up: %d bundles', lies.panels * 16 // lies.width)
  says('down: %d bundles', down.stage.outputs // down.stage.stream.layout.width)
  says('%d k of %d lines: %d KiB', gate_up.stage.inputs, lies.members, lies.bundle >> 10)
  says('%d in `gate_up`', gate_up.chunk)
  local tile = down.tiles[#down.tiles]
  says('%d x %d in `down`', tile.rows, tile.cols)
  says('%d columns of a k block are %d KiB', 32, 32 * gate_up.stage.sum.block * 4 >> 10)
  local of = weights.by_name
  says('%d of `f32`, %d of `bf16`, %d of `q4_K`', of.f32.step.k, of.bf16.step.k, of.q4_K.step.k)
  says('`q8_0` has groups of %d k', of.q8_0.group)
  local levels = of.q4_K.levels
  says('`q4_K` has %d levels: %d, %d and %d k', #levels, levels[1].k, levels[2].k, levels[3].k)
  says('%d bytes of `q4_K`', of.q4_K.source.bytes)
end

--- The records of some texts that are defined twice.
local function twice(texts)
  local where, list = {}, {}
  for _, path in ipairs(support.keys(texts)) do
    for name in texts[path]:gmatch '%-%-%-@class ([%a_]+)' do
      if where[name] then list[#list + 1] = ('%s: %s, %s'):format(name, where[name], path) end
      where[name] = path
    end
  end
  return list
end

function TestGlossary.test_a_record_is_one()
  unit.assertEquals(twice { a = '---@class Tile\n', b = '--- Tile\n---@class Tile  rows\n' },
    { 'Tile: a, b' })
  unit.assertEquals(twice(sources()), {})
end

--- Where plans, C and weights are made, `group` stands in these files alone, of which each is about
--- groups of k, and in no name but these.
local of_groups = {
  plan = 'abreast layout needs scratch tiles',
  emit = 'all_packings comments compact_bytes compact_decoding compact_laid decoding describe '
    .. 'environment fetching grouped instructions k_blocks lanes line_macros matrix operands '
    .. 'packing packings products scratch single_weights stage_sizes summing tile tile_functions '
    .. 'ungrouped walk',
  weights = 'f8 fifth_bits format group grouped layout minima nibbles opened operand_planes '
    .. 'position q6_K u4g128 u4g128_bf16 u4g128_f32 u4g32 u4g32_bf16 u4g32_f32 u4g64 u4g64_bf16 '
    .. 'u4g64_f32',
  kernel = 'api compact_decoding compact_lay finish_laid group_begin loop '
    .. 'matrix_scale matrix_tile sizes strips take train_api',
}
local names_of_groups = [[
  GROUP GROUPS Group GroupAddress GroupHook Groups GroupsAscent PlacedGroup SharedGroup TileGroups
  _GROUP ascend_groups begin_group end_group group group_at group_begin grouped grouped_ones groups
  least_group s_GROUP ungrouped
]]

--- What a text says of groups that are no groups of k.
---@return string[]
local function strangers(folder, path, text)
  local name, list = path:match '([%w_]+)%.[%w.]+$', {}
  local function is_in(names, word)
    return (' ' .. names .. ' '):find('%s' .. word .. '%s') ~= nil
  end
  for word in text:gmatch '%f[%w_][%w_]*[gG][rR][oO][uU][pP][%w_]*' do
    if (word == 'group' or word == 'groups') and not is_in(of_groups[folder], name)
      or not is_in(names_of_groups, word) then
      list[#list + 1] = path .. ': ' .. word
    end
  end
  for _, other in ipairs { 'columns', 'rows', 'tokens', 'outputs', 'stages', 'tiles', 'panels' } do
    if text:find('groups? of ' .. other) then list[#list + 1] = path .. ': group of ' .. other end
  end
  return list
end

function TestGlossary.test_group()
  unit.assertEquals(strangers('plan', 'plan/straight.lua', 'local group = 1'),
    { 'plan/straight.lua: group' })
  unit.assertEquals(strangers('kernel', 'kernel/loop.c.tpl', 'a group, FFN_WIDE_GROUPS'),
    { 'kernel/loop.c.tpl: FFN_WIDE_GROUPS' })
  unit.assertEquals(strangers('emit', 'emit/walk.lua', 'a group of columns'),
    { 'emit/walk.lua: group of columns' })
  for _, folder in ipairs { 'plan', 'emit', 'weights', 'kernel' } do
    local root = folder == 'kernel' and '/templates/' or '/generator/'
    local saying = {}
    for path, text in pairs(support.snapshot(support.root .. root .. folder)) do
      unit.assertEquals(strangers(folder, folder .. '/' .. path, text), {})
      saying[path:match '^[%w_]+'] = has(text, 'group') or nil
    end
    for name in of_groups[folder]:gmatch '[%w_]+' do
      unit.assertTrue(saying[name] or false, ('%s/%s says nothing of groups'):format(folder, name))
    end
  end
end
