--- Mixtures of experts in a vendored folder: files of their own, or parts of the one source and the
--- one header.
local kernels = require 'vendor.kernels'
local lists = require 'common.list'
local mixture_text = require 'emit.mixtures'
local prefixes = require 'common.prefix'
local runtime_files = require 'common.runtime_files'
local texts = require 'common.text'

local M = {}

local with_dispatch = lists.set { 'ffn_moe.h', 'moe_run.c' }

--- The runtime's files for mixtures.
local function of_runtime(root, request)
  return lists.map(runtime_files.moe, function(file)
    return { path = file, text = runtime_files.chosen(root, file, request.prefix,
      with_dispatch[file] and { dispatch = request.dispatch } or {}) }
  end)
end

--- The files that mixtures need, none where there are no mixtures.
---@param root string
---@param request VendorRequest
---@return table[] { path =, text = }
function M.files(root, request)
  if #request.mixtures == 0 then return {} end
  return lists.append(of_runtime(root, request), { {
    path = 'moes.h', text = mixture_text.header(request.mixtures, kernels.license, request.prefix),
  } })
end

--- Headers, or sources, as parts of one text.
local function parts(root, request, are_sources)
  local files = lists.filter(of_runtime(root, request), function(file)
    return runtime_files.is_source(file.path) == are_sources
  end)
  return texts.paragraphs(lists.map(files, function(file) return runtime_files.part(file.text) end))
end

--- What the one source has of mixtures.
---@param root string
---@param request VendorRequest
---@return string
function M.sources(root, request)
  return #request.mixtures > 0 and parts(root, request, true) or ''
end

--- What the one header has of mixtures, behind what maps files where a folder does that.
---@param root string
---@param request VendorRequest
---@return string
function M.header(root, request)
  if #request.mixtures == 0 then return '' end
  local maps = request.file and prefixes.text('#define FFN_FILE_H\n\n', request.prefix) or ''
  return kernels.ruler 'Mixtures of experts' .. '\n' .. maps .. texts.paragraphs {
    parts(root, request, false), mixture_text.constants(request.mixtures, request.prefix),
  }
end

return M
