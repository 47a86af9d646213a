--- Nibbles in groups of 128 along k, as GPTQ, AWQ and others have them, with scales in f32.
return require('weights.grouped').format('u4g128_f32', 128, 'f32')
