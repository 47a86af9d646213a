--- What stands around the module of a layer in a safetensors file, and what may be meant twice, for
--- `ffngen vendor --weights`: a norm in a list beside that of the matrices makes another net, a
--- norm elsewhere in a whole model does not.
local support = require 'support'
local stored = require 'stored_weights'

local assert_refused, joined, behind = stored.assert_refused, stored.joined, stored.behind
local assert_taken = stored.assert_taken
local named, store = stored.named, stored.store

TestWeightsAround = stored.tests()

local function linear(name, outputs, inputs)
  return { ('%s.weight %d %d'):format(name, outputs, inputs), ('%s.bias %d'):format(name, outputs) }
end

--- A layer of two matrices by their names, and the names of its tensors.
local function layer_of(up, down, widths)
  local texts = joined(linear(up, widths[2], widths[1]), linear(down, widths[3], widths[2]))
  return texts, { up .. '.weight', up .. '.bias', down .. '.weight', down .. '.bias' }
end

local numbered = { 'lins.0', 'lins.1' }

--- What may be between two matrices, as packages and people store it.
local between = {
  -- torch_geometric.nn.MLP, alone and in a GINConv.
  { numbered, behind('norms.0.module.', { 'weight 4', 'bias 4', 'running_mean 4',
    'running_var 4' }), 'norms' },
  { { 'convs.0.nn.lins.0', 'convs.0.nn.lins.1' }, { 'convs.0.nn.norms.0.module.weight 4' },
    'convs.0.nn.norms' },
  { numbered, { 'norms.0.module.running_mean 4' }, 'norms' },
  { { 'layers.0', 'layers.1' }, { 'norms.0.weight 4', 'norms.0.bias 4' }, 'norms' },
  { { 'hidden.0', 'hidden.1' }, { 'bns.0.weight 4' }, 'bns' },
  { { 'layers.0', 'layers.1' }, { 'activations.0.weight 4' }, 'activations' },
  -- PReLU; scales in a ParameterList.
  { { 'linears.0', 'linears.1' }, { 'acts.0.weight 1' }, 'acts' },
  { { 'layers.0', 'layers.1' }, { 'act.weight 1' }, 'act' },
  { { 'layers.0', 'layers.1' }, { 'scales.0 1' }, 'scales' },
  { { 'layers.0', 'layers.1' }, { 'layer_scale 4' }, 'layer_scale' },
  { { 'layers.0', 'layers.1' }, { 'layer_scale 1 4' }, 'layer_scale' },
  -- In front of each: as long as what the layer takes.
  { { 'layers.0', 'layers.1' }, { 'norms.0.weight 3' }, 'norms' },
  { { 'net.0', 'net.3' }, { 'bn.weight 4' }, 'bn' },
  { { 'net.fc1', 'net.fc2' }, { 'bn1.weight 4', 'bn1.bias 4' }, 'bn1' },
  { { 'mlp.fc1', 'mlp.fc2' }, { 'mlp_norm.weight 4' }, 'mlp_norm' },
  { { 'a.b.fc1', 'a.b.fc2' }, { 'a.norm.weight 4' }, 'a.norm' },
  { { 'blocks.0.fc1', 'blocks.0.fc2' }, { 'norms.0.weight 4' }, 'norms' },
  -- A way around the layer.
  { { 'net.0', 'net.2' }, { 'skip.weight 3 3', 'skip.bias 3' }, 'skip' },
}

function TestWeightsAround.test_between()
  for _, case in ipairs(between) do
    local texts, own = layer_of(case[1][1], case[1][2], { 3, 4, 3 })
    local all = joined(texts, case[2])
    local said = { ('--weights-leave %s leaves out what does not change it'):format(case[3]),
      'which the layer does not use: ', (named(case[2][1])) }
    support.write(stored.folder .. '/map', ('chain[0].weight = %s\nchain[0].bias = %s\n'
      .. 'chain[1].weight = %s\nchain[1].bias = %s'):format(table.unpack(own)))
    assert_refused('chain', all, said, '--weights-map', 'map')
    assert_taken('chain', texts, own, '--weights-map', 'map')
    for _, layer in ipairs { 'chain', 'plain' } do
      assert_refused(layer, all, said)
      assert_taken(layer, texts, own)
      assert_taken(layer, all, own, '--weights-leave', case[3])
    end
  end
