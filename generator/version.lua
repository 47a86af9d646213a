--- The one place of the version.
return { generator = '0.1.0', abi = 2 }
