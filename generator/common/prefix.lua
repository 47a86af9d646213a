--- The prefix of all that a kernel and its runtime define. It is written ffn_ and FFN_, and some
--- files' names carry it. They are replaced in the text of a template, of a runtime file or of an
--- instruction set before any value is filled in: layers keep their names, which begin with ffn_
--- by chance.
local record = require 'common.record'

local M = {}

--- The prefix that templates and runtime files are written with.
M.default = 'ffn'

--- Files that have no prefix here and get one in a vendored folder: objects of several folders may
--- come to lie in one, and headers of all folders are looked for by their names.
local files = {
  'kernel.h', 'train_walk.h', 'dropout.h', 'freestanding.h', 'tasks.h', 'cpu.c', 'train.c',
  'weights.c', 'reference.c', 'reference_grad.c', 'reference_s8.c', 'selfcheck.c',
  'example_main.c', 'slice.c', 'moe.c', 'moe_run.c', 'moes.h',
}

--- text:gsub('%f[%w_]' .. word .. behind, by) in a tenth of the time: where a text has no such word
--- nothing is looked at twice.
---@param text string
---@param word string    plain
---@param behind string  of Lua's patterns: what the word goes on with
---@param by string|fun(found: string): string
local function replaced(text, word, behind, by)
  local parts, done, at = {}, 1, text:find(word, 1, true)
  while at do
    local from, to = at + #word, at + #word - 1
    if behind ~= '' then from, to = text:find('^' .. behind, from) end
    if from and not (at > 1 and text:find('^[%w_]', at - 1)) then
      parts[#parts + 1] = text:sub(done, at - 1)
      parts[#parts + 1] = type(by) == 'string' and by or by(text:sub(at, to))
      done = to + 1
    end
    at = text:find(word, math.max(at + 1, done), true)
  end
  if done == 1 then return text end
  parts[#parts + 1] = text:sub(done)
  return table.concat(parts)
end

--- How C++ says it: the namespace of ffn.hpp.
local function namespace(text, prefix)
  text = replaced(text, 'ffn::', '', prefix .. '::')
  return replaced(text, 'namespace ffn', '%f[^%w_]', 'namespace ' .. prefix)
end

--- Those files, under any prefix.
---@param text string
---@param prefix string
---@return string
local function renamed(text, prefix)
  if not text:find('.', 1, true) then return text end
  local function under_prefix(file) return prefix .. '_' .. file end
  for _, file in ipairs(files) do
    text = replaced(text, file, '%f[^%w_]', under_prefix)
  end
  return replaced(text, 'parallel_', '%l+%.h%f[^%w_]', under_prefix)
end

---@param text string
---@param prefix string
---@return string
function M.text(text, prefix)
  if prefix == M.default then return text end
  -- First, for a prefix may be the name of one of them.
  text = renamed(text, prefix)
  for _, ending in ipairs { '[ch]', 'hpp' } do
    text = replaced(text, 'ffn.', ending .. '%f[^%w_]', function(file)
      return prefix .. file:sub(#M.default + 1)
    end)
  end
  text = replaced(namespace(text, prefix), 'ffn_', '', prefix .. '_')
  return replaced(text, 'FFN_', '', prefix:upper() .. '_')
end

--- The text, or the name, of a vendored file: in our own prefix, too, files are called so.
---@param text string  as text() made it
---@param prefix string
function M.vendored(text, prefix)
  return prefix == M.default and renamed(text, prefix) or text
end

--- A file's name in a vendored folder.
---@param file string
---@param prefix string
function M.file(file, prefix) return M.vendored(M.text(file, prefix), prefix) end

--- A kernel's symbol.
---@param name string
---@param prefix string
function M.symbol(name, prefix)
  return prefix == M.default and name or prefix .. '_' .. name
end

--- An instruction set under a prefix.
---@param isa table
---@param prefix string
function M.isa(isa, prefix)
  if prefix == M.default then return isa end
  local own = {}
  for _, field in ipairs {
    'arch', 'detect', 'helpers', 'store_tail', 'turn', 'turn_in', 'turn_out', 'dots',
    'matrix_helpers',
  } do
    own[field] = M.text(isa[field], prefix)
  end
  own.word_helpers = {}
  for _, word in ipairs(record.sorted_keys(isa.word_helpers)) do
    own.word_helpers[word] = M.text(isa.word_helpers[word], prefix)
  end
  -- Each word once: kernels say few of them, and these at each step.
  own.words = setmetatable({}, { __index = function(words, word)
    if not isa.words[word] then return nil end
    local text = M.text(isa.words[word], prefix)
    rawset(words, word, text)
    return text
  end })
  return setmetatable(own, { __index = isa })
end

return M
