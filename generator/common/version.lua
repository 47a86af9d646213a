--- The one place of the versions.
return {
  generator = '0.1.0', -- ffngen itself; its tag is v0.1.0
  abi = 12, -- FFN_ABI of runtime/ffn.h: the header and descriptors
  layout = 1, -- FFN_LAYOUT of it: packed weights
  schema = 1, -- the names and fields of specs, as schema(1) states them
  tuned = 4, -- the fields of records of measurements
}
