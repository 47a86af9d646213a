--- Nibbles in groups of 32 along k, as GPTQ, AWQ and others have them, with scales in bf16.
return require('weights.grouped').format('u4g32_bf16', 32, 'bf16')
