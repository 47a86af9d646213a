--- Names that a user gives: C identifiers, for they become comments, labels and parts of C names.
local activations = require 'activation'
local problems = require 'common.problem'
local record = require 'common.record'
local reserved = require('common.system_words').keywords

local M = {}

local max_name = 120

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

--- What names of activations may not be, or begin with: FFN_NAME is a name of the C API already.
local taken = {
  'abi', 'act', 'activation', 'adds', 'align', 'aligned', 'alignment', 'apart', 'arch',
  'arithmetic', 'arrange', 'asan', 'assert', 'batches', 'branchless', 'by', 'bytes', 'cold', 'cpu',
  'cpuid', 'decoders', 'derivative', 'dot', 'dropout', 'dtype', 'eax', 'ebx', 'ecx', 'edx',
  'encoder', 'exact', 'example', 'exchange', 'fetch', 'fetches', 'file', 'flat', 'fma', 'format',
  'freestanding', 'get', 'h', 'halves', 'has', 'hpp', 'huge', 'hwcap', 'hwcap2', 'if',
  'implementation', 'implemented', 'inline', 'isa', 'kernel', 'kind', 'laid', 'layers', 'layout',
  'list', 'matrix', 'max', 'memcpy', 'midr', 'mixture', 'mode', 'moe', 'moes', 'most', 'mpi', 'no',
  'noinline', 'often', 'opaque', 'outputs', 'pack', 'packing', 'packings', 'panel', 'parallel',
  'part', 'philox', 'pieces', 'plan', 'pool', 'product', 'profile', 'publish', 'published',
  'reference', 'request', 'row', 'saved', 'settle', 'shared', 'slice', 'slices', 'source', 'strip',
  'tasks', 'team', 'tile', 'tiles', 'token', 'touch', 'traced', 'train', 'training', 'unroll',
  'variant', 'wants', 'whole', 'wide', 'xgetbv', 'xxh64',
}

--- An activation's name becomes part of kernels' names, whose words it may not hold.
---@param at string the place
---@param given any
---@param seen table<string, string> name -> place; the name is added
function M.activation(at, given, seen)
  local function fail(message, ...) problems.bad_input(at, message, ...) end
  if type(given) ~= 'string' then
    fail('activation takes a name: activation \'my_silu\' (function(x) ... end)')
  end
  local name = record.shown(given)
  if #given > 32 or not given:match('^%l[%l%d_]*$') or given:match('__') or given:match('_$') then
    fail('activation "%s": the name is made of small letters, digits and single _, at most 32',
      name)
  elseif activations.by_variant[given] or activations.by_name[(given:gsub('_glu$', ''))] then
    fail('activation "%s": the project has one of this name', name)
  end
  -- The gated form of x is x_glu.
  for _, other in ipairs { given, given .. '_glu', (given:gsub('_glu$', '')) } do
    local taken_at = seen['activation ' .. other]
    if taken_at then fail('activation "%s": the name is taken at %s', name, taken_at) end
  end
  for part in given:gmatch('[^_]+') do
    if part == 'bias' or part == 'beta' or part:match('^[dfo]%d+$') then
      fail('activation "%s": "%s" is a word of kernels\' names', name, part)
    end
  end
  for _, word in ipairs(taken) do
    if given == word or given:sub(1, #word + 1) == word .. '_' then
      fail('activation "%s": the C API has such a name', name)
    end
  end
  seen['activation ' .. given] = at
end

return M
