--- Nibbles in groups of 64 along k, as GPTQ, AWQ and others have them, with scales in f32.
return require('weights.grouped').format('u4g64_f32', 64, 'f32')
