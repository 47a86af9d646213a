--- What stands in a safetensors file beside the tensors of a layer: a file says what the layer
--- takes and nothing else, or `ffngen vendor --weights` names the difference. Names and shapes are
--- those that the packages write.
local support = require 'support'
local stored = require 'stored_weights'

local assert_refused, joined, behind = stored.assert_refused, stored.joined, stored.behind
local assert_taken = stored.assert_taken
local named, store, run = stored.named, stored.store, stored.run

TestWeightNeighbours = stored.tests()

local linear = { '0.weight 4 3', '0.bias 4', '2.weight 3 4', '2.bias' }
local batch_norm = {
  '1.weight 4', '1.bias 4', '1.running_mean 4', '1.running_var 4', '1.num_batches_tracked 1',
}
local own_of_linear = { '0.weight', '0.bias', '2.weight', '2.bias' }

--- torch.nn.Sequential: what stands between two of its modules is no part of the layer.
function TestWeightNeighbours.test_sequential()
  for _, layer in ipairs { 'chain', 'plain' } do
    assert_taken(layer, linear, own_of_linear)
    assert_taken(layer, joined(linear, { '1.num_batches_tracked 1' }), own_of_linear)
    assert_refused(layer, joined(linear, batch_norm), {
      'it has "1.bias", "1.running_mean", "1.running_var", "1.weight", which the layer does not '
        .. 'use: "1" stands between "0" and "2": describe the layer that it is, or fold it in '
        .. 'first, as a BatchNorm can be\n',
    })
    assert_taken(layer, joined(linear, batch_norm), own_of_linear, '--weights-leave', '1')
    -- BatchNorm1d(affine = False), PReLU, LayerNorm behind the last, Conv1d, a Linear too many.
    for _, case in ipairs {
      { '1.running_mean 4', '"1" stands between "0" and "2"' },
      { '1.weight 1', '"1" stands between "0" and "2"' },
      { '3.weight 3', '"3" stands behind "2"' },
      { '1.weight 4 4 1', '"1" stands between "0" and "2"' },
      { '3.weight 3 3', '"3" stands behind "2"' },
      { 'scale 1', 'nothing is known of "scale"' },
      { 'bn.weight 4', '"bn.weight" has a number for each of 4 hidden ones' },
    } do
      assert_refused(layer, joined(linear, { case[1] }), { case[2] })
      for _, prefix in ipairs { 'net.', 'head.mlp.' } do
        local texts = behind(prefix, joined(linear, { case[1] }))
        assert_refused(layer, joined(texts, { 'embedding.weight 9 3' }),
          { 'it has "' .. prefix .. named(case[1]) .. '", which the layer does not use' })
      end
    end
    -- A norm in front has the number 0.
    local behind_norm = { '0.weight 3', '0.bias 3', '1.weight 4 3', '1.bias 4', '3.weight 3 4',
      '3.bias 3' }
    assert_refused(layer, behind_norm, { 'it has "0.bias", "0.weight"', '"0" stands before "1"' })
    assert_taken(layer, behind_norm, { '1.weight', '1.bias', '3.weight', '3.bias' },
      '--weights-leave', '0')
  end
  -- A chain with names and norms.
  local named_chain = { 'fc1.weight 4 3', 'fc2.weight 4 4', 'fc3.weight 3 4' }
  assert_taken('deep', named_chain, { 'fc1.weight', 'fc2.weight', 'fc3.weight' })
  for _, more in ipairs { 'bn1.weight 4', 'fc2.bias 4', 'fc4.weight 3 3', 'norm.weight' } do
    assert_refused('deep', joined(named_chain, { more }), { ('it has "%s"'):format(named(more)) })
  end
  -- Numbers of the layer that are left out make room for others.
  assert_taken('deep', { '0.weight 4 3', '1.weight 4 4', '2.weight 4 4', '3.weight 3 4' },
    { '0.weight', '2.weight', '3.weight' }, '--weights-leave', '1')
end

--- BitNet: an RMSNorm between the matrices, and a scale beside each.
function TestWeightNeighbours.test_bitnet()
  local mlp = { 'gate_proj.weight 4 3', 'up_proj.weight 4 3', 'down_proj.weight 3 4' }
  assert_refused('gated', behind('model.layers.0.mlp.', joined(mlp, { 'ffn_sub_norm.weight 4' })), {
    'it has "model.layers.0.mlp.ffn_sub_norm.weight", which the layer does not use: BitNet '
      .. 'has a norm of this name between up and down',
  })
  assert_refused('gated', joined(mlp, { 'gate_proj.weight_scale 1', 'up_proj.weight_scale 1',
    'down_proj.weight_scale 1' }), { 'it has "down_proj.weight_scale", "gate_proj.weight_scale"',
    'down is a quantised weight: store the values that it means as F32' })
end

