--- What files call the matrices of a layer: the table that finds them, and that --help and the
--- manual print; and what stands beside them in the files of those who call them so. A file may
--- have any prefix in front of a name: `model.layers.0.mlp.`. The names stand in names.json, which
--- the Python package reads, too.
local disk = require 'common.disk'
local json_object = require 'files.json_object'
local lists = require 'common.list'

local M = {}

--- Names of modules, as torch.nn.Linear's: the matrix is NAME.weight, its bias NAME.bias.
---@class Convention
---@field gate string|nil
---@field up string
---@field down string
---@field plain boolean|nil     a layer without a gate uses these names of up and down, too
---@field gated_by string|nil   of layers without a gate: a name that only one with a gate has
---@field either_way boolean|nil  some files hold [in][out], as GPT-2's Conv1D does
---@field beside string|nil     of NameTable.beside
---@field of string             who calls them so

--- What else there is behind the prefix of the matrices. Whatever is not here has no place in the
--- layer, and a file that has it is refused.
---@class Neighbour
---@field name string         a module, and all below it, or a tensor
---@field is_of_own boolean|nil  the name stands in front of that of one of the layer's tensors
---@field is_inside boolean|nil  it changes what the layer computes: refused, in these words
---@field is_attention boolean|nil  tells of a whole block
---@field is_norm boolean|nil    of that block, as long as what the layer takes or gives, else it is
---  none of these
---@field why string

--- The table of names.json. Its neighbours, by who has them beside, are those of blocks whose
--- feed-forward layer has no module of its own, and what their kin put between: BART; torch; BERT,
--- RoBERTa, ELECTRA (LayerNorm of ESM, ln of Megatron's; ViT; lambda_1 and _2 of BEiT; fourier of
--- FNet, which has it in place of attention); ALBERT; Llama; "outputs": beside those of
--- attention; and "own": numbers of a test beside this project's own names.
---@class NameTable
---@field conventions Convention[]
---@field fused Convention[]  gate above up in one tensor, [2 out][in]; found by `ffngen import`
---@field numbered string[]  what the numbered layers of a chain may be called in front of the
---  number: nothing is torch.nn.Sequential's, whose numbers count activations, too
---@field of_outputs string[]  what the matrices of several outputs are called, {name} being that of
---  an output: q_proj of Llama, wq of Meta's files, q_lin of DistilBERT, to_q of diffusers
---@field conv1d string[]    modules that hold [in][out] in GPT-2, as Conv1D does, and [out][in]
---  elsewhere
---@field beside table<string, Neighbour[]>
---@field anywhere Neighbour[]  tensors that change nothing, wherever they stand: by the last part
---  of their names
---@field attention string[] parts of names that tell of a whole block, whose norms are those before
---  and behind the layer
---@field forms WeightForm[] of forms.lua

--- The folder of this file.
local here = (select(2, ...)):match '^(.*[/\\])' or ''

---@return NameTable
local function read()
  local path = here .. 'names.json'
  local data, reason = json_object.decode(assert(disk.read(path), path), 'config_depth',
    'config_values')
  return data or error(('%s: %s'):format(path, reason))
end

---@type NameTable
M.data = read()

M.conventions, M.numbered, M.anywhere = M.data.conventions, M.data.numbered, M.data.anywhere
M.beside_own, M.beside_outputs = M.data.beside.own, M.data.beside.outputs
M.of_outputs = M.data.of_outputs

---@param convention Convention
---@return Neighbour[]
local function beside(convention)
  return convention.beside and M.data.beside[convention.beside] or {}
end

--- Whether a matrix of this name may well be [in][out]: Conv1D's, and a kernel of Keras or JAX.
---@param key string
function M.may_be_in_out(key)
  local before, last = key:match '^(.*)[./]([^./]*)$'
  return (last or key):find '^kernel%f[^%w_]' ~= nil or last == 'weight'
    and lists.has(M.data.conv1d, before:match '^.*[./]([^./]*)$' or before)
end

--- What stands beside the matrices of a chain whose names have a number behind a word, as far as
--- they are the two of a convention: fc1 and fc2.
---@param word string
---@return Neighbour[]
function M.beside_numbers(word)
  for _, convention in ipairs(M.conventions) do
    if convention.up == word .. '1' and convention.down == word .. '2' then
      return beside(convention)
    end
  end
  return {}
end

--- What stands beside matrices that a map names, as far as they are those of a convention.
---@param of string[]  names behind what they share
---@return Neighbour[]
function M.beside_mapped(of)
  for _, convention in ipairs(M.conventions) do
    if lists.has(of, convention.up .. '.weight')
      and lists.has(of, convention.down .. '.weight') then
      return beside(convention)
    end
  end
  return {}
end

--- Whether a convention speaks of a layer of such matrices. A layer without a down projection has
--- the names that say what they are: w1 and w2 would be anything.
local function speaks_of(convention, has)
  if not has.down then return convention.plain == true end
  if has.gate then return convention.gate ~= nil end
  return not convention.gate or convention.plain == true
end

--- Names of a layer whose matrices have roles: those of each convention, and w_up beside b_up.
---@param roles string[] gate, up, down: those that the layer has
---@return table[] { weight = by role, bias = by role, gate = a module or nil, either_way =,
---  beside =, of = who calls them so }
function M.of_roles(roles)
  local has, result = {}, {}
  for _, role in ipairs(roles) do has[role] = true end
  for _, convention in ipairs(M.conventions) do
    if speaks_of(convention, has) then
      local weight, bias = {}, {}
      for _, role in ipairs(roles) do
        weight[role], bias[role] = convention[role] .. '.weight', convention[role] .. '.bias'
      end
      result[#result + 1] = {
        weight = weight, bias = bias, either_way = convention.either_way,
        gate = not has.gate and (convention.gate or convention.gated_by) or nil,
        of = convention.of,
        beside = beside(convention),
      }
    end
  end
  local weight, bias = {}, {}
  for _, role in ipairs(roles) do weight[role], bias[role] = 'w_' .. role, 'b_' .. role end
  result[#result + 1] = { weight = weight, bias = bias, beside = M.beside_own }
  return result
end

--- What stands beside the matrices of a convention.
---@param convention Convention
---@return Neighbour[]
function M.beside_of(convention) return beside(convention) end

--- The table as rows of text, for --help and the manual.
---@return string[][] gate, up, down, of
function M.rows()
  return lists.map(M.conventions, function(convention)
    return { convention.gate and convention.gate .. (convention.plain and ' or none' or '') or '',
      convention.up, convention.down, convention.of }
  end)
end

return M