end

--- What is around the layer and none of it: other parts of a model have matrices of their own.
function TestWeightsAround.test_beside()
  local attention = { 'attn.qkv.weight 9 3', 'attn.qkv.bias 9', 'attn.proj.weight 3 3' }
  for _, case in ipairs {
    { 'chain', { 'actor.0', 'actor.3' }, { 3, 4, 3 }, joined(linear('critic.0', 4, 3),
      linear('critic.3', 1, 4), { 'log_std 3', 'log_alpha 1' }) },
    { 'chain', { 'actor.0', 'actor.3' }, { 3, 4, 3 }, joined(linear('critic.0', 4, 3),
      { 'critic.1.weight 4', 'critic.1.bias 4' }, linear('critic.3', 1, 4)) },
    { 'chain', { 'actor.0', 'actor.3' }, { 3, 4, 3 }, { 'critic.weight 1 4', 'critic.bias 1' } },
    { 'chain', { 'head.0', 'head.2' }, { 3, 4, 3 }, { 'embedding.weight 9 3', 'norm.weight 3',
      'norm.running_mean 3', 'cls_token 1 1 3', 'convs.0.weight 8 1 3 3', 'bns.0.weight 8' } },
    { 'chain', { 'm.net.0', 'm.net.2' }, { 3, 4, 3 }, { 'bn.weight 4', 'm.net_steps 0' } },
    -- A norm of a transformer's block, though the layer has that width inside, too.
    { 'even', { 'blocks.1.mlp.fc1', 'blocks.1.mlp.fc2' }, { 4, 4, 4 },
      joined(behind('blocks.1.', joined(attention, { 'norm1.weight 4', 'norm2.weight 4',
        'ls2.gamma 4' })), { 'norm.weight 4', 'head.weight 4 4' }) },
    -- One that is far from it, and the last one of a vision transformer beside its head.
    { 'even', { 'bbox_embed.layers.0', 'bbox_embed.layers.1' }, { 4, 4, 4 },
      { 'class_embed.weight 5 4', 'transformer.decoder.norm.weight 4', 'query_embed.weight 9 4',
        'layernorm.weight 4' } },
    { 'even', { 'mlp_head.0', 'mlp_head.2' }, { 4, 4, 4 },
      joined(behind('blocks.0.', attention), { 'norm.weight 4', 'cls_token 1 1 4' }) },
    { 'even', { 'model.layers.1.mlp.fc1', 'model.layers.1.mlp.fc2' }, { 4, 4, 4 },
      { 'model.norm.weight 4', 'model.layers.1.self_attn.q_proj.weight 4 4',
        'model.layers.1.input_layernorm.weight 4', 'model.layers.0.input_layernorm.weight 4' } },
  } do
    local texts, own = layer_of(case[2][1], case[2][2], case[3])
    local prefix = own[1]:match '^(.*%.)[^.]+%.weight$'
    assert_taken(case[1], joined(texts, case[4]), own, '--weights-prefix', prefix)
  end
  -- Without attention, or as a BatchNorm, the same is no norm of a block.
  local texts = layer_of('m.fc1', 'm.fc2', { 4, 4, 4 })
  assert_refused('even', joined(texts, { 'norm.weight 4' }), { 'a number for each of 4 hidden' })
  assert_refused('even', joined(texts, { 'attn.qkv.weight 12 4', 'norm.weight 4',
    'norm.running_mean 4' }), { 'it has "norm.running_mean", "norm.weight"' })
end

