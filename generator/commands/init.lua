--- The verbs of the command line. One file each, and a name in this list, which is also the order
--- of the help.
local lists = require 'common.list'
local record = require 'common.record'
local texts = require 'common.text'
local told = require 'read.told'

local names = {
  'generate', 'import', 'vendor', 'spec', 'check', 'explain', 'list', 'tune', 'plot',
  'activations', 'packaging',
}

---@class Command
---@field about string                     one line for the help
---@field options fun(command: table)      adds arguments and options; command is argparse's
---@field notes (fun(): string)|false       what its help says besides
---@field examples string|false             lines of its help: calls, and what they do
---@field run fun(root: string, args: table, parser: table): integer  the exit code; root is the
--- project's folder, parser that of the command line

local M = { names = names, by_name = {} }

for _, name in ipairs(names) do
  local command = require('commands.' .. name)
  M.by_name[name] = record.strict('command ' .. name, {
    about = command.about, options = command.options, run = command.run,
    notes = command.notes or false, examples = command.examples or false,
  })
end

--- What stands under the help of a verb.
---@param command Command
function M.epilog_of(command)
  local notes = command.notes and command.notes() .. '\n\n' or ''
  return notes .. (command.examples and 'Examples:\n' .. command.examples or '')
end

--- A list of words for the help, in lines.
local function listed(title, words)
  local parts = { title .. ':' }
  for i, word in ipairs(words) do parts[i + 1] = word .. (i < #words and ',' or '') end
  return (texts.wrap(parts, 96):gsub('\n', '\n  '))
end

local function name_of(told_word) return told_word.name end

--- What stands under the help of all.
M.epilog = [[
Examples:
  ffngen generate                              remake generated/ from generator/specs/
  ffngen generate my.lua --out kernels/        your own layers, with runtime and self-check
  ffngen generate my.lua --out kernels/ --isa avx2,avx512 --dry-run
  ffngen import model/ --out mine/ --variant swiglu    spec, plan and kernels of a model's file
  ffngen vendor my.lua --out vendored/ --prefix my     a folder that your product owns
  ffngen check                                 is generated/ fresh? (exit 3 if not)
  ffngen tune my.lua                           measure here, then: generate ... --tuned auto
  ffngen plot gelu relu                        function, derivative, error: gelu_relu.svg
  ffngen explain gpt2_124m                     spec, layer and plan on one page
  ffngen list --json                           every kernel, for scripts
  ffngen spec                                  what a spec may say

A spec (ffngen spec says what each word means, and which activations there are):
  ]] .. told.example .. '\n\n' .. listed('Kinds', lists.map(told.kinds, name_of)) .. '\n'
  .. listed('Fields', lists.map(told.fields, name_of)) .. '\n'
  .. listed('Variants of ' .. told.of_variants, told.variants) .. [[


Exit codes: 0 ok, 1 failure, 2 usage, 3 check found a difference, 4 bad input.]]

return M
