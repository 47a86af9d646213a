--- The formats that --weights asks for: floats of a file are packed as another format, which
--- ffn-pack encodes. What a file holds in another form than floats stays as it is, or is refused.
local lists = require 'common.list'
local problems = require 'common.problem'
local record = require 'common.record'
local role_words = require 'import.role_words'
local weights = require 'weights'

local M = {}

local floats = lists.set { 'f32', 'f16', 'bf16', 'f64', 'f64_rounded' }

--- Formats that floats are packed as, of rows of so many inputs.
---@param inputs integer|nil  nil: of any
local function encoded(inputs)
  return lists.filter(weights.names, function(name)
    local format = weights.by_name[name]
    return format.pack ~= false and (not inputs or inputs % format.divides == 0)
  end)
end

local function expect_encoder(path, option, word)
  if weights.by_name[word].pack then return end
  problems.bad_input(path, '%s: no encoder makes %s of floats; there is one for %s', option, word,
    table.concat(encoded(), ', '))
end

---@param m Matrix
local function expect_width(path, option, word, m)
  local divides = weights.by_name[word].divides
  if m.inputs % divides == 0 then return end
  problems.bad_input(path, '%s: %s has %d inputs, and %s has groups of %d inputs; these formats '
    .. 'fit: %s', option, role_words.name(m), m.inputs, word, divides,
    table.concat(encoded(m.inputs), ', '))
end

--- The format of a matrix, judged; whether ffn-pack makes that of other numbers.
---@param m Matrix
---@param word string
---@return boolean
local function is_encoded(path, option, word, m)
  local p = m.weight
  if p.encoding == false and not p.format then -- nothing is known of what the file holds
    expect_width(path, option, word, m)
    return false
  end
  if p.format == word then return false end
  if p.encoding and not floats[p.encoding] then
    problems.bad_input(path, '%s: "%s" is quantised already, as %s: leave out --weights, or import '
      .. 'the model in f32, bf16 or f16', option, record.shown(p.tensor, 80), p.encoding)
  end
  expect_encoder(path, option, word)
  expect_width(path, option, word, m)
  if m.affine then
    problems.bad_input(path, '%s: a BatchNormalization is folded into "%s", which is f32 then: '
      .. 'leave out --weights, or fold the norm into the model before', option,
      record.shown(p.tensor, 80))
  end
  return true
end

--- What is told of a layer's matrices, nil of none.
---@param words RoleWords
---@param changed Matrix[]
local function told_of(words, changed)
  local parts = {}
  for _, m in ipairs(changed) do
    parts[#parts + 1] = ('%s is %s, packed as %s'):format(role_words.name(m), m.weight.encoding
      or m.weight.format, role_words.of(words, m))
  end
  return #parts > 0 and ('%s (--weights)'):format(table.concat(parts, ', ')) or nil
end

--- Where a config is alone, every matrix has a format of its dtype or of --weights.
local function expect_known(path, l)
  for _, m in ipairs(l.matrices) do
    if not m.weight.format then
      problems.bad_input(path, 'config.json does not tell the format of %s: add --weights, such as '
        .. '--weights f32, or put the .safetensors files beside config.json',
        role_words.name(m))
    end
  end
end

--- Gives matrices the formats that are asked for.
---@param found Found
---@param words RoleWords|nil
---@return Found
function M.settle(found, words)
  role_words.expect_there(found.path, words, found.layers)
  local told = {} -- layers that look alike share their reasons
  for _, l in ipairs(found.layers) do
    local changed = lists.filter(l.matrices, function(m)
      local word = role_words.of(words, m)
      return word ~= nil and is_encoded(found.path, words.option .. ' ' .. word, word, m)
    end)
    local text = told_of(words, changed)
    if text then
      local of = told[l.because] or {}
      told[l.because] = of
      of[text] = of[text] or lists.append({ { field = 'weights', text = text } }, l.because)
      l.because = of[text]
    end
    for _, m in ipairs(l.matrices) do
      m.weight.format = role_words.of(words, m) or m.weight.format
    end
    expect_known(found.path, l)
  end
  return found
end

return M
