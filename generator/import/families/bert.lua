--- BERT and its kin: two matrices with biases, the norm behind the residual.
local blocks = require 'import.family_blocks'
local family = require 'import.family'

local function named(prefix)
  return { { at = { 'encoder.layer', prefix .. '.encoder.layer' },
    count = { 'num_hidden_layers' } } }
end

--- BERT's block as a class of another name has it.
local function same(model_type, class, folder, prefix, fields)
  return family.like(family.like(blocks.bert, {
    model_types = { model_type }, classes = { class }, stacks = named(prefix),
    head = { tied = true, at = 'lm_head.decoder', bias = 'lm_head.bias' },
    source = ('transformers: models/%s, %sIntermediate and %sOutput'):format(folder, class, class),
  }), fields or {})
end
local cls_head = { tied = true, at = 'cls.predictions.decoder', bias = 'cls.predictions.bias' }

local jina = {
  model_types = { 'bert' }, classes = { 'JinaBert' },
  gguf = { { 'jina-bert-v2', refused = 'it has a bias behind ffn_down and none behind ffn_up' } },
  source = 'jinaai/jina-bert-implementation: modeling_bert.py, JinaBertGLUMLP',
  activation = {
    keys = { 'feed_forward_type' }, forms = { geglu = { 'gelu', true }, reglu = { 'relu', true } },
  },
  gated = true,
  bias = { gate = false, up = false, down = true },
  names = { fused = 'mlp.gated_layers', order = 'gate first', down = 'mlp.wo' },
  around = blocks.post_norm('mlp.layernorm.weight', 'layer_norm_eps'),
  beside = { 'mlp.layernorm', 'layer_norm_1', 'layer_norm_2' },
  known = { 'hidden_act', 'attn_implementation', 'model_max_length' },
}

