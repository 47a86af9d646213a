--- Keys of a config.json that no feed-forward layer depends on, whatever the family: what they are
--- about is attention, positions, tokens, other parts of a model, training, or the program that
--- wrote them. A key that is neither here, nor among those of a family, nor read by its rule, is
--- refused: it may change the layer.
local lists = require 'common.list'

local M = {}

local known = {
  about = [[ _from_model_config attn_implementation is_llama_config transformers.js_config
    for_llm_compressor pruned_heads onnx_safe tie_weights_
    _name_or_path transformers_version architectures model_type auto_map torch_dtype dtype
    _commit_hash _attn_implementation _attn_implementation_autoset language license name_or_path
    id2label label2id num_labels problem_type finetuning_task task_specific_params
    custom_pipelines tokenizer_class processor_class return_dict output_attentions
    output_hidden_states torchscript use_bfloat16 gradient_checkpointing chunk_size_feed_forward
    _flash_attn_2_enabled tf_legacy_loss framework is_composition onnx_export
    use_flash_attention use_flash_attn use_flash_attention_2 use_memory_efficient_attention
    use_xformers fused_dropout_add_ln fused_bias_fc save_safetensors ]],
  training = [[ initializer_range initializer_factor initializer_cutoff_factor init_std init_method
    init_device initialization_factor attention_dropout attention_probs_dropout_prob attn_dropout
    attn_pdrop attn_dropout_prob
    emb_dropout_prob resid_pdrop residual_dropout resid_dropout embd_pdrop emb_pdrop
    embedding_dropout embed_dropout
    dropout
    dropout_rate hidden_dropout hidden_dropout_prob activation_dropout mlp_dropout ffdropout
    classifier_dropout classifier_dropout_prob layerdrop encoder_layerdrop decoder_layerdrop
    seq_classif_dropout qa_dropout summary_first_dropout summary_last_dropout drop_path_rate
    use_cache use_dynamic_ntk aux_loss_coef pretraining_tp mask_token_prob
    router_aux_loss_coef output_router_logits router_jitter_noise input_jitter_noise
    router_z_loss_coef aux_loss_alpha seq_aux ep_size ]],
  generation = [[ diversity_penalty do_sample early_stopping encoder_no_repeat_ngram_size
    exponential_decay_length_penalty length_penalty max_length min_length no_repeat_ngram_size
    num_beam_groups num_beams num_return_sequences output_scores remove_invalid_values
    repetition_penalty return_dict_in_generate temperature top_k top_p typical_p bad_words_ids
    suppress_tokens begin_suppress_tokens forced_bos_token_id forced_eos_token_id
    force_bos_token_to_be_generated ]],
  attention = [[ sliding_window_size
    num_attention_heads num_key_value_heads n_head n_heads num_heads num_kv_heads
    n_head_kv head_dim kv_channels d_kv attention_bias attention_in_bias attention_out_bias
    attention_multiplier qkv_bias use_qkv_bias qkv_proj_bias add_qkv_bias attn_bias
    qk_layernorm use_qk_norm qk_norm qk_norm_type clip_qkv
    sliding_window sliding_window_pattern _sliding_window_pattern use_sliding_window
    max_window_layers layer_types attention_types attention_layers local_attention window_size
    global_attn_every_n_layers global_rope_theta local_rope_theta
    attn_logit_softcapping query_pre_attn_scalar use_bidirectional_attention
    attn_logit_scale attn_scale attn_temperature_tuning floor_scale attention_chunk_size
    multi_query multi_query_attention multi_query_group_num new_decoder_architecture alibi
    attn_config attention_softmax_in_fp32 scale_attention_softmax_in_fp32 scale_attn_weights
    scale_attn_by_inverse_layer_idx reorder_and_upcast_attn add_cross_attention
    cross_attention_hidden_size is_causal causal is_decoder is_encoder_decoder
    apply_query_key_layer_scaling attention_heads encoder_attention_heads decoder_attention_heads
    attention_k_eq_v num_global_key_value_heads global_head_dim
    relative_attention_num_buckets relative_attention_max_distance
    cache_implementation no_rope_layers no_rope_layer_interval q_lora_rank kv_lora_rank
    qk_rope_head_dim qk_nope_head_dim qk_head_dim v_head_dim use_logn_attn logn_list
    use_dynamic_ntk softmax_in_fp32 kv_layers ]],
  positions = [[ max_position_embeddings original_max_position_embeddings n_positions n_ctx
    max_seq_len max_sequence_length seq_length rope_parameters rope_scaling rope_theta
    rope_ratio rope_interleave rope_interleaved
    rotary rotary_dim rotary_pct rotary_emb_base rotary_emb_fraction
    rotary_emb_interleaved rotary_emb_scale_base rotary_scaling_factor partial_rotary_factor
    rope_local_base_freq rope_pct position_embedding_type
    learned_pos_emb sinusoidal_pos_embds use_rotary_position_embeddings type_vocab_size
    original_rope no_rope_layers use_mrope mrope_section max_trained_positions ]],
  tokens = [[ vocab_size padded_vocab_size pad_vocab_size_multiple vocab_size_per_layer_input
    bos_token_id eos_token_id pad_token_id sep_token_id cls_token_id mask_token_id unk_token_id
    eod_token_id decoder_start_token_id
    image_token_id image_token_index video_token_id audio_token_id boi_token_id eoi_token_id
    boi_token_index eoi_token_index boa_token_id eoa_token_id eoa_token_index
    vision_start_token_id vision_end_token_id vision_token_id
    tie_word_embeddings tie_encoder_decoder embedding_size word_embed_proj_dim
    embedding_multiplier embedding_fraction scale_emb scale_embedding scale_decoder_outputs
    logits_scaling logit_scale logit_scale_init_value lm_head_bias lm_head_multiplier
    final_logit_softcapping output_bias use_stable_embedding dim_model_base
    prefix ]],
  norms = [[ rms_norm_eps layer_norm_eps layer_norm_epsilon layernorm_epsilon norm_eps norm_epsilon
    norm_bias norm_type rms_norm_epsilon rmsnorm rms_norm use_norm_bias
    layer_norm_elementwise_affine post_layer_norm do_layer_norm_before
    _remove_final_layer_norm ]],
  heads = [[ classifier_activation classifier_bias classifier_pooling decoder_bias pooler_act
    pooler_output_size pooler_fc_size summary_activation summary_proj_to_labels summary_type
    summary_use_proj sparse_prediction sparse_pred_ignore_index pre_seq_len prefix_projection
    projection_dim projection_size emb_pooler emb_dim num_output matryoshka_dimensions
    image_size patch_size num_channels encoder_stride mm_tokens_per_image
    vision_use_head deterministic_flash_attn ]],
}

--- Of these, what a host computes by: in its own code.
M.of_host = {}
for _, kind in ipairs { 'attention', 'positions', 'tokens' } do
  for key in known[kind]:gmatch '%S+' do M.of_host[key] = true end
end

--- The set of all of them.
M.known = {}
for _, kind in ipairs {
  'about', 'training', 'generation', 'attention', 'positions', 'tokens', 'norms', 'heads',
} do
  for key in known[kind]:gmatch '%S+' do M.known[key] = true end
end

local words = {
  'mlp', 'ffn', 'act', 'gate', 'expert', 'moe', 'intermediate', 'hidden', 'scale', 'limit',
}

--- The word in a key that may tell of a feed-forward layer, or nil.
---@param key string
---@return string|nil
function M.telling(key)
  return lists.filter(words, function(word) return key:lower():find(word, 1, true) ~= nil end)[1]
end

return M
