--- One prefix for all that a vendored layer defines: ffn_ and FFN_ become the product's own in code
--- and comments, and kernels carry it in front of their names. Layers keep theirs: packed weights
--- know their layer by it.
local c_text = require 'vendor.c_text'
local name = require 'lower.name'
local runtime_files = require 'common.runtime_files'

local M = {}

local is_header = { ['kernel.h'] = true, ['freestanding.h'] = true }
for _, file in ipairs(runtime_files.adapters(runtime_files.threads)) do is_header[file] = true end

--- A file's name under a prefix. Those that a product may include carry it, as do kernels.
---@param prefix string
---@param file string
function M.file(prefix, file)
  if prefix == 'ffn' then return file end
  local suffix = file:match('^ffn(%.[ch])$')
  if suffix then return prefix .. suffix end
  local is_kernel = name.decode((file:gsub('%.c$', ''):gsub('_part%d+$', '')))
  return (is_kernel or is_header[file]) and prefix .. '_' .. file or file
end

--- A kernel's symbol under a prefix.
function M.kernel(prefix, kernel) return prefix == 'ffn' and kernel or prefix .. '_' .. kernel end

--- A word's name under a prefix, or nil where it has none of ours.
local function word_under(prefix, word)
  local known = word:match('_f32') and name.decode(word)
  if known then return known.isa and prefix .. '_' .. word or nil end
  local rest = word:match('^ffn(_.*)$')
  if rest then return prefix .. rest end
  rest = word:match('^FFN(_.*)$')
  return rest and prefix:upper() .. rest
end

--- Text that is not C: every word and every file name.
---@param prefix string
---@param text string
function M.prose(prefix, text)
  if prefix == 'ffn' then return text end
  local function word(w) return word_under(prefix, w) end
  return (text:gsub('[%w_]+%.[ch]%f[^%w_]', function(file)
    return M.file(prefix, file)
  end):gsub('%-DFFN_', '-D' .. prefix:upper() .. '_'):gsub('%f[%w_][%a_][%w_]*', word))
end

--- In a string: a file to include, a kernel's name, a function that is spoken of.
local function string_under(prefix, text)
  local inside = text:sub(2, -2)
  local known = name.decode(inside)
  if known then return known.isa and '"' .. prefix .. '_' .. inside .. '"' or text end
  return (text:gsub('[%w_]+%.[ch]%f[^%w_]', function(file)
    return M.file(prefix, file)
  end):gsub('%f[%w_][%a_][%w_]*%f[(]', function(word) return word_under(prefix, word) end))
end

--- C text.
---@param prefix string
---@param text string
function M.code(prefix, text)
  if prefix == 'ffn' then return text end
  return c_text.rename(text, function(word) return word_under(prefix, word) end,
    function(kind, other)
      return kind == 'comment' and M.prose(prefix, other) or string_under(prefix, other)
    end)
end

return M
