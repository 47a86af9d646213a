--- Nibbles in groups of 128 along k, as GPTQ, AWQ and others have them, with scales in f16.
return require('weights.grouped').format('u4g128', 128, 'f16')
