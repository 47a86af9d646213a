--- The command line as such: help, usage errors, exit codes, output that is lost.
local unit = require 'luaunit'
local model_files = require 'model_files'
local support = require 'support'

local layer = "linear 'block' { d_model = 5, d_out = 33 }"

TestUsage = {}

function TestUsage.test_help()
  local help = support.ffngen { '--help' }
  support.assert_code(help, 0, '--help')
  unit.assertEquals(help.err, '')
  for _, part in ipairs {
    'Examples:', 'ffngen generate my.lua --out kernels/', 'ffngen explain my_layer my.lua',
    'ffngen vendor my.lua', 'ffngen help generate', "variant = 'swiglu'", '--version',
    'Exit codes:\n  0 ', '\n  1 ', '\n  2 ', '\n  3 ', '\n  4 ',
  } do
    support.assert_has(help.out, part, '--help')
  end
  for _, verb in ipairs((require 'commands').names) do
    support.assert_has(help.out, '\n  ' .. verb .. '  ', '--help')
    local one = support.ffngen { verb, '--help' }
    support.assert_code(one, 0, verb .. ' --help')
    support.assert_has(one.out, 'Usage: ffngen ' .. verb, verb .. ' --help')
    support.assert_has(one.out, '\nExamples:\n  ffngen ' .. verb, verb .. ' --help')
    unit.assertEquals(support.ffngen({ 'help', verb }).out, one.out, 'help ' .. verb)
  end
  unit.assertEquals(support.ffngen({ 'help' }).out, help.out, 'help')
end

--- A verb runs without the code of the others, which takes longer to read than most verbs to run.
function TestUsage.test_one_verb_is_read()
  local project = support.copy_project('without import')
  support.write(project .. '/generator/commands/import.lua', "error 'import is read'")
  local folder = support.user_folder(layer)
  for _, arguments in ipairs {
    { 'list', 'my.lua' }, { 'vendor', 'my.lua', '--out', 'out' }, { '--version' },
  } do
    support.assert_code(support.run({ project .. '/ffngen', table.unpack(arguments) },
      { dir = folder }), 0, arguments[1])
  end
  for _, arguments in ipairs { { '--help' }, { 'import', '--help' }, { 'help', 'import' } } do
    local read = support.run({ project .. '/ffngen', table.unpack(arguments) })
    unit.assertNotEquals(read.code, 0)
    support.assert_has(read.err, 'import is read', arguments[1])
  end
end

