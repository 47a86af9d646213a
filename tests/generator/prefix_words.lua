--- Words that are no prefix, because a system has them, and what is made of words that C does not
--- take.
local unit = require 'luaunit'
local support = require 'support'
local prefix_words = require 'common.prefix_words'
local texts = require 'common.text'

TestPrefixWords = {}

--- Headers that a folder must not hide: of C11, C23, C++ up to 26, POSIX, and Windows.
local headers = [[
assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign
stdarg stdatomic stdbit stdbool stdckdint stddef stdint stdio stdlib stdnoreturn string tgmath
threads time uchar wchar wctype
algorithm any array atomic barrier bit bitset charconv chrono codecvt compare concepts
condition_variable coroutine cstdio cstring deque exception execution expected filesystem format
forward_list fstream functional future generator initializer_list iomanip ios iosfwd iostream
istream iterator latch list map mdspan memory memory_resource mutex new numbers numeric optional
ostream print queue random ranges ratio regex scoped_allocator semaphore set shared_mutex
source_location span spanstream sstream stack stacktrace stdexcept stdfloat stop_token streambuf
string_view strstream syncstream system_error thread tuple type_traits typeindex typeinfo
unordered_map unordered_set utility valarray variant vector version
aio cpio dirent dlfcn fcntl fmtmsg fnmatch ftw glob grp iconv langinfo libgen libintl monetary
mqueue ndbm netdb nl_types poll pthread pwd regex sched search semaphore spawn strings stropts
syslog tar termios ulimit unistd utime utmpx wordexp
features malloc memory values windows winsock2 io direct process conio intrin immintrin
arm_neon cpuid omp
]]

--- Refused by the command, with the word and a remedy.
local function assert_refused(folder, prefix, reason)
  local result = support.ffngen({ 'vendor', 'my.lua', '--isa', 'c', '--out', 'out', '--prefix',
    prefix }, { dir = folder })
  support.assert_code(result, 2, prefix)
  support.assert_has(result.err, ('prefix "%s": '):format(prefix:lower()), prefix)
  support.assert_has(result.err, reason, prefix)
  support.assert_has(result.err, 'another word, such as my_' .. prefix:lower(), prefix)
  unit.assertFalse(support.exists(folder .. '/out'), prefix)
end

local linear = "linear 'l' { d_model = 2, d_out = 3 }"

function TestPrefixWords.test_headers()
  local count = 0
  for word in headers:gmatch '%S+' do
    local prefix, problem = prefix_words.prefix(word)
    unit.assertNil(prefix, word)
    support.assert_has(problem, ('prefix "%s": C, C++ or a system has a header'):format(word), word)
    count = count + 1
  end
  unit.assertTrue(count > 150)
  local folder = support.user_folder(linear)
  for _, word in ipairs { 'string', 'stdio', 'time', 'errno', 'vector', 'windows', 'avxintrin' } do
    assert_refused(folder, word, 'has a header of this name, which the folder\'s would hide')
  end
end

