--- Weights as they come: single precision.
return {
  name = 'f32',
  about = 'IEEE single precision',
  bytes = 4,
}
