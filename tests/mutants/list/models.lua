--- Seeded defects in rules of families and of architectures.
return {
  { file = 'generator/import/families/vision.lua', test = 'TestImportMoreFamilies',
    { 'takes the whole ratio for the width of a gated DINOv2',
      from = '(math.floor(whole * 2 / 3) + 7) // 8 * 8', to = 'whole' },
    { 'forgets the scales behind a layer of DINOv2',
      from = "{ place = 'after', what = 'scales', tensor = 'layer_scale2.lambda1',\n"
        .. "        text = 'y times these, before the residual' },", to = '' },
    { 'takes the rows of up in a gated DINOv2 for those of gate', test = 'TestImportFamilies',
      from = "fused = 'mlp.weights_in', order = 'gate first'",
      to = "fused = 'mlp.weights_in', order = 'interleaved'" } },
  { file = 'generator/import/families/lfm2.lua', test = 'TestImportMoreFamilies',
    { 'takes the width of LFM2 as it is', from = 'adjusts == false', to = 'true' },
    { 'takes w2 of LFM2 for up', test = 'TestImportFamilies',
      from = "gate = 'feed_forward.w1', up = 'feed_forward.w3'",
      to = "gate = 'feed_forward.w3', up = 'feed_forward.w1'" } },
  { file = 'generator/import/families/speech.lua', test = 'TestImportMoreFamilies',
    { 'takes the norm of wav2vec 2.0 to be behind the layer always',
      from = 'default = false', to = 'default = true' } },
  { file = 'generator/import/conclude.lua', test = 'TestImportMoreFamilies',
    { 'takes the first of two rules whatever its key says', at = 'rule_of',
      from = 'rule.where and not M.holds(config, rule.where)', to = 'false' } },
}
