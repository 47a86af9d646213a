--- Files of whole models, as the packages store them, for `ffngen vendor --weights`: a layer in
--- them is found as it is, and is refused where its module has more.
local unit = require 'luaunit'
local support = require 'support'
local stored = require 'stored_weights'

local assert_refused, joined, behind = stored.assert_refused, stored.joined, stored.behind
local named, store, run = stored.named, stored.store, stored.run

TestWeightModels = stored.tests()

--- Whole blocks as each package stores them: the names of the layer's tensors, and all others.
local blocks = {
  {
    of = 'BertLayer', layer = 'plain', prefix = 'bert.encoder.layer.1.', own = {
      'intermediate.dense.weight 4 3', 'intermediate.dense.bias 4', 'output.dense.weight 3 4',
      'output.dense.bias 3',
    },
    beside = {
      'attention.self.query.weight 3 3', 'attention.self.query.bias 3',
      'attention.self.key.weight 3 3', 'attention.self.key.bias 3',
      'attention.self.value.weight 3 3', 'attention.self.value.bias 3',
      'attention.output.dense.weight 3 3', 'attention.output.dense.bias 3',
      'attention.output.LayerNorm.weight 3', 'attention.output.LayerNorm.bias 3',
      'output.LayerNorm.weight 3', 'output.LayerNorm.bias 3',
    },
    elsewhere = {
      'bert.embeddings.word_embeddings.weight 9 3', 'bert.embeddings.LayerNorm.weight',
      'bert.embeddings.position_ids 1 8', 'bert.pooler.dense.weight 3 3', 'bert.pooler.dense.bias',
      'cls.predictions.bias 9', 'cls.predictions.transform.dense.weight 3 3',
    },
  },
  {
    of = 'ViTLayer', layer = 'plain', prefix = 'vit.encoder.layer.1.', own = {
      'intermediate.dense.weight 4 3', 'intermediate.dense.bias 4', 'output.dense.weight 3 4',
      'output.dense.bias 3',
    },
    beside = {
      'attention.attention.query.weight 3 3', 'attention.attention.query.bias',
      'attention.output.dense.weight 3 3', 'attention.output.dense.bias',
      'layernorm_before.weight', 'layernorm_before.bias', 'layernorm_after.weight',
      'layernorm_after.bias',
    },
    elsewhere = {
      'vit.embeddings.cls_token 1 1 3', 'vit.layernorm.weight', 'classifier.weight 2 3',
    },
  },
  {
    of = 'GPT2Block', layer = 'plain', prefix = 'h.1.', is_in_out = true, own = {
      'mlp.c_fc.weight 3 4', 'mlp.c_fc.bias 4', 'mlp.c_proj.weight 4 3', 'mlp.c_proj.bias 3',
    },
    beside = {
      'ln_1.weight', 'ln_1.bias', 'attn.bias 1 1 8 8', 'attn.masked_bias 1',
      'attn.c_attn.weight 3 9', 'attn.c_attn.bias 9', 'attn.c_proj.weight 3 3', 'attn.c_proj.bias',
      'ln_2.weight', 'ln_2.bias',
    },
    elsewhere = { 'wte.weight 9 3', 'wpe.weight 8 3', 'ln_f.weight', 'ln_f.bias' },
  },
  {
    of = 'LlamaDecoderLayer', layer = 'gated', prefix = 'model.layers.1.', own = {
      'mlp.gate_proj.weight 4 3', 'mlp.up_proj.weight 4 3', 'mlp.down_proj.weight 3 4',
    },
    beside = {
      'input_layernorm.weight', 'self_attn.q_proj.weight 3 3', 'self_attn.k_proj.weight 3 3',
      'self_attn.v_proj.weight 3 3', 'self_attn.o_proj.weight 3 3',
      'self_attn.rotary_emb.inv_freq 2', 'post_attention_layernorm.weight',
    },
    elsewhere = { 'model.embed_tokens.weight 9 3', 'model.norm.weight', 'lm_head.weight 9 3' },
  },
  {
    of = 'PhiDecoderLayer', layer = 'plain', prefix = 'model.layers.1.', own = {
      'mlp.fc1.weight 4 3', 'mlp.fc1.bias 4', 'mlp.fc2.weight 3 4', 'mlp.fc2.bias 3',
    },
    beside = {
      'input_layernorm.weight', 'input_layernorm.bias', 'self_attn.q_proj.weight 3 3',
      'self_attn.q_proj.bias', 'self_attn.dense.weight 3 3', 'self_attn.dense.bias',
    },
    elsewhere = {
      'model.embed_tokens.weight 9 3', 'model.final_layernorm.weight', 'lm_head.weight 9 3',
      'lm_head.bias 9',
    },
  },
  {
    of = 'T5Block', layer = 'bare', prefix = 'encoder.block.1.', own = {
      'layer.1.DenseReluDense.wi.weight 4 3', 'layer.1.DenseReluDense.wo.weight 3 4',
    },
    beside = {
      'layer.0.SelfAttention.q.weight 3 3', 'layer.0.SelfAttention.o.weight 3 3',
      'layer.0.layer_norm.weight', 'layer.1.layer_norm.weight',
    },
    elsewhere = {
      'shared.weight 9 3', 'encoder.final_layer_norm.weight',
      'encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight 8 1',
    },
  },
  {
    of = 'OPTDecoderLayer', layer = 'plain', prefix = 'model.decoder.layers.1.', own = {
      'fc1.weight 4 3', 'fc1.bias 4', 'fc2.weight 3 4', 'fc2.bias 3',
    },
    beside = {
      'self_attn.k_proj.weight 3 3', 'self_attn.k_proj.bias', 'self_attn.out_proj.weight 3 3',
      'self_attn.out_proj.bias', 'self_attn_layer_norm.weight', 'self_attn_layer_norm.bias',
      'final_layer_norm.weight', 'final_layer_norm.bias',
    },
    elsewhere = { 'model.decoder.embed_tokens.weight 9 3', 'lm_head.weight 9 3' },
  },
  {
    of = 'AlbertLayer', layer = 'plain', prefix = 'albert.albert_layers.1.', own = {
      'ffn.weight 4 3', 'ffn.bias 4', 'ffn_output.weight 3 4', 'ffn_output.bias 3',
    },
    beside = {
      'full_layer_layer_norm.weight', 'full_layer_layer_norm.bias', 'attention.query.weight 3 3',
      'attention.query.bias', 'attention.dense.weight 3 3', 'attention.dense.bias',
      'attention.LayerNorm.weight', 'attention.LayerNorm.bias',
    },
    elsewhere = { 'albert.embeddings.word_embeddings.weight 9 3', 'albert.pooler.weight 3 3' },
  },
  {
    of = 'FNetLayer', layer = 'plain', prefix = 'fnet.encoder.layer.1.', own = {
      'intermediate.dense.weight 4 3', 'intermediate.dense.bias 4', 'output.dense.weight 3 4',
      'output.dense.bias 3',
    },
    beside = {
      'fourier.output.LayerNorm.weight', 'fourier.output.LayerNorm.bias',
      'output.LayerNorm.weight', 'output.LayerNorm.bias',
    },
    elsewhere = { 'fnet.embeddings.word_embeddings.weight 9 3', 'fnet.pooler.dense.weight 3 3' },
  },
  {
    of = 'torch.nn.TransformerDecoderLayer', layer = 'plain', prefix = 'layers.1.', own = {
      'linear1.weight 4 3', 'linear1.bias 4', 'linear2.weight 3 4', 'linear2.bias 3',
    },
    beside = {
      'self_attn.in_proj_weight 9 3', 'self_attn.in_proj_bias 9', 'self_attn.out_proj.weight 3 3',
      'self_attn.out_proj.bias', 'multihead_attn.in_proj_weight 9 3',
      'multihead_attn.in_proj_bias 9', 'multihead_attn.out_proj.weight 3 3',
      'multihead_attn.out_proj.bias', 'norm1.weight', 'norm1.bias', 'norm2.weight', 'norm2.bias',
      'norm3.weight', 'norm3.bias',
    },
    elsewhere = { 'norm.weight', 'norm.bias' },
  },
}

