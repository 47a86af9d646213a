--- Words of the builder `v` that packed weights are read with.
local M = {}

--- What reads memory: a vector of lanes of a type of weights/format.lua, as floats, or as integers
--- of 32 bits whose upper ones are zero.
local loads = {
  f32 = { kind = 'f', word = 'load' }, f16 = { kind = 'f', word = 'load_f16' },
  f8 = { kind = 'f', word = 'load_f8' },
  u8 = { kind = 'i', word = 'load_u8' }, u16 = { kind = 'i', word = 'load_u16' },
  u32 = { kind = 'i', word = 'load_u32' },
}

--- Adds the words to a builder.
---@param v table
---@param statements Statements
---@param want fun(op: string, count: integer, kind: string, operands: table)  or an error
function M.add(v, statements, want)
  --- From a C pointer to the lane's type, at a multiple of a vector's size where it is f32.
  function v.load(lane, address)
    return statements:make(loads[lane].kind, loads[lane].word, { address })
  end

  --- The same from anywhere.
  function v.load_anywhere(lane, address)
    if lane ~= 'f32' then return v.load(lane, address) end
    return statements:make('f', 'loadu', { address })
  end

  --- The float that a signed integer is, of less than 2^24.
  function v.from_int(...)
    want('from_int', 1, 'i', table.pack(...))
    return statements:make('f', 'from_int', { ... })
  end

  --- Twice the float that the four bits of an integer from bit `at` on are in E2M1: 0, 4 ... 28; 0
  --- has no sign.
  function v.from_e2m1(a, at)
    want('from_e2m1', 1, 'i', table.pack(a))
    return statements:make('f', 'from_e2m1', { a, at })
  end

  --- 2^24 of the level of IQ4_NL, from -127 to 113, that they choose.
  function v.from_iq4(a, at)
    want('from_iq4', 1, 'i', table.pack(a))
    return statements:make('f', 'from_iq4', { a, at })
  end

  --- What is from bit `at` on, which is an integer or C, as the lowest bits of an integer.
  function v.shr_at(a, at)
    want('shr_at', 1, 'i', table.pack(a))
    if type(at) == 'string' then return statements:make('i', 'shr_by', { a, at }) end
    return at > 0 and v.shr(a, at) or a
  end

  --- So many bits of that.
  function v.field(a, bits, at)
    want('field', 1, 'i', table.pack(a))
    a = v.shr_at(a, at)
    return at == 32 - bits and a or v.iand(a, v.mask((1 << bits) - 1))
  end

  --- factor * index + offset, of an index that is an integer or C: where a field begins.
  function v.affine(index, factor, offset)
    if math.type(index) == 'integer' then return factor * index + offset end
    return ('%d * %s%s'):format(factor, index, offset > 0 and ' + ' .. offset or '')
  end

  --- A value that C has a name for already: kind f or i.
  function v.given(kind, text) return { kind = kind, op = 'given', text = text } end
end

return M