--- A scheme's norms are those of a block: where its attention is not there, they may be anything.
function TestWeightsAround.test_no_block()
  for _, case in ipairs {
    { 'linear1', 'linear2', { 'norm1', 'norm2', 'norm3' }, 'self_attn.out_proj.weight 4 4' },
    { 'fc1', 'fc2', { 'final_layer_norm', 'self_attn_layer_norm' }, 'self_attn.k_proj.weight 4 4' },
    { 'intermediate.dense', 'output.dense', { 'LayerNorm', 'ln', 'output.LayerNorm',
      'intermediate.LayerNorm', 'lambda_1' }, 'attention.self.query.weight 4 4' },
    { 'ffn', 'ffn_output', { 'full_layer_layer_norm' }, 'attention.query.weight 4 4' },
  } do
    for _, width in ipairs { 3, 4 } do
      local layer = width == 3 and 'wide' or 'even'
      local texts, own = layer_of(case[1], case[2], { width, 4, 4 })
      for _, norm in ipairs(case[3]) do
        local name = norm == 'lambda_1' and norm or norm .. '.weight'
        local said = { ('"%s" is a norm of a block, and its attention is not here: describe the '
          .. 'layer that it is, or fold it in first'):format(name) }
        support.write(stored.folder .. '/map', ('chain[0].weight = %s\nchain[0].bias = %s\n'
          .. 'chain[1].weight = %s\nchain[1].bias = %s'):format(table.unpack(own)))
        local all = joined(texts, { name .. ' 4' })
        assert_refused(layer, all, said, '--weights-map', 'map')
        assert_taken(layer, joined(all, { case[4] }), own, '--weights-map', 'map')
        if norm ~= 'lambda_1' then
          assert_refused(layer, joined(all, { case[4], norm .. '.running_mean 4' }),
            { ('"%s.running_mean" is a BatchNorm\'s: no norm around'):format(norm) },
            '--weights-map', 'map')
        end
      end
    end
  end
end