return {
  family.like(blocks.bert, {
    model_types = { 'bert' }, classes = { 'Bert' },
    gguf = { { 'bert', 'none', activation = 'gelu', head = false,
      own = 'hidden_act of google-research/bert and of transformers\' BertConfig is gelu' } },
    head = { tied = true, at = 'cls.predictions.decoder', bias = 'cls.predictions.bias' },
    code = 'BertIntermediate and BertOutput',
    known = { 'directionality', 'pooler_num_attention_heads', 'pooler_num_fc_layers',
      'pooler_size_per_head', 'pooler_type' },
  }),
  family.like(blocks.bert, jina),
  family.like(blocks.bert, {
    model_types = { 'roberta' }, classes = { 'Roberta' }, stacks = named 'roberta',
    head = { tied = true, at = 'lm_head.decoder', bias = 'lm_head.bias' },
    code = 'RobertaIntermediate and RobertaOutput',
  }),
  family.like(blocks.bert, {
    model_types = { 'xlm-roberta' }, classes = { 'XLMRoberta' }, stacks = named 'roberta',
    gguf = { { 'jina-bert-v3', 'halves', source = 'bert', activation = 'gelu', head = false,
      own = 'hidden_act of jinaai/xlm-roberta-flash-implementation is gelu' } },
    head = { tied = true, at = 'lm_head.decoder', bias = 'lm_head.bias' },
    source = 'transformers: models/xlm_roberta/modeling_xlm_roberta.py, XLMRobertaIntermediate',
  }),
  family.like(blocks.bert, {
    model_types = { 'camembert' }, classes = { 'Camembert' }, stacks = named 'roberta',
    head = { tied = true, at = 'lm_head.decoder', bias = 'lm_head.bias' },
    code = 'CamembertIntermediate',
  }),
  family.like(blocks.bert, {
    model_types = { 'electra' }, classes = { 'Electra' }, stacks = named 'electra',
    head = { tied = true, at = 'generator_lm_head' },
    code = 'ElectraIntermediate',
  }),
  family.like(blocks.bert, {
    model_types = { 'mpnet' }, classes = { 'MPNet' }, stacks = named 'mpnet',
    head = { tied = true, at = 'lm_head.decoder', bias = 'lm_head.bias' },
    code = 'MPNetIntermediate',
  }),
  family.like(blocks.bert, {
    model_types = { 'ernie' }, classes = { 'Ernie' }, stacks = named 'ernie',
    head = { tied = true, at = 'cls.predictions.decoder', bias = 'cls.predictions.bias' },
    code = 'ErnieIntermediate',
    known = { 'task_type_vocab_size', 'use_task_id' },
  }),
  family.like(blocks.bert, {
    model_types = { 'deberta-v2' }, classes = { 'DebertaV2' }, stacks = named 'deberta',
    source = 'transformers: models/deberta_v2/modeling_deberta_v2.py, DebertaV2Intermediate',
    known = { 'legacy', 'max_relative_positions', 'pooler_dropout', 'pooler_hidden_act',
      'pooler_hidden_size', 'pos_att_type', 'position_biased_input', 'relative_attention',
      'norm_rel_ebd', 'share_att_key', 'position_buckets', 'conv_act', 'conv_kernel_size' },
  }),
  family.like(blocks.bert, {
    model_types = { 'megatron-bert' }, classes = { 'MegatronBert' }, stacks = named 'bert',
    head = { tied = true, at = 'cls.predictions.decoder', bias = 'cls.predictions.bias' },
    source = 'transformers: models/megatron_bert/modeling_megatron_bert.py, MegatronBertLayer',
    around = blocks.norm_before('LayerNorm', 'ln.weight', 'layer_norm_eps'),
    beside = { 'ln' },
  }),
  same('longformer', 'Longformer', 'longformer/modeling_longformer.py', 'longformer', {
    known = { 'attention_window', 'attention_mode', 'ignore_attention_mask' },
  }),
  same('layoutlm', 'LayoutLM', 'layoutlm/modeling_layoutlm.py', 'layoutlm', {
    head = cls_head, known = { 'max_2d_position_embeddings', 'output_past' },
  }),
  same('roformer', 'RoFormer', 'roformer/modeling_roformer.py', 'roformer', {
    head = cls_head, known = { 'rotary_value' },
  }),
  same('data2vec-text', 'Data2VecText', 'data2vec/modeling_data2vec_text.py', 'data2vec_text'),
  -- The norm is that of the block, outside of both modules; no key tells the activation.
  same('esm', 'Esm', 'esm/modeling_esm.py', 'esm', {
    activation = { implied = 'gelu' },
    around = blocks.norm_before('LayerNorm', 'LayerNorm.weight', 'layer_norm_eps'),
    beside = { 'LayerNorm' },
    must = { { key = 'is_folding_model', is = false, default = false,
      why = 'its folding trunk has layers of its own, which no rule reads' } },
    known = { 'hidden_act', 'emb_layer_norm_before', 'token_dropout', 'esmfold_config',
      'vocab_list' },
  }),
  same('xmod', 'Xmod', 'xmod/modeling_xmod.py', 'roberta', {
    around = {
      { place = 'before', what = 'LayerNorm', tensor = 'output.LayerNorm.weight',
        text = 'eps {layer_norm_eps}', when = { key = 'pre_norm', is = true, default = false } },
      { place = 'after', what = 'residual', text = 'x + y' },
      { place = 'after', what = 'adapter', text = 'of that, the one of the token\'s language in '
        .. 'output.adapter_modules, with a residual and a norm: adapter_layer_norm is '
        .. '{adapter_layer_norm}, adapter_reuse_layer_norm is {adapter_reuse_layer_norm}, '
        .. 'ln_before_adapter is {ln_before_adapter}' },
      { place = 'after', what = 'LayerNorm', tensor = 'output.LayerNorm.weight',
        text = 'of what the adapter gives, eps {layer_norm_eps}',
        when = { key = 'pre_norm', is = false, default = false } },
    },
    beside = { 'output.adapter_modules', 'output.adapter_layer_norm' },
    known = { 'adapter_reduction_factor', 'languages', 'default_language' },
  }),
  {
    model_types = { 'distilbert' }, classes = { 'DistilBert' },
    head = { tied = true, at = 'vocab_projector' },
    code = 'FFN',
    stacks = { { at = { 'transformer.layer', 'distilbert.transformer.layer' },
      count = { 'n_layers' } } },
    d_model = { keys = { 'dim' } }, d_ff = { keys = { 'hidden_dim' } },
    activation = { keys = { 'activation' } },
    bias = true,
    names = { up = 'ffn.lin1', down = 'ffn.lin2' },
    around = {
      { place = 'after', what = 'residual', text = 'x + y' },
      { place = 'after', what = 'LayerNorm', tensor = 'output_layer_norm.weight',
        text = 'of the residual x + y, eps 1e-12' },
    },
    beside = { 'attention', 'sa_layer_norm', 'output_layer_norm' },
  },
  {
    model_types = { 'albert' }, classes = { 'Albert' },
    head = { tied = true, at = 'predictions.decoder', bias = 'predictions.bias' },
    code = 'AlbertLayer: one layer for all of num_hidden_layers',
    stacks = { { at = { 'encoder.albert_layer_groups', 'albert.encoder.albert_layer_groups' },
      count = { 'num_hidden_groups' } } },
    d_model = { keys = { 'hidden_size' } }, d_ff = { keys = { 'intermediate_size' } },
    activation = { keys = { 'hidden_act' } },
    bias = true,
    names = { up = 'albert_layers.0.ffn', down = 'albert_layers.0.ffn_output' },
    around = {
      { place = 'after', what = 'residual', text = 'x + y' },
      { place = 'after', what = 'LayerNorm',
        tensor = 'albert_layers.0.full_layer_layer_norm.weight',
        text = 'of the residual x + y, eps {layer_norm_eps}' },
      { place = 'beside', what = 'shared weights', text = 'the model runs this layer '
        .. '{num_hidden_layers} times, in {num_hidden_groups} groups' },
    },
    beside = { 'albert_layers.0.attention', 'albert_layers.0.full_layer_layer_norm' },
    must = { { key = 'inner_group_num', is = 1, default = 1,
      why = 'more layers in a group have other names' } },
    known = { 'num_hidden_layers', 'net_structure_type', 'gap_size', 'num_memory_blocks',
      'down_scale_factor' },
  },
  {
    model_types = { 'modernbert' }, classes = { 'ModernBert' },
    gguf = { { 'modern-bert', 'halves', activation = 'gelu', head = false,
      own = 'hidden_activation of transformers\' ModernBertConfig is gelu' } },
    head = { tied = true, at = 'decoder' },
    code = 'ModernBertMLP: input, gate = Wi(x).chunk(2), act(input) * gate',
    stacks = { { at = { 'layers', 'model.layers' }, count = { 'num_hidden_layers' } } },
    d_model = { keys = { 'hidden_size' } }, d_ff = { keys = { 'intermediate_size' } },
    activation = { keys = { 'hidden_activation' } },
    gated = true,
    bias = { keys = { 'mlp_bias' }, default = false },
    names = { fused = 'mlp.Wi', order = 'gate first', down = 'mlp.Wo' },
    around = blocks.norm_before('LayerNorm', 'mlp_norm.weight', 'norm_eps'),
    beside = { 'attn_norm', 'attn', 'mlp_norm' },
    -- ModernBertAttention: view(..., 3, -1, head_dim).
    attention = { fused = { { name = 'Wqkv', rows = { 'q', 'k', 'v' }, equal = true } } },
    known = { 'repad_logits_with_grad', 'reference_compile', 'local_attention',
      'gradient_checkpointing', 'layer_norm_eps' },
  },
}
