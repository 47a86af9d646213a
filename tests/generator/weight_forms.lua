--- Weights that are more than a plain matrix, maps, and models in several files, for `ffngen vendor
--- --weights`: what is not plain is named as what it is.
local json = require 'dkjson'
local support = require 'support'
local stored = require 'stored_weights'

local assert_refused, joined, behind = stored.assert_refused, stored.joined, stored.behind
local assert_taken = stored.assert_taken
local named, store, run = stored.named, stored.store, stored.run

TestWeightForms = stored.tests()

--- A weight that is made of others when the model runs is named as what it is.
function TestWeightForms.test_forms()
  local fold, old = 'torch.nn.utils.parametrize.remove_parametrizations(module, "weight")',
    'fold it in first: torch.nn.utils.'
  for _, case in ipairs {
    { { 'parametrizations.weight.original0 4 1', 'parametrizations.weight.original1 4 3' },
      'parametrizations.weight.original0', fold },
    { { 'parametrizations.weight.original 4 3', 'parametrizations.weight.0._u 4' },
      'parametrizations.weight.original', fold },
    { { 'weight_g 4 1', 'weight_v 4 3' }, 'weight_g', old .. 'remove_weight_norm(module)' },
    { { 'weight_orig 4 3', 'weight_u 4', 'weight_v 3' }, 'weight_orig',
      old .. 'remove_spectral_norm(module)' },
    { { 'weight_orig 4 3', 'weight_mask 4 3' }, 'weight_orig', old .. 'prune.remove(module, ' },
    { { 'base_layer.weight 4 3', 'lora_A.default.weight 2 3', 'lora_B.default.weight 4 2' },
      'base_layer.weight', "merge it first: peft's merge_and_unload()" },
    { { 'lora_A.weight 2 3', 'lora_B.weight 4 2' }, 'lora_A.weight', 'merge_and_unload()' },
    { { 'qweight 1 4', 'qzeros 1 1', 'scales 1 4', 'g_idx 3' }, 'qweight', 'model.dequantize()' },
    { { 'weight_packed 4 1', 'weight_scale 4 1', 'weight_shape 2' }, 'weight_packed',
      'model.dequantize()' },
    { { 'weight._data 4 3', 'weight._scale 4 1' }, 'weight._data', 'model.dequantize()' },
    { { 'weight._data._data 4 2', 'weight._scale 4 1' }, 'weight._data._data', 'dequantize()' },
    { { 'scale', 'zero_point', '_packed_params._packed_params 4 3' },
      '_packed_params._packed_params', 'model.dequantize()' },
  } do
    local bias = case[2]:find 'base_layer' and 'base_layer.bias 4' or 'bias 4'
    for _, at in ipairs {
      { 'chain', '0.', { '2.weight 3 4', '2.bias' }, 'chain[0].weight' },
      { 'plain', 'mlp.fc1.', { 'mlp.fc2.weight 3 4', 'mlp.fc2.bias' }, 'up.weight' },
      { 'line', 'fc.', {}, 'chain[0].weight' },
    } do
      local texts = joined(behind(at[2], joined(case[1], { bias })), at[3])
      assert_refused(at[1], texts, { ('w.safetensors: "%s" is not a plain tensor for %s, but a '
        .. 'part of ')
        :format(at[2] .. case[2], at[4]), case[3] })
    end
  end
  -- An adapter of one matrix alone, the other being elsewhere.
  assert_refused('plain', { 'm.fc1.lora_A.weight 2 3', 'm.fc1.lora_B.weight 4 2' },
    { '"m.fc1.lora_A.weight" is not a plain tensor for up.weight' })
  -- Beside a whole weight: bitsandbytes, FP8, loralib, torch's own rounding in training.
  for _, name in ipairs {
    'weight.absmax 4', 'weight.quant_state.bitsandbytes__nf4 9', 'SCB 4', 'weight_scale_inv 1 1',
    'input_scale 1', 'scales 4', 'biases 4', 'lora_A 2 3', 'lora_a.weight 2 3',
    'weight_fake_quant.scale 1', 'activation_post_process.min_val 1', 'weight_zero_point 4',
    'lora_magnitude_vector.default.weight 4',
  } do
    for _, at in ipairs {
      { 'bare', 'mlp.fc1.', { 'mlp.fc2.weight 3 4' } }, { 'line', 'fc.', { 'fc.bias 4' } },
    } do
      local own = joined({ at[2] .. 'weight 4 3' }, at[3])
      assert_refused(at[1], joined(own, { at[2] .. name }), {
        ('it has "%s", which the layer does not use: '):format(at[2] .. named(name)),
        at[1] == 'line' and 'chain[0] is a' or 'up is a',
      })
    end
  end
  -- What is inside of an adapter is not taken for the whole.
  local adapted = { 'fc.base_layer.weight 4 3', 'fc.base_layer.bias 4',
    'fc.lora_A.default.weight 2 3', 'fc.lora_B.default.weight 4 2' }
  for _, prefix in ipairs { 'fc.base_layer', 'fc.base_layer.', 'fc' } do
    assert_refused('line', adapted, { 'is not a plain tensor for chain[0].weight, but a part of an '
      .. 'adapter such as LoRA: merge it first' }, '--weights-prefix', prefix)
  end
  support.write(stored.folder .. '/map',
    'chain[0].weight = fc.base_layer.weight\nchain[0].bias = fc.base_layer.bias')
  local said = assert_refused('line', adapted, { 'it has "fc.lora_A.default.weight", '
    .. '"fc.lora_B.default.weight"', "merge it first: peft's merge_and_unload()" },
    '--weights-map', 'map')
  support.assert_lacks(said, '--weights-leave', 'what makes another net is not offered')
  assert_taken('line', adapted, { 'fc.base_layer.weight', 'fc.base_layer.bias' },
    '--weights-map', 'map', '--weights-leave', 'fc.lora_A,fc.lora_B')
