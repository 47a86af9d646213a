--- Products of a GGUF model beside its feed-forward layers: attention's, the head, any other
--- matrix. Names and shapes tell them; keys tell where rows of several matrices in one are cut.
local forms = require 'import.gguf.product_forms'
local limits = require 'common.limits'
local lists = require 'common.list'
local outputs = require 'import.gguf.product_outputs'

local M = {}

---@class GgufProducts  what is asked of a file
---@field path string
---@field values table<string, GgufValue>
---@field rule GgufRule
---@field blocks GgufBlocks
---@field counts integer[]  blocks of each stack
---@field taken table<string, boolean>  names of tensors that layers have

---@class GgufProduct  one that a file has
---@field what string      'attention', 'head', 'all': a matrix of neither
---@field at string        its name
---@field modules string[] of its matrices
---@field tensors string[] that it takes
---@field make fun(): FoundProduct
---@field is_attention boolean  a matrix of neither that attention has

-- Reasons ----------------------------------------------------------------------------------------

--- How rows of q and k lie, and what is done to them behind the product.
---@param part string
local function orders_of(o, part)
  local list, name = {}, o.rule.name
  if part ~= 'qkv' then return list end
  -- Several positions of a token, as images have them, are turned by halves.
  local rope = o.values[name .. '.rope.dimension_sections'] ~= nil and 'halves' or o.rule.rope
  if rope == 'adjacent' then
    list[1] = 'rows of q and k lie for rope of adjacent pairs, as llama.cpp stores them'
  elseif rope == 'halves' then
    list[1] = 'rows of q and k lie for rope of halves of a head'
  elseif not rope then
    list[1] = 'no rule tells which numbers of a head rope turns together'
  end
  list[#list + 1] = o.rule.q_rows or nil
  local clamp = o.values[name .. '.attention.clamp_kqv']
  if type(clamp) == 'number' and clamp > 0 then
    list[#list + 1] = ('the host keeps q, k and v from -%.9g to %.9g (%s.attention.clamp_kqv)')
      :format(clamp, clamp, name)
  end
  return list
end

---@param list FoundOutput[]
---@param texts string[]  of d_out
local function because_of(o, list, texts)
  local because = { {
    field = 'd_model', text = ('general.architecture is "%s"; %s'):format(o.rule.name,
      o.rule.source),
  } }
  for _, text in ipairs(texts) do because[#because + 1] = { field = 'd_out', text = text } end
  for _, output in ipairs(list) do
    if output.bias then
      because[#because + 1] = { field = 'bias', text = 'biases stand beside the weights' }
      break
    end
  end
  return because
end

-- What a file has --------------------------------------------------------------------------------

---@class GgufProductBlock  a block, or what lies in none
---@field prefix string
---@field number integer   in its stack
---@field count integer    blocks of its stack
---@field index integer    among the layers of the model
---@field stems table<string, GgufStem>
---@field taken table<string, boolean>  stems of products

--- Names of tensors, each once.
local function tensors_of(list)
  local names = {}
  for _, output in ipairs(list) do
    names[#names + 1] = output.weight.name
    names[#names + 1] = output.bias and output.bias.name or nil
  end
  return lists.unique(names)
end

--- A product whose matrices are there.
---@param b GgufProductBlock
local function product(o, b, what, form)
  local stems = lists.map(form.outputs, function(of) return of.stem end)
  for _, stem in ipairs(stems) do b.taken[stem] = true end
  return {
    what = what, at = b.prefix .. form.at, is_attention = false,
    modules = lists.map(lists.unique(stems), function(stem) return b.prefix .. stem end),
    tensors = tensors_of(lists.map(stems, function(stem) return b.stems[stem] end)),
    make = function()
      local list, told = outputs.of(o, b, form)
      local texts = lists.append({ told }, orders_of(o, form.part))
      return {
        part = form.part, index = b.index, at = b.prefix .. form.at, outputs = list,
        because = because_of(o, list, texts),
      }
    end,
  }
end

--- A head's matrix of several, each of which takes another x.
local function product_of_head(o, b, stem, head)
  local of, module = b.stems[stem], b.prefix .. stem
  local t, name = of.weight, ('%s.%d'):format(stem, head)
  return {
    what = 'attention', at = b.prefix .. name, modules = { module }, tensors = { t.name },
    is_attention = false,
    make = function()
      outputs.expect_alone(o, module, of)
      local list = { outputs.of_rows(o, { name = name, word = false }, module, t, nil,
        head * t.shape[2], t.shape[2]) }
      return {
        part = 'other', index = b.index, at = b.prefix .. name, outputs = list,
        because = because_of(o, list, {
          ('%s has a matrix for each of %d heads, one behind the other'):format(stem, t.shape[3]),
        }),
      }
    end,
  }
end

--- Adds the products of attention in a block.
---@param list GgufProduct[]
---@param b GgufProductBlock
local function add_attention(list, o, b)
  local parts = {}
  for _, form in ipairs(forms.attention) do
    local is_whole = (form.part == 'other' or not parts[form.part])
      and (not form.beside or b.stems[form.beside] ~= nil)
      and (not form.v_is_k or o.rule.v_is_k)
    for _, of in ipairs(form.outputs) do
      local stem = b.stems[of.stem]
      is_whole = is_whole and stem ~= nil and stem.weight ~= nil and not b.taken[of.stem]
    end
    if is_whole then
      parts[form.part] = true
      list[#list + 1] = product(o, b, 'attention', form)
    end
  end
  for _, stem in ipairs(forms.of_heads) do
    local weight = (b.stems[stem] or {}).weight
    if weight and #weight.shape == 3 then
      b.taken[stem] = true
      limits.hold(o.path, 'gguf_products', #list + weight.shape[3])
      for head = 0, weight.shape[3] - 1 do
        list[#list + 1] = product_of_head(o, b, stem, head)
      end
    end
  end
end

--- The head: the matrix of output, or the rows of the embedding.
---@param b GgufProductBlock
---@return GgufProduct|nil
local function head_of(o, b)
  local own, embedding = b.stems.output or {}, b.stems.token_embd or {}
  if own.weight then return product(o, b, 'head', forms.head) end
  if not o.rule.head or not embedding.weight then return nil end
  b.taken.output = true
  return {
    what = 'head', at = 'output', modules = { 'output' }, is_attention = false,
    tensors = { own.bias and own.bias.name or nil },
    make = function()
      local weight, bias = outputs.matrix(o, 'token_embd', {
        weight = embedding.weight, bias = own.bias,
      })
      local list = { outputs.of_rows(o, { name = 'head', word = 'head' }, 'output', weight, bias, 0,
        weight.shape[2]) }
      return {
        part = 'head', index = b.index, at = 'output', outputs = list,
        because = because_of(o, list, { 'tied: there is no output.weight, and the rows of '
          .. 'token_embd.weight are those of the head, too' }),
      }
    end,
  }
end

--- Matrices that no product above takes, in the file's order.
---@param by_prefix table<string, GgufProductBlock>
---@return GgufProduct[]
local function others_of(o, by_prefix)
  local list = {}
  for _, item in ipairs(o.blocks.host) do
    local prefix, stem = item.name:match '^([%a.]-blk%.%d+%.)(.+)%.weight$'
    if not prefix then prefix, stem = '', item.name:match '^(.+)%.weight$' end
    local b = by_prefix[prefix]
    local weight = b and stem and (b.stems[stem] or {}).weight
    local is_free = weight and not b.taken[stem] and not o.taken[item.name]
    if is_free and #weight.shape > 1 and not forms.is_table(stem) then
      list[#list + 1] = product(o, b, 'all', forms.alone('other', stem, stem))
      list[#list].is_attention = item.what == 'attention'
    end
  end
  return list
end

--- Blocks with the tensors that are the host's, and what lies in none.
---@return GgufProductBlock[]
---@return table<string, GgufProductBlock> by_prefix
local function blocks_of(o)
  local list, by_prefix, before = {}, {}, 0
  for i, stack in ipairs(o.blocks.stacks) do
    for _, block in ipairs(stack) do
      list[#list + 1] = {
        prefix = block.prefix, number = block.number, count = o.counts[i],
        index = before + block.number, stems = block.hosts, taken = {},
      }
    end
    before = before + o.counts[i]
  end
  list[#list + 1] = {
    prefix = '', number = 0, count = 1, index = before, stems = o.blocks.outside, taken = {},
  }
  for _, b in ipairs(list) do by_prefix[b.prefix] = b end
  return list, by_prefix
end

--- All products that a file has beside its feed-forward layers, in the order of its layers.
---@param o GgufProducts
---@return GgufProduct[]
function M.of(o)
  local list, all, by_prefix = {}, blocks_of(o)
  for _, b in ipairs(all) do
    if b.prefix == '' then
      list[#list + 1] = head_of(o, b)
    else
      add_attention(list, o, b)
    end
  end
  return lists.append(list, others_of(o, by_prefix))
end

return M
