--- Nibbles in groups of 128 along k, as GPTQ, AWQ and others have them, with scales in bf16.
return require('weights.grouped').format('u4g128_bf16', 128, 'bf16')
