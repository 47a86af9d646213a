--- Nibbles in groups of 64 along k, as GPTQ, AWQ and others have them, with scales in bf16.
return require('weights.grouped').format('u4g64_bf16', 64, 'bf16')
