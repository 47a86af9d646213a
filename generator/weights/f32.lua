--- IEEE 754 single precision: a weight is stored as it is.
return {
  name = 'f32',
  title = 'f32',
  c_type = 'float',
  bytes = 4,
  helpers = '',
  encode = '$1',
  decode = '$1',
  vector = function(word, address) return word('load', address) end,
}
