--- Nibbles in groups of 32 along k, as GPTQ, AWQ and others have them, with scales in f16.
return require('weights.grouped').format('u4g32', 32, 'f16')