--- A C file that includes all that there are.
local function includes()
  local lines = {}
  for word in headers:gmatch '%S+' do
    lines[#lines + 1] = ('#if __has_include(<%s.h>)\n#include <%s.h>\n#endif\n'):format(word, word)
  end
  return table.concat(lines)
end

--- Whatever headers this compiler opens for the standards' own, none of them can be hidden.
function TestPrefixWords.test_headers_of_this_system()
  local folder, count = support.folder(), 0
  support.write(folder .. '/all.c', includes())
  -- Some of them need others to be compiled; which are opened is said all the same.
  local said = support.capture(('cd %s && gcc -std=gnu17 -M -MG all.c 2>/dev/null')
    :format(support.quote(folder)))
  for path in said:gmatch '[^%s\\]+%.h' do
    local word = path:match '/include/([%l%d_]+)%.h$' or path:match '/include%-fixed/([%l%d_]+)%.h$'
      or path:match '^/usr/include/[^/]+%-linux%-gnu/([%l%d_]+)%.h$'
    if word and #word > 1 and not word:match '^_' then
      unit.assertNil((prefix_words.prefix(word)), path)
      count = count + 1
    end
  end
  unit.assertTrue(count > 40, said)
end

--- Devices of Windows in any case, targets, libraries.
function TestPrefixWords.test_devices_targets_libraries()
  local folder = support.user_folder(linear)
  for _, word in ipairs { 'aux', 'con', 'nul', 'prn', 'com1', 'COM9', 'Lpt1', 'lpt9' } do
    assert_refused(folder, word, 'Windows has a device of this name')
    unit.assertTrue(prefix_words.is_device(word .. '.c'))
  end
  for _, word in ipairs { 'all', 'clean', 'install', 'test' } do
    assert_refused(folder, word, 'build systems have a target of this name')
  end
  for _, word in ipairs { 'dl', 'gcc', 'rt' } do
    assert_refused(folder, word, 'would stand before the system\'s')
  end
  local result = support.ffngen({ 'generate', 'my.lua', '--out', 'out', '--tuned', 'x.lua',
    '--tuned-for', 'Nul' }, { dir = folder })
  support.assert_code(result, 2, 'a CPU that is a device')
  support.assert_has(result.err, '"Nul": a file on Windows cannot have this name', 'a CPU')
end

--- Namespaces: what headers declare, keywords, macros of compilers.
function TestPrefixWords.test_namespaces()
  local folder = support.user_folder(linear)
  local function vendor(prefix, ...)
    return support.ffngen({ 'vendor', 'my.lua', '--isa', 'c', '--dry-run', '--out', 'out',
      '--prefix', prefix, ... }, { dir = folder })
  end
  for _, word in ipairs {
    'snprintf', 'linux', 'unix', 'i386', 'std', 'posix', 'index', 'select', 'class', 'concept',
    'size_t', 'stat', 'sinf32', 'pthread_x', 'near',
  } do
    local result = vendor(word, '--cpp')
    support.assert_code(result, 2, word)
    support.assert_has(result.err, ('--cpp: "%s" is no name for a namespace'):format(word), word)
    support.assert_has(result.err, 'such as my_' .. word, word)
  end
  support.assert_code(vendor 'linux', 0, 'no namespace')
end

--- No namespace has the name of a function that this system's headers declare.
function TestPrefixWords.test_functions_of_this_system()
  local folder, count = support.folder(), 0
  support.write(folder .. '/all.c', includes())
  local text = support.capture(('cd %s && gcc -std=gnu17 -E -P all.c 2>/dev/null'):format(
    support.quote(folder)))
  for declaration in text:gmatch 'extern ([^;(]+)%(' do
    local name = declaration:match '[ *](%l[%l%d_]*%l?%d?) ?$'
    if name and #name > 1 and not name:find '__' then
      unit.assertNotNil(prefix_words.namespace_problem(name), name)
      count = count + 1
    end
  end
  unit.assertTrue(count > 800, count)
end

--- What targets may be called is written in C, and said.
function TestPrefixWords.test_as_written_in_c()
  for given, prefix in pairs {
    ['my-net'] = 'my_net', ['my.net'] = 'my_net', MyNet = 'mynet', ['My-Net.v2'] = 'my_net_v2',
    plain = 'plain', ['a-1'] = 'a_1',
  } do
    unit.assertEquals(prefix_words.prefix(given), prefix)
  end
  for given, near in pairs {
    ['my--net'] = 'my_net', ['-net'] = 'net', ['net-'] = 'net', ['2net'] = 'net',
    ['ffn-net'] = 'net', ['my net'] = 'my_net', ['a/b'] = 'a_b', ['__x__y'] = 'x_y',
  } do
    local prefix, problem = prefix_words.prefix(given)
    unit.assertNil(prefix, given)
    support.assert_has(problem, ('not "%s": "%s"?'):format(given, near), given)
  end
  local folder = support.user_folder(linear)
  local made, result = support.vendor(folder, '--isa', 'c', '--prefix', 'my-net')
  support.assert_has(result.err, '--prefix: "my-net" is written my_net in names of C', 'a message')
  support.assert_has(made['my_net.h'], 'my_net_l(void)', 'my_net.h')
  support.assert_has(made['README.md'], '--prefix my_net ', 'its command')
end

--- A product that looks for headers in the folder finds the system's, whatever legal prefix it has.
function TestPrefixWords.test_whole_names()
  local code = 'void ab_c(int); abc(xab, ab_);'
  for name, is_there in pairs {
    ab_c = true, abc = true, xab = true, ab_ = true, int = true, ab = false, b_c = false,
    c = false, void = true, xa = false, d = false,
  } do
    unit.assertEquals(texts.has_word(code, name), is_there, name)
  end
  unit.assertTrue(texts.has_word('ab', 'ab'))
end

function TestPrefixWords.test_random_prefixes()
  local letters = 'abcdefghijklmnopqrstuvwxyz'
  local digits = letters .. '0123456789_'
  local function random_word()
    local text = ''
    for i = 1, math.random(2, 12) do
      local from = i == 1 and letters or digits
      local at = math.random(#from)
      text = text .. from:sub(at, at)
    end
    return text
  end
  local folder, tried = support.user_folder(linear), 0
  while tried < 3 do
    local prefix = prefix_words.prefix(random_word())
    if prefix and not prefix_words.is_declared(prefix) then
      tried = tried + 1
      support.sh('rm -rf', folder .. '/out')
      support.vendor(folder, '--isa', 'c', '--cpp', '--prefix', prefix)
      local main = table.concat({
        '#include <cerrno>', '#include <cmath>', '#include <cstdio>', '#include <ctime>',
        '#include <string>', '#include <vector>', '#include <unistd.h>', '#include "%s.hpp"',
        'int main() { return %s_l() == nullptr; }\n',
      }, '\n'):format(prefix, prefix)
      support.write(folder .. '/main.cpp', main)
      local result = support.run({ 'g++', '-std=gnu++17', '-Wall', '-Wextra', '-Werror', '-Iout',
        '-fsyntax-only', 'main.cpp' }, { dir = folder })
      support.assert_code(result, 0, prefix)
    end
  end
end

--- Layers and activations may be called so: their names never stand alone.
function TestPrefixWords.test_other_names()
  local folder = support.user_folder [[
    activation 'unix' (function(x) return x * sigmoid(x) end)
    activation 'con' (function(x) return x / (1 + abs(x)) end)
    ffn 'linux' { variant = 'unix', d_model = 2, d_ff = 3 }
    ffn 'errno' { variant = 'con', d_model = 2, d_ff = 3 }
    linear 'printf' { d_model = 2, d_out = 3, backward = true }
    linear 'aux' { d_model = 2, d_out = 4 }
  ]]
  support.vendor(folder, '--isa', 'c', '--prefix', 'my', '--cpp')
  support.assert_code(support.ffngen({ 'generate', 'my.lua', '--isa', 'c', '--out', 'k' },
    { dir = folder }), 0, 'generate')
  for _, made in ipairs { 'out', 'k' } do
    support.assert_code(support.run({ 'sh', '-c', 'cc -std=gnu17 -O0 -I. *.c -lm -o selfcheck && '
      .. './selfcheck' }, { dir = folder .. '/' .. made }), 0, made)
    for path in pairs(support.snapshot(folder .. '/' .. made)) do
      unit.assertFalse(prefix_words.is_device(path), path)
    end
  end
  support.write(folder .. '/main.cpp', '#include <cerrno>\n#include <cstdio>\n'
    .. '#include "my_train.hpp"\nint main() { return my_errno() == my_linux(); }\n')
  support.assert_code(support.run({ 'g++', '-std=gnu++17', '-Iout', '-fsyntax-only', 'main.cpp' },
    { dir = folder }), 0, 'C++')
end
