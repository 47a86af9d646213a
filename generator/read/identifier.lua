--- Names that a user gives: C identifiers, for they become comments, labels and parts of C names.
local problems = require 'common.problem'
local record = require 'common.record'

local M = {}

local max_name = 120

--- Keywords of C11 and C++17 that cannot name anything.
local reserved = {}
for keyword in ([[
  alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t
  class compl const const_cast constexpr continue decltype default delete do double dynamic_cast
  else enum explicit export extern false float for friend goto if inline int long mutable namespace
  new noexcept not not_eq nullptr operator or or_eq private protected public register
  reinterpret_cast restrict return short signed sizeof static static_assert static_cast struct
  switch template this thread_local throw true try typedef typeid typename union unsigned using
  virtual void volatile wchar_t while xor xor_eq _Alignas _Alignof _Atomic _Bool _Complex _Generic
  _Imaginary _Noreturn _Static_assert _Thread_local]]):gmatch('[%w_]+') do
  reserved[keyword] = true
end

--- Whether a word is one that C or C++ keeps.
---@param word string
function M.is_reserved(word) return reserved[word] or false end

--- The C identifier nearest to what is none.
local function identifier(text)
  local near = text:gsub('[^%w_]', '_'):gsub('^%d', '_%0')
  return reserved[near] and near .. '_' or near
end

--- A spec's name is a C identifier, not too long, and new.
---@param at string the place of the layer
---@param kind string of the layer
---@param given any
---@param seen table<string, string> name -> place; the name is added
function M.check(at, kind, given, seen)
  local function fail(message, ...) problems.bad_input(at, message, ...) end
  if type(given) ~= 'string' then
    fail('%s takes a name: %s \'my_layer\' { ... }', kind, kind)
  elseif #given > max_name then
    fail('%s "%s": the name is longer than %d characters', kind, record.shown(given), max_name)
  elseif given == '' then
    fail('%s "": the name is empty', kind)
  elseif not given:match('^[%a_][%w_]*$') then
    fail('%s "%s": the name must be a C identifier (did you mean "%s"?)', kind,
      record.shown(given), identifier(given))
  elseif reserved[given] then
    fail('%s "%s": the name is a keyword of C or C++ (did you mean "%s"?)', kind, given,
      identifier(given))
  elseif seen[given] then
    fail('%s "%s": the name is taken at %s', kind, given, seen[given])
  end
  seen[given] = at
end

return M
