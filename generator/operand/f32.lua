--- The numbers as they are.
return {
  name = 'f32',
  about = 'f32',
  planes = { { name = 'value', lane = 'f32', every = 1 } },
}