--- A bias, a gate or a parameter of which the spec says nothing.
function TestWeightNeighbours.test_not_in_the_spec()
  local up_down = { 'up_proj.weight 4 3', 'down_proj.weight 3 4' }
  for _, prefix in ipairs { '', 'model.layers.0.mlp.' } do
    local own = behind(prefix, up_down)
    for _, case in ipairs {
      { prefix .. 'up_proj.bias 4', 'up has a bias here, and the spec says bias = false' },
      { prefix .. 'down_proj.bias', 'down has a bias here, and the spec says bias = false' },
      { prefix .. 'gate_proj.weight 4 3', 'the layer has no gate' },
      { prefix .. 'gate_proj.qweight 4 3', 'the layer has no gate' },
      { prefix .. 'beta 1', 'beta' }, { prefix .. 'act_fn.beta 1', 'map or rename them' },
      { 'beta 1', 'beta' },
    } do
      assert_refused('swish', joined(own, { case[1] }), {
        ('it has "%s", which the layer does not use'):format(named(case[1])), case[2],
      })
    end
    assert_taken('swish', own, { prefix .. 'up_proj.weight', prefix .. 'down_proj.weight' })
    assert_taken('swish', joined(own, { prefix .. 'up_proj.bias 4' }),
      { prefix .. 'up_proj.weight', prefix .. 'down_proj.weight' },
      '--weights-leave', prefix .. 'up_proj.bias')
  end
  assert_refused('swish', joined(behind('mlp.', up_down), { 'beta 1' }), { 'the spec fixes beta' })
  assert_refused('own', { 'gate_proj.weight 3 3', 'up_proj.weight 3 3' }, { '"up_proj.weight"' })
  assert_refused('bare', { 'w1.weight 4 3', 'w2.weight 3 4', 'w3.weight 4 3' },
    { 'it has "w3.weight"', 'the layer has no gate' })
  assert_refused('bare', { 'w_up 4 3', 'w_down 3 4', 'w_gate 4 3' }, { 'it has "w_gate"' })
  assert_refused('bare', { 'w_up 4 3', 'w_down 3 4', 'b_up 4' }, { 'it has "b_up"' })
  assert_taken('bare', { 'w_up 4 3', 'w_down 3 4', 'x 5 3', 'y 5 3', 'd_w_up 4 3', 'dy 5 3' },
    { 'w_up', 'w_down' })
  assert_refused('bare', { 'w_up 4 3', 'w_down 3 4', 'd_norm 4' }, { 'it has "d_norm"' })
  -- Apertus has the numbers of its activation in a module of their own.
  local apertus = behind('mlp.', joined(up_down, { 'act_fn.alpha_p 1', 'act_fn.alpha_n 1' }))
  assert_refused('xielu', apertus, { 'there is no tensor for alpha_p: "mlp.alpha_p" is missing' })
  support.write(stored.folder .. '/map', 'up.weight = mlp.up_proj.weight\n'
    .. 'down.weight = mlp.down_proj.weight\nalpha_p = mlp.act_fn.alpha_p\n'
    .. 'alpha_n = mlp.act_fn.alpha_n')
  assert_taken('xielu', apertus, { 'mlp.up_proj.weight', 'mlp.down_proj.weight',
    'mlp.act_fn.alpha_p', 'mlp.act_fn.alpha_n' }, '--weights-map', 'map')
end

--- A single matrix has any name: without a prefix it is all that the file has.
function TestWeightNeighbours.test_single_matrix()
  local fc = { 'fc.weight 4 3', 'fc.bias 4' }
  assert_taken('line', fc, { 'fc.weight', 'fc.bias' })
  local more = joined(fc, { 'bn.running_mean 4', 'bn.running_var 4' })
  assert_refused('line', more, { 'it has "bn.running_mean", "bn.running_var", which the layer '
    .. 'does not use: it is not in "fc"; is it another layer? --weights-leave bn leaves out what '
    .. 'does not change it; --weights-prefix fc, where it is all of the layer' })
  assert_taken('line', more, { 'fc.weight', 'fc.bias' }, '--weights-leave', 'bn')
  assert_taken('line', more, { 'fc.weight', 'fc.bias' }, '--weights-prefix', 'fc')
  -- A row of numbers is no matrix to choose.
  assert_refused('line', joined(fc, { 'bn.weight 4' }), { 'it has "bn.weight", which the layer '
    .. 'does not use: it is not in "fc"' })
  assert_refused('line', { 'weight 4 3', 'bias 4', 'a.weight 4 3' },
    { "choose by --weights-prefix" })
  assert_taken('line', joined(fc, { 'bn.weight 4' }), { 'fc.weight', 'fc.bias' },
    '--weights-leave', 'bn')
end

--- --weights-leave takes names of the file that are none of the layer's.
function TestWeightNeighbours.test_leave()
  local texts = joined(linear, batch_norm, { 'note 1' })
  for _, case in ipairs {
    { '1,not', '--weights-leave: w.safetensors has no "not", neither as a tensor nor as a module' },
    { '1,1.weigh', 'has no "1.weigh"' }, { '1,1.', 'has no "1."' },
    { '1,0', '--weights-leave: "0" is the layer\'s own: "0.weight" in it is chain[0].weight' },
    { '1,0.bias', '--weights-leave: "0.bias" is the layer\'s own: chain[0].bias' },
    { '1,2.weight', '--weights-leave: "2.weight" is the layer\'s own: chain[1].weight' },
    { '1', 'it has "note", which the layer does not use' },
    { '1.weight,note', 'it has "1.bias", "1.running_mean", "1.running_var", which' },
  } do
    assert_refused('chain', texts, { case[2] }, '--weights-leave', case[1])
  end
  assert_taken('chain', texts, own_of_linear, '--weights-leave', '1,note')
  -- As the folder's README tells it.
  store(texts)
  support.assert_code(run('chain', 'w.safetensors', '--weights-leave', '1,note'), 0, 'leave')
  local page = support.read(stored.folder .. '/out/README.md')
  support.assert_has(page, '--weights-leave 1,note', 'README')
end