end

--- A map names what the layer takes; the rest of what its modules share is judged like any other.
function TestWeightForms.test_map()
  -- Keras 3 calls variables by their paths; a Dense holds [in][out].
  local dense = { 'sequential/dense/kernel 3 4', 'sequential/dense/bias 4',
    'sequential/dense_1/kernel 4 3', 'sequential/dense_1/bias' }
  support.write(stored.folder .. '/map', [[
chain[0].weight = sequential/dense/kernel transposed
chain[0].bias = sequential/dense/bias
chain[1].weight = sequential/dense_1/kernel transposed
chain[1].bias = sequential/dense_1/bias]])
  store(joined(dense, { 'optimizer/iteration 1' }))
  support.assert_code(run('chain', 'w.safetensors', '--weights-map', 'map'), 0, 'Keras')
  support.sh('rm -rf', stored.folder .. '/out')
  local norm = behind('sequential/batch_normalization/', { 'gamma 4', 'beta 4', 'moving_mean 4',
    'moving_variance 4' })
  assert_refused('chain', joined(dense, norm), { 'it has "sequential/batch_normalization/beta"',
    '"sequential/batch_normalization/beta" has a number for each of 4 hidden ones: describe the '
    .. 'layer that it is, or fold it in first' }, '--weights-map', 'map')
  assert_refused('chain', joined(dense, { 'sequential/dense/lora_kernel_a 3 2' }),
    { 'it stands in the module of chain[0]' }, '--weights-map', 'map')
  store(joined(dense, norm))
  support.assert_code(run('chain', 'w.safetensors', '--weights-map', 'map', '--weights-leave',
    'sequential/batch_normalization'), 0, 'left out')
  support.sh('rm -rf', stored.folder .. '/out')
  assert_refused('chain', dense, { '"sequential/dense/bias" is the layer\'s own: chain[0].bias' },
    '--weights-map', 'map', '--weights-leave', 'sequential/dense/bias')
end

--- A model in several files: what the others hold is told by its index.
function TestWeightForms.test_shards()
  local texts = { 'mlp.gate_proj.weight 4 3', 'mlp.up_proj.weight 4 3', 'mlp.down_proj.weight 3 4' }
  local path = 'model-00001-of-00002.safetensors'
  store(texts, path)
  local result = run('gated', path)
  support.assert_code(result, 4, 'no index')
  support.assert_has(result.err, path .. ': it is one of several files of a model, and the index '
    .. 'of all files, model.safetensors.index.json, cannot be read: No such file or directory; '
    .. 'put the index there, or store the layer in a file of its own', 'no index')
  local map = { ['model.norm.weight'] = 'model-00002-of-00002.safetensors' }
  for _, text in ipairs(texts) do map[(named(text))] = path end
  local index = stored.folder .. '/model.safetensors.index.json'
  support.write(index, json.encode { metadata = { total_size = 144 }, weight_map = map })
  support.assert_code(run('gated', path), 0, 'a shard')
  support.sh('rm -rf', stored.folder .. '/out')
  map['mlp.ffn_sub_norm.weight'] = 'model-00002-of-00002.safetensors'
  support.write(index, json.encode { metadata = { total_size = 144 }, weight_map = map })
  result = run('gated', path)
  support.assert_code(result, 4, 'a norm in another shard')
  support.assert_has(result.err, 'it has "mlp.ffn_sub_norm.weight", which the layer does not use: '
    .. 'BitNet has a norm of this name between up and down', 'a norm in another shard')
  support.assert_code(run('gated', path, '--weights-leave', 'mlp.ffn_sub_norm'), 0, 'left out')
  support.write(index, '{}')
  result = run('gated', path)
  support.assert_code(result, 4, 'no map')
  support.assert_has(result.err, 'model.safetensors.index.json: not an index of tensors', 'no map')
  -- A layer that lies in both.
  map['mlp.down_proj.weight'] = 'model-00002-of-00002.safetensors'
  map['mlp.ffn_sub_norm.weight'] = nil
  support.write(index, json.encode { weight_map = map })
  store({ texts[1], texts[2] }, path)
  result = run('gated', path)
  support.assert_code(result, 4, 'in two files')
  support.assert_has(result.err, 'there is no tensor for down.weight: "mlp.down_proj.weight" is '
    .. 'in another file of the model; store the layer in one file', 'in two files')
  store(texts, 'model-00001-of-00001.safetensors')
  support.assert_code(run('gated', 'model-00001-of-00001.safetensors'), 0, 'the only one')
end

--- What a file tells of itself is texts, and changes no number.
function TestWeightForms.test_metadata()
  for text, code in pairs {
    ['{"format":"pt"}'] = 0, ['{}'] = 0, ['{"a":1}'] = 4, ['"pt"'] = 4, ['1'] = 4,
    ['{"a":{"b":"c"}}'] = 4, ['["a"]'] = 4,
  } do
    local header = ('{"__metadata__":%s,"weight":{"dtype":"F32","shape":[4,3],"data_offsets":[0,48]'
      .. '},"bias":{"dtype":"F32","shape":[4],"data_offsets":[48,64]}}'):format(text)
    support.write(stored.folder .. '/w.safetensors', string.pack('<s8', header) .. ('\0'):rep(64))
    local result = run('line', 'w.safetensors')
    support.assert_code(result, code, text)
    support.assert_has(result.err, code ~= 0 and '"__metadata__" must be an object of '
      .. 'texts' or '', text)
  end
end