--- The prefix of --weights-prefix: what the layer's tensors share.
local function prefix_of(block)
  local own = block.own[1]:match '^%S+'
  local inside = own:match '^(.*%.)[%w_]+%.weight$' or ''
  return block.prefix .. (own:find 'dense' and '' or inside)
end

--- The names of [in][out] matrices as a layer has them, for the numbers of a bare file.
local function transposed(block, numbers)
  for _, text in ipairs(behind(block.prefix, block.own)) do
    local key, shape = named(text)
    if #shape == 2 then
      local list = {}
      for i = 1, shape[1] do
        for o = 1, shape[2] do
          list[(o - 1) * shape[1] + i] = numbers[key][(i - 1) * shape[2] + o]
        end
      end
      numbers[key] = list
    end
  end
end

--- Files of whole models, of two blocks, and of one block alone: the layer is found, as it is, and
--- attention and the norms around it are nobody's concern.
function TestWeightModels.test_models()
  for _, block in ipairs(blocks) do
    local other = block.prefix:gsub('1', '0', 1)
    local all = joined(block.own, block.beside)
    local whole = joined(behind(other, all), behind(block.prefix, all), block.elsewhere)
    local function numbers_of(texts, prefix)
      local numbers, list = store(texts), {}
      if block.is_in_out then
        transposed({ prefix = prefix, own = block.own }, numbers)
      end
      for _, text in ipairs(behind(prefix, block.own)) do
        for _, number in ipairs(numbers[(named(text))]) do list[#list + 1] = number end
      end
      return string.pack('<' .. ('f'):rep(#list), table.unpack(list))
    end
    for _, case in ipairs {
      { whole, block.prefix, '--weights-prefix', prefix_of(block) }, { all, '' },
    } do
      local bare = numbers_of(case[1], case[2])
      support.assert_code(run(block.layer, 'w.safetensors', table.unpack(case, 3)), 0, block.of)
      local taken = support.read(stored.folder .. '/out/ffn_weights.c')
      support.write(stored.folder .. '/w.bin', bare)
      support.assert_code(run(block.layer, 'w.bin'), 0, block.of)
      unit.assertEquals(taken, support.read(stored.folder .. '/out/ffn_weights.c'), block.of)
      support.sh('rm -rf', stored.folder .. '/out')
    end
    assert_refused(block.layer, whole, { 'could be any of' })
  end
end

--- The same files with one tensor more in the module of the layer, or in that of a matrix.
function TestWeightModels.test_more_than_a_model()
  for _, block in ipairs(blocks) do
    local prefix, all = prefix_of(block), behind(block.prefix, joined(block.own, block.beside))
    local module = block.prefix .. block.own[1]:match '^(%S+)%.weight'
    for _, case in ipairs {
      { prefix .. 'ffn_layernorm.weight 4', nil, 'fold it in first' },
      { prefix .. 'act.weight 1', prefix .. 'act' },
      { prefix .. 'alpha 1', prefix .. 'alpha' },
      { module .. '.weight_scale 1', nil, 'is a quantised weight' },
      { module .. '.lora_A.default.weight 2 3', nil, 'merge_and_unload()' },
      { module .. '.smooth 3', module .. '.smooth', 'it stands in the module of up' },
    } do
      local key = named(case[1])
      local said = { 'w.safetensors: it has "' .. key .. '", which the layer does not use: ',
        case[2] and '--weights-leave ' .. case[2] .. ' leaves out' or '', case[3] }
      if block.layer == 'gated' then said[3] = said[3] and said[3]:gsub('of up', 'of gate') end
      local text = assert_refused(block.layer, joined(all, { case[1] }), said, '--weights-prefix',
        prefix)
      -- What is computed between the matrices is not left out by the way.
      if not case[2] then support.assert_lacks(text, '--weights-leave', block.of) end
    end
    -- In another block it is not the layer's.
    store(joined(all, { (block.prefix:gsub('1', '0', 1)) .. 'ffn_layernorm.weight 4' }))
    support.assert_code(run(block.layer, 'w.safetensors', '--weights-prefix', prefix), 0, block.of)
    support.sh('rm -rf', stored.folder .. '/out')
  end
end

--- The layer as a chain, whose modules are numbered, and by a map: the same is beside it.
function TestWeightModels.test_other_ways()
  for _, block in ipairs(blocks) do
    local own, all = block.own, joined(block.own, block.beside)
    local name = (named(own[1]))
    store(all)
    if name == 'fc1.weight' or name == 'linear1.weight' then
      support.assert_code(run('chain', 'w.safetensors'), 0, block.of)
      support.sh('rm -rf', stored.folder .. '/out')
    end
    local parts = block.layer == 'gated' and { 'gate.weight', 'up.weight', 'down.weight' }
      or block.layer == 'bare' and { 'up.weight', 'down.weight' }
      or { 'up.weight', 'up.bias', 'down.weight', 'down.bias' }
    local lines = {}
    for i, part in ipairs(parts) do
      lines[i] = ('%s = %s%s'):format(part, (named(own[i])),
        block.is_in_out and part:find 'weight' and ' transposed' or '')
    end
    support.write(stored.folder .. '/map', table.concat(lines, '\n'))
    support.assert_code(run(block.layer, 'w.safetensors', '--weights-map', 'map'), 0, block.of)
    support.sh('rm -rf', stored.folder .. '/out')
    local module = name:match '^(.*%.)[%w_]+%.weight$' or ''
    if name:find 'dense%.' then module = '' end
    assert_refused(block.layer, joined(all, { module .. 'sub_norm.weight 4' }),
      { ('it has "%ssub_norm.weight"'):format(module) }, '--weights-map', 'map')
  end
end

--- A norm around the layer is as long as what goes in or comes out; else it is another one.
function TestWeightModels.test_norms_around()
  for _, case in ipairs {
    { blocks[1], 'output.LayerNorm.weight' }, { blocks[2], 'layernorm_after.weight' },
    { blocks[7], 'final_layer_norm.weight' }, { blocks[10], 'norm2.weight' },
    { blocks[8], 'full_layer_layer_norm.weight' },
  } do
    local block, name = case[1], case[2]
    local texts = {}
    for i, text in ipairs(joined(block.own, block.beside)) do
      texts[i] = named(text) == name and name .. ' 4' or text
    end
    assert_refused(block.layer, texts, { ('it has "%s", which the layer does not use: "%s" is '
      .. '[4], and the layer takes 3 and gives 3: no norm around it'):format(name, name) })
  end
end

