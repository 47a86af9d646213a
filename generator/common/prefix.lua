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
  'kernel%.h', 'train_walk%.h', 'dropout%.h', 'freestanding%.h', 'tasks%.h', 'parallel_%l+%.h',
  'cpu%.c', 'train%.c', 'weights%.c', 'reference%.c', 'reference_grad%.c',
  'reference_s8%.c', 'selfcheck%.c', 'example_main%.c', 'slice%.c', 'moe%.c', 'moe_run%.c',
  'moes%.h',
}

--- How C++ says it: the namespace of ffn.hpp.
local function namespace(text, prefix)
  return (text:gsub('%f[%w_]ffn::', prefix .. '::')
    :gsub('%f[%w_]namespace ffn%f[^%w_]', 'namespace ' .. prefix))
end

--- Those files, under any prefix.
---@param text string
---@param prefix string
---@return string
function M.files(text, prefix)
  for _, file in ipairs(files) do
    text = text:gsub('%f[%w_](' .. file .. ')%f[^%w_]', prefix .. '_%1')
  end
  return text
end

---@param text string
---@param prefix string
---@return string
function M.text(text, prefix)
  if prefix == M.default then return text end
  -- First, for a prefix may be the name of one of them.
  text = M.files(text, prefix)
  text = text:gsub('%f[%w_]ffn(%.[ch])%f[^%w_]', prefix .. '%1')
    :gsub('%f[%w_]ffn(%.hpp)%f[^%w_]', prefix .. '%1')
  text = namespace(text, prefix)
  return (text:gsub('%f[%w_]ffn_', prefix .. '_'):gsub('%f[%w_]FFN_', prefix:upper() .. '_'))
end

--- The text, or the name, of a vendored file: in our own prefix, too, files are called so.
---@param text string  as text() made it
---@param prefix string
function M.vendored(text, prefix)
  return prefix == M.default and M.files(text, prefix) or text
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
  } do
    own[field] = M.text(isa[field], prefix)
  end
  own.word_helpers = {}
  for _, word in ipairs(record.sorted_keys(isa.word_helpers)) do
    own.word_helpers[word] = M.text(isa.word_helpers[word], prefix)
  end
  own.words = setmetatable({}, { __index = function(_, word)
    return isa.words[word] and M.text(isa.words[word], prefix)
  end })
  return setmetatable(own, { __index = isa })
end

return M
