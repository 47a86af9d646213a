--- IEEE 754 single precision: a weight is stored as it is.
return {
  name = 'f32',
  about = 'IEEE 754 single precision',
  c_type = 'float',
  bytes = 4,
  helpers = '',
  encode = '$1',
  decode = '$1',
  vector = function(word, address) return word('load', address) end,
}
