--- The verbs of the command line. One file each, and a name in this list, which is also the order
--- of the help.
local record = require 'common.record'

local names = {
  'generate', 'vendor', 'check', 'explain', 'list', 'tune', 'plot', 'activations', 'packaging',
}

---@class Command
---@field about string                     one line for the help
---@field options fun(command: table)      adds arguments and options; command is argparse's
---@field run fun(root: string, args: table, parser: table): integer  the exit code; root is the
--- project's folder, parser that of the command line

local M = { names = names, by_name = {} }

for _, name in ipairs(names) do
  local command = require('commands.' .. name)
  M.by_name[name] = record.strict('command ' .. name, {
    about = command.about, options = command.options, run = command.run,
  })
end

--- What stands under the help.
M.epilog = [[
Examples:
  ffngen generate                              remake generated/ from generator/specs/
  ffngen generate my.lua --out kernels/        your own layers, with runtime and self-check
  ffngen generate my.lua --out kernels/ --isa avx2,avx512 --dry-run
  ffngen vendor my.lua --out vendored/ --prefix my     a folder that your product owns
  ffngen check                                 is generated/ fresh? (exit 3 if not)
  ffngen tune my.lua                           measure here, then: generate ... --tuned auto
  ffngen plot gelu relu                        function, derivative, error: gelu_relu.svg
  ffngen explain gpt2_124m                     spec, layer and plan on one page
  ffngen list --json                           every kernel, for scripts

A spec:
  ffn 'my_layer' { variant = 'swiglu', d_model = 512, d_ff = d_model * 8 // 3 }

Exit codes: 0 ok, 1 failure, 2 usage, 3 check found a difference, 4 bad input.]]

return M
