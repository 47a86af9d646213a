--- The shapes of a vendored folder: many files, one .c and one .h, or one header.
local amalgam = require 'vendor.amalgam'
local runtime_files = require 'common.runtime_files'

local M = {}

local function texts_of(list)
  local texts = {}
  for i, file in ipairs(list) do texts[i] = file.text end
  return texts
end

local function spdx(about)
  return ('/* SPDX-License-Identifier: 0BSD OR MIT-0\n *\n * %s\n */\n'):format(about)
end

-- Each layout is made of parts: header, the text of ffn.h; private headers; sources of the library
-- and of the check, as { path =, text = }; portable, whether a kernel serves every machine. It
-- gives public and private headers, sources, and sources of the check.

function M.files(_, parts)
  local headers = { { path = 'ffn.h', text = parts.header } }
  return headers, parts.private, parts.sources, parts.check
end

--- Sources and private headers as one text behind ffn.h; and what ffn.c has in front of its first
--- header, which asks the system for more than C.
local function joined(parts)
  local inside, sources, asks = { ['ffn.h'] = '' }, { '#include "kernel.h"\n' }, ''
  for _, file in ipairs(parts.private) do inside[file.path] = file.text end
  for _, file in ipairs(parts.sources) do
    local text = amalgam.own(file.text, 'ffn_')
    if file.path == 'ffn.c' then
      text = text:gsub('( %*/\n)(.-)(#include)', function(before, between, after)
        asks = between
        return before .. after
      end, 1)
    end
    sources[#sources + 1] = text
  end
  return amalgam.pruned(amalgam.join(sources, inside)), asks
end

--- The check as one file, behind what it begins with.
local function joined_check(about, begin, check, inside)
  inside['ffn.h'] = ''
  local body = amalgam.pruned(amalgam.join(texts_of(check), inside))
  return { { path = 'selfcheck.c', text = spdx(about) .. begin .. '\n' .. body } }
end

--- On a machine that none of the kernels is for, nothing uses what they share.
local may_be_unused = [[
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wunused-function"
#endif

]]

function M.single(root, parts)
  local body, asks = joined(parts)
  local source = spdx('ffn.c - the kernels and all that they need, behind ffn.h.') .. asks
    .. '#include "ffn.h"\n\n' .. (parts.portable and '' or may_be_unused) .. body
  return { { path = 'ffn.h', text = parts.header } }, {}, { { path = 'ffn.c', text = source } },
    joined_check('selfcheck.c - the reference and the self-check.', '#include "ffn.h"\n',
      parts.check,
      { ['kernel.h'] = runtime_files.read(root, 'kernel.h') })
end

function M.header(_, parts)
  local body = joined(parts)
  local header = amalgam.replaced(parts.header, ' %*/\n#ifndef FFN_H\n', table.concat({
    ' *',
    ' * This header is all: one .c or .cpp file defines FFN_IMPLEMENTATION before it includes it.',
    ' */', '#ifndef FFN_H', '',
  }, '\n'))
  return { { path = 'ffn.h', text = table.concat({
    header, '#if defined(FFN_IMPLEMENTATION) && !defined(FFN_IMPLEMENTED)',
    '#define FFN_IMPLEMENTED', '', body .. '#endif', '',
  }, '\n') } }, {}, {},
    joined_check('selfcheck.c - the implementation, the reference and the self-check.',
      '#define FFN_IMPLEMENTATION\n#include "ffn.h"\n', parts.check, { ['kernel.h'] = '' })
end

return M
