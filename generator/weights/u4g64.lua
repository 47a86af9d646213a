--- Nibbles in groups of 64 along k, as GPTQ, AWQ and others have them, with scales in f16.
return require('weights.grouped').format('u4g64', 64, 'f16')
