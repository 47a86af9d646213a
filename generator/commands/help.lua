--- Help for a terminal: of ffngen, and the page of each verb.
local lists = require 'common.list'
local meanings = require 'read.meanings'
local page_of = require 'commands.page'
local texts = require 'common.text'

local M = {}

local columns = 96

--- A paragraph in lines.
local function wrapped(text, indent)
  return texts.wrapped(text, columns, (' '):rep(indent))
end

--- A heading, and items below it; nothing where there are none.
---@param title string
---@param items PageItem[]
---@param indent integer  the column where meanings begin
local function section(title, items, indent)
  if #items == 0 then return '' end
  local lines = { title .. ':' }
  for _, item in ipairs(items) do
    local name = item.value == '' and item.name or item.name .. ' ' .. item.value
    lines[#lines + 1] = texts.item(name, item.meaning, columns, indent)
  end
  return table.concat(lines, '\n')
end

--- Calls, each with its meaning below.
---@param items PageItem[]
local function examples(items)
  local lines = { 'Examples:' }
  for _, item in ipairs(items) do
    lists.append(lines, { '  ' .. item.name, wrapped(item.meaning, 6) })
  end
  return table.concat(lines, '\n')
end

--- The page of a verb.
---@param page Page
---@return string
function M.of(page)
  local parts = { ('Usage: ffngen %s %s'):format(page.name, page.usage), page.about }
  for _, paragraph in ipairs(page.purpose) do parts[#parts + 1] = wrapped(paragraph, 0) end
  lists.append(parts, {
    examples(page.examples), section('Arguments', page.arguments, 26),
    section('Options', page.options, 26),
  })
  for _, own in ipairs(page.tables) do
    parts[#parts + 1] = own.title .. ':\n  ' .. table.concat(own.lines, '\n  ')
  end
  lists.append(parts, { section('Files', page.files, 26), section('Exit codes', page.exits, 8) })
  return texts.paragraphs(parts)
end

--- A list of words in lines.
local function listed(title, words)
  return title .. ':\n' .. wrapped(table.concat(words, ', '), 2)
end

local function name_of(told_word) return told_word.name end

local opening = [[
Usage: ffngen COMMAND [ARGUMENTS] [OPTIONS]

ffngen writes feed-forward layers of neural networks as C code that you own.
You describe each layer in a spec: a file with a few lines of Lua. For each layer ffngen writes
one C file for each instruction set.

A spec with one layer, my.lua:
  ]] .. meanings.example .. [[


Examples:
  ffngen generate my.lua --out kernels/              write the C files of your layers
  ffngen explain my_layer my.lua                     show how a layer is computed
  ffngen vendor my.lua --prefix my --out vendored/   write a folder for your product
  ffngen import model/ --out mine/                   read the layers of a trained model
  ffngen tune my.lua                                 find the fastest settings for this CPU
  ffngen plot gelu relu                              draw activations to gelu_relu.svg
  ffngen help generate                               show the page of one command]]

local closing = [[
ffngen help COMMAND shows the page of a command: purpose, examples, options, files, exit codes.
ffngen spec explains each kind, field and activation of a spec.]]

--- The help of ffngen as a whole.
---@param parser table of argparse
---@param verbs PageItem[]  names and what they do
---@param exits PageItem[]
---@return string
function M.all(parser, verbs, exits)
  return texts.paragraphs {
    opening, section('Commands', verbs, 19), section('Options', page_of.options(parser), 19),
    closing, listed('Kinds of a spec', lists.map(meanings.kinds, name_of)),
    listed('Fields of a spec', lists.map(meanings.fields, name_of)),
    listed('Variants of ' .. meanings.of_variants, meanings.variants),
    section('Exit codes', exits, 8),
  }
end

return M