--- GPT-2's Conv1D, and kernels of Keras: a square matrix may be either way round.
function TestWeightsAround.test_square()
  for _, name in ipairs { 'h.0.attn.c_proj', 'c_fc', 'a.c_attn', 'q_attn' } do
    local texts, own = { name .. '.weight 4 4', name .. '.bias 4' }, {}
    for i, text in ipairs(texts) do own[i] = named(text) end
    assert_refused('box', texts, { ('"%s.weight" is square: say --weights-order in-out'):format(
      name) })
    assert_taken('box', texts, own, '--weights-order', 'out-in')
    assert_refused('line', { name .. '.weight 9 9', name .. '.bias 4' }, { 'has the shape [9][9]' })
  end
  assert_taken('box', { 'fc.weight 4 4', 'fc.bias 4' }, { 'fc.weight', 'fc.bias' })
  for _, case in ipairs { { 'a.c_proj.weight', 'a.c_proj.bias' }, { 'dense/kernel', 'dense/bias' },
    { 'dense/kernel:0', 'dense/bias:0' }, { 'kernel', 'bias' } } do
    local texts = { case[1] .. ' 4 4', case[2] .. ' 4' }
    local map = ('chain[0].weight = %s%%s\nchain[0].bias = %s'):format(case[1], case[2])
    support.write(stored.folder .. '/map', map:format '')
    assert_refused('box', texts, { ('"%s" is square: does chain[0].weight in the map end in '
      .. 'transposed'):format(case[1]) }, '--weights-map', 'map')
    support.write(stored.folder .. '/map', map:format '  out-in')
    assert_taken('box', texts, case, '--weights-map', 'map')
    local taken = store(texts)[case[1]]
    support.write(stored.folder .. '/map', map:format ' transposed')
    support.assert_code(stored.run('box', 'w.safetensors', '--weights-map', 'map'), 0, case[1])
    local made = support.read(stored.folder .. '/out/ffn_weights.c')
    local turned = {}
    for o = 0, 3 do
      for i = 0, 3 do turned[#turned + 1] = taken[i * 4 + o + 1] end
    end
    for i = 1, 4 do turned[16 + i] = 200 + i end
    support.write(stored.folder .. '/w.bin', string.pack('<' .. ('f'):rep(20),
      table.unpack(turned)))
    support.assert_code(stored.run('box', 'w.bin'), 0, case[1])
    support.assert_has(support.read(stored.folder .. '/out/ffn_weights.c'), made, case[1])
    support.sh('rm -rf', stored.folder .. '/out')
  end
end

--- w1, w2 and w3 are two schemes: the shapes tell them apart, unless all are square.
function TestWeightsAround.test_roles()
  local llama = { 'm.w1.weight 4 3', 'm.w3.weight 4 3', 'm.w2.weight 3 4' }
  local eva = { 'm.w1.weight 4 3', 'm.w2.weight 4 3', 'm.w3.weight 3 4' }
  assert_taken('gated', llama, { 'm.w1.weight', 'm.w3.weight', 'm.w2.weight' })
  assert_taken('gated', eva, { 'm.w1.weight', 'm.w2.weight', 'm.w3.weight' })
  local square = { 'm.w1.weight 4 4', 'm.w2.weight 4 4', 'm.w3.weight 4 4' }
  assert_refused('square', square, { 'up.weight could be any of "m.w3.weight", "m.w2.weight", as '
    .. 'in Llama (Meta\'s files)', 'EVA-02', 'choose by --weights-map FILE' })
  support.write(stored.folder .. '/map', 'gate.weight = m.w1.weight\nup.weight = m.w2.weight\n'
    .. 'down.weight = m.w3.weight')
  assert_taken('square', square, { 'm.w1.weight', 'm.w2.weight', 'm.w3.weight' },
    '--weights-map', 'map')
  -- In the other order, and in none.
  for _, case in ipairs {
    { { 'm.w1.weight 3 4', 'm.w2.weight 4 3', 'm.w3.weight 3 4' }, '--weights-order in-out?' },
    { { 'm.w1.weight 3 4', 'm.w3.weight 4 3', 'm.w2.weight 3 4' }, '--weights-order in-out?' },
    { { 'm.w1.weight 4 3', 'm.w2.weight 5 3', 'm.w3.weight 3 5' }, 'has the shape [3][5]' },
  } do
    assert_refused('gated', case[1], { case[2] })
  end
end

--- A prefix that is too short or too long: the one that is meant is said, and what is behind it.
function TestWeightsAround.test_near_prefix()
  local mlp = { 'gate_proj.weight 4 3', 'up_proj.weight 4 3', 'down_proj.weight 3 4' }
  local texts = joined(behind('model.layers.1.mlp.', mlp), behind('model.layers.2.mlp.', mlp),
    { 'model.layers.2.norm.weight 3', 'vision.norm.weight 3' })
  for _, prefix in ipairs { 'model.layers.2', 'model.layers.2.', 'model.layers.2.mlp.gate_proj' } do
    assert_refused('gated', texts, { 'there is no tensor for gate.weight behind the prefix '
      .. '"' .. prefix
      .. '": is it --weights-prefix model.layers.2.mlp?' }, '--weights-prefix', prefix)
  end
  assert_refused('gated', texts, { 'behind the prefix "vision": it has "vision.norm.weight"; ' },
    '--weights-prefix', 'vision')
  assert_refused('gated', texts, { 'behind the prefix "mode": it has nothing there, but "model.' },
    '--weights-prefix', 'mode')
  assert_refused('gated', texts, { 'the prefix "model.layers": it has "model.layers.1.mlp.' },
    '--weights-prefix', 'model.layers')
end

--- Another file of the model may hold a norm of the layer's: its shape is not known here.
function TestWeightsAround.test_other_files()
  local path = 'model-00001-of-00002.safetensors'
  local texts = layer_of('net.0', 'net.2', { 3, 4, 3 })
  for _, case in ipairs { { 'norms.0.weight', 4 }, { 'bn.running_mean', 4 }, { 'scale', 4 },
    { 'model.norm.weight', 0 }, { 'self_attn.q_proj.weight", "norm.weight', 0 } } do
    store(texts, path)
    local entries = {}
    for name in ('"' .. case[1] .. '"'):gmatch '"[^"]+"' do
      if name ~= '", "' then
        entries[#entries + 1] = name .. ':"model-00002-of-00002.safetensors"'
      end
    end
    support.write(stored.folder .. '/model.safetensors.index.json',
      ('{"weight_map":{%s}}'):format(table.concat(entries, ',')))
    local result = stored.run('chain', path)
    support.assert_code(result, case[2], case[1])
    support.assert_has(result.err, case[2] ~= 0 and 'is in another file of the model, and may be '
      .. 'between the matrices' or '', case[1])
    support.sh('rm -rf', stored.folder .. '/out')
  end
end