--- The examples of the help, and of each verb's, do what they say. Pictures are TestPlot's in short
--- form, and tests/scripts/tune.sh measures in earnest.
function TestUsage.test_examples_of_the_help()
  local help = support.ffngen({ '--help' }).out
  local folder = support.user_folder(help:match('\n  (ffn [^\n]+)\n')
    .. "activation 'mine' (function(x) return x * sigmoid(2 * x) end)")
  support.sh('cp -r', support.root .. '/tests/data/import/hf/mistral', folder .. '/model')
  support.sh('cp -r', support.root .. '/tests/data/import/moe/mixtral', folder .. '/mixture')
  support.sh('cp', support.root .. '/tests/data/import/gguf/llama.gguf', folder .. '/model.gguf')
  support.sh('mkdir', folder .. '/alone')
  support.sh('cp', folder .. '/model/config.json', folder .. '/alone')
  support.write(folder .. '/layers.safetensors', (model_files.text(model_files.llama(0))))
  local helps, done = { help }, {}
  for _, verb in ipairs((require 'commands').names) do
    helps[#helps + 1] = support.ffngen({ verb, '--help' }).out
  end
  for _, text in ipairs(helps) do
    local lines = text:match('\nExamples:\n(.-)\n\n') or text:match('\nExamples:\n(.*)$')
    for line in ('\n' .. lines):gmatch('\n(  ffngen [^\n]*)') do
      local command = line:match('^  ffngen (.-)  ') or line:match('^  ffngen (.*)$')
      local arguments = {}
      for word in command:gmatch('%S+') do arguments[#arguments + 1] = word end
      if arguments[1] == 'tune' then arguments[#arguments + 1] = '--dry-run' end
      if not done[command] and (support.full or arguments[1] ~= 'plot') then
        support.assert_code(support.ffngen(arguments, { dir = folder }), 0, line)
      end
      done[command] = true
    end
  end
  unit.assertTrue(#support.keys(done) >= 25)
  unit.assertTrue(done['plot gelu relu'])
end

function TestUsage.test_version()
  unit.assertEquals(support.ffngen({ '-v' }).out, support.ffngen({ '--version' }).out)
  local version = dofile(support.project .. '/generator/common/version.lua')
  local result = support.ffngen { '--version' }
  support.assert_code(result, 0, '--version')
  unit.assertEquals(result.out, ('ffngen %s (runtime ABI %d, layout %d, spec schema '
    .. '%d)\n'):format(version.generator, version.abi, version.layout, version.schema))
  unit.assertStrMatches(version.generator, '%d+%.%d+%.%d+')
  local header = support.read(support.project .. '/runtime/ffn.h')
    .. support.read(support.project .. '/runtime/kernel.h')
  unit.assertEquals(header:match('#define FFN_ABI (%d+)'), tostring(version.abi))
  unit.assertEquals(header:match('#define FFN_LAYOUT (%d+)'), tostring(version.layout))
end

--- What was asked for and did not arrive is no success.
function TestUsage.test_lost_output()
  if not support.exists('/dev/full') then unit.skip('no /dev/full') end
  local folder = support.user_folder(layer)
  local to_nowhere = { dir = folder, before = 'exec 3>/dev/full;' }
  for _, arguments in ipairs {
    { 'list' }, { 'list', '--json' }, { 'explain', 'gpt2_124m' }, { '--help' }, { '--version' },
    { 'vendor', 'my.lua', '--out', 'out', '--dry-run' }, { 'generate', '--help' },
    { 'vendor', 'my.lua', '--out', 'out', '--dry-run', '--json' },
    { 'generate', 'my.lua', '--out', 'out', '--dry-run' },
    { 'generate', 'my.lua', '--out', 'written' },
  } do
    local what = 'ffngen ' .. table.concat(arguments, ' ')
    local words = { 'sh', '-c', '"$@" >&3', 'sh', support.project .. '/ffngen',
      table.unpack(arguments) }
    local result = support.run(words, to_nowhere)
    support.assert_code(result, 1, what)
    unit.assertEquals(result.out, '', what)
    support.assert_has(result.err, 'standard output: ', what)
    support.assert_has(result.err, 'what was printed is lost', what)
    support.assert_lacks(result.err, 'nothing was written', what)
    support.assert_lacks(result.err, 'traceback', what)
  end
  unit.assertFalse(support.exists(folder .. '/out'))
end

function TestUsage.test_usage_errors()
  local folder = support.user_folder(layer)
  local before = support.snapshot(folder)
  for _, case in ipairs {
    { {}, 'a command is required\nffngen: see ffngen --help' },
    { { 'help', 'frob' }, 'frob' },
    { { 'generate', '--frob' }, 'see ffngen generate --help' },
    { { 'generate', 'my.lua', '--out', 'out', '--tuned', 'x', '--tuned-for', '../../etc/passwd' },
      '"../../etc/passwd" is not a name of a CPU' },
    { { 'frob' }, 'frob' },
    { { 'genrate' }, 'genrate' },
    { { '--frob' }, '--frob' },
    { { 'generate', 'my.lua' }, 'the option --out is missing' },
    { { 'generate', 'my.lua', '--out' }, '--out' },
    { { 'generate', 'my.lua', '--out', '' }, 'is empty' },
    { { 'generate', 'my.lua', '--out', 'out', '--frob' }, '--frob' },
    { { 'generate', 'my.lua', '--out', 'out', '--isa', 'avx3' },
      'unknown isa "avx3" (did you mean "avx2"?)' },
    { { 'generate', 'my.lua', '--out', 'out', '--isa', 'c,,avx2' }, 'unknown isa ""' },
    { { 'generate', 'my.lua', '--out', 'out', '--isa', '' }, 'unknown isa ""' },
    { { 'generate', 'my.lua', '--out', 'out', '--isa', 'AVX2' }, '(did you mean "avx2"?)' },
    { { 'generate', 'my.lua', '--out', 'out', '--isa' }, '--isa' },
    { { 'generate', '--out', 'out' }, '--out needs spec files' },
    { { 'generate', '--isa', 'c' }, '--isa needs spec files' },
    { { 'generate', '--cpu', 'generic' }, '--cpu needs spec files' },
    { { 'generate', 'my.lua', '--out', 'out', '--cpu', 'genric' },
      'unknown cpu "genric" (did you mean "generic"?)' },
    { { 'explain', 'block', 'my.lua', '--cpu', '' }, 'unknown cpu ""' },
    { { 'check', 'my.lua' }, 'too many arguments' },
    { { 'explain' }, 'name' },
    { { 'list', '--xml' }, '--xml' },
    { { 'generate', '--tuned', 'auto' }, '--tuned needs spec files' },
    { { 'generate', 'my.lua', '--out', 'out', '--tuned-for', 'x' }, '--tuned-for needs --tuned' },
    { { 'tune' }, 'spec' },
    { { 'tune', 'my.lua', '--budget', '0' }, 'whole number' },
    { { 'tune', 'my.lua', '--budget', 'soon' }, 'whole number' },
    { { 'tune', 'my.lua', '--tuned-for', 'a b' }, 'not a name of a CPU' },
    { { 'tune', 'my.lua', '--isa', 'avx3' }, '(did you mean "avx2"?)' },
    { { 'import' }, 'path' }, { { 'import', 'model' }, 'the option --out is missing' },
    { { 'activations' }, '--out' },
    { { 'activations', '--out', '' }, 'is empty' },
    { { 'packaging' }, '--out' },
  } do
    local arguments, part = case[1], case[2]
    local what = 'ffngen ' .. table.concat(arguments, ' ')
    local result = support.ffngen(arguments, { dir = folder })
    support.assert_code(result, 2, what)
    unit.assertEquals(result.out, '', what)
    support.assert_has(result.err, part, what)
    unit.assertEquals(result.err:sub(1, 8), 'ffngen: ', what)
    support.assert_lacks(result.err, 'traceback', what)
    support.assert_same(support.snapshot(folder), before, what)
  end
end
