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

--- A scheme of names behind a prefix.
---@class NameScheme
---@field for string[]        layers that may have it: of `roles` (gate, up, down), among them those
---  that are `plain`: up and down alone; of several `outputs`; a `chain`, of `one` or `several`
---@field weight string|nil   of a matrix, with its {matrix}, {stage}, {output}, or {module}, what
---  each convention calls it: q_proj of Llama, wq of Meta's files, q_lin of DistilBERT, to_q of
---  diffusers
---@field bias string|nil
---@field word string|nil     in front of the numbers of modules, of which the layer's are those of
---  the file: nothing is torch.nn.Sequential's, whose numbers count activations, too
---@field beside string|nil   of NameTable.beside
---@field told_by string|nil  a name without which nobody means the scheme; nil: any of its names
---@field is_any boolean|nil  the name says nothing

--- The table of names.json. Its neighbours, by who has them beside, are those of blocks whose
--- feed-forward layer has no module of its own, and what their kin put between: BART; torch; BERT,
--- RoBERTa, ELECTRA (LayerNorm of ESM, ln of Megatron's; ViT; lambda_1 and _2 of BEiT; fourier of
--- FNet, which has it in place of attention); ALBERT; Llama; "outputs": beside those of
--- attention; and "own": numbers of a test beside this project's own names.
---@class NameTable
---@field conventions Convention[]
---@field fused Convention[]  gate above up in one tensor, [2 out][in]; found by `ffngen import`
---@field schemes NameScheme[] in the order in which they are tried
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

M.conventions, M.anywhere = M.data.conventions, M.data.anywhere

--- What the numbered layers of a chain may be called in front of the number.
M.numbered = lists.map(lists.filter(M.data.schemes, function(scheme)
  return scheme.word ~= nil
end), function(scheme) return scheme.word end)

--- What stands beside the matrices of a convention, or of a scheme.
---@param named Convention|NameScheme
---@return Neighbour[]
function M.beside_of(named) return named.beside and M.data.beside[named.beside] or {} end

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
      return M.beside_of(convention)
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
      return M.beside_of(convention)
    end
  end
  return {}
end

--- The conventions that speak of a layer of such matrices. One without a down projection has the
--- names that say what they are: w1 and w2 would be anything.
---@param roles table<string, any>  gate, up, down: those that the layer has
---@return Convention[]
function M.conventions_of(roles)
  return lists.filter(M.conventions, function(convention)
    if not roles.down then return convention.plain == true end
    if roles.gate then return convention.gate ~= nil end
    return not convention.gate or convention.plain == true
  end)
end

--- The table as rows of text, for --help and the manual.
---@return string[][] gate, up, down, of
function M.rows()
  return lists.map(M.conventions, function(convention)
    return { convention.gate and convention.gate .. (convention.plain and ' or none' or '') or '',
      convention.up, convention.down, convention.of }
  end)
end

return M
