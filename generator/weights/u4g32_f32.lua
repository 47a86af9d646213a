--- Nibbles in groups of 32 along k, as GPTQ, AWQ and others have them, with scales in f32.
return require('weights.grouped').format('u4g32_f32', 32, 'f32')
