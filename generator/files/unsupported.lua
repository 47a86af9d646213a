--- What is no model that is read, with what makes one of it: told by names, and of pickles by their
--- first bytes.
local disk = require 'common.disk'
local problems = require 'common.problem'
local random_access = require 'files.random_access'
local record = require 'common.record'

local M = {}

local most_read = 1 << 20 -- bytes of a file's beginning, and of its end

local read_here = 'an ONNX graph (.onnx), a GGUF file (.gguf), .safetensors, one file or several '
  .. 'with their index, or a folder of Hugging Face with config.json and .safetensors'

local line = 'python3 -c "import torch, safetensors.torch as s; %s; s.save_file({k: '
  .. 'v.contiguous().clone() for k, v in d.items() if torch.is_tensor(v)}, \'model.safetensors\')"'

--- What makes safetensors of each kind of pickles. Trainers store a model's tensors under a key,
--- beside other things: the only dict of tensors is taken, several are named.
local lines = {
  tensors = line:format("d = torch.load('NAME', weights_only=True, map_location='cpu'); "
    .. "m = {k: v for k, v in {'the file': d, **d}.items() if isinstance(v, dict) and "
    .. "any(map(torch.is_tensor, v.values()))}; "
    .. "assert len(m) == 1, 'set d to one of: ' + ', '.join(m); d, = m.values()"),
  module = line:format("d = torch.load('NAME', weights_only=False, map_location='cpu')"
    .. '.state_dict()'),
  script = line:format("d = torch.jit.load('NAME', map_location='cpu').state_dict()"),
}

local abouts = {
  tensors = 'a file of pickles, which run code when they are read: make safetensors of it: %s',
  module = 'a whole module in pickles, which run code when they are read: where you trust it, and '
    .. 'where its class can be imported, make safetensors of it: %s',
  script = 'a module of TorchScript, of which only the tensors are read: make safetensors of it: '
    .. '%s; or export the module to ONNX',
}

--- The kind of a file of pickles: TorchScript has code in its archive, a whole module its parts.
local function kind_of(path)
  if disk.mode(path) ~= 'file' then return 'tensors' end
  local ends = random_access.with(path, function(handle, size)
    local count = math.min(size, most_read)
    return {
      random_access.slice(handle, 0, count), random_access.slice(handle, size - count, count),
    }
  end)
  for _, text in ipairs(ends) do
    if text:find('/code/', 1, true) then return 'script' end
  end
  return ends[1]:find('_modules', 1, true) and 'module' or 'tensors'
end

local function is_pickled(name)
  return name:find '%.bin$' or name:find '%.pth?$' or name:find '%.ckpt$' or name:find '%.pkl$'
end

--- Refuses a path that no reader takes.
---@param folder string
---@param names string[]  of files in it, or of the only one that was asked for
---@param joined fun(folder: string, name: string): string
function M.refuse(folder, names, joined)
  for _, name in ipairs(names) do
    if is_pickled(name) then
      local kind = kind_of(joined(folder, name))
      local text = lines[kind]:gsub('NAME', (record.shown(name):gsub('%%', '%%%%')))
      problems.bad_input(joined(folder, name), abouts[kind], text)
    end
  end
  for _, name in ipairs(names) do
    if name == 'config.json' then
      problems.bad_input(joined(folder, name), 'this file describes a model, and the weights of '
        .. 'the model are missing: put its .safetensors files beside this file, and their index '
        .. 'if there are several; `ffngen import --spec-only` writes the spec from this file alone')
    end
  end
  problems.bad_input(#names == 1 and joined(folder, names[1]) or folder,
    'import finds no model here; import reads: %s', read_here)
end

return M
