--- Exit codes, and what they mean where a verb's page says nothing else: { code, meaning }.
local M = {}

M.success = { 0, 'ffngen did what you asked for.' }
M.failure = { 1, 'The system refused something, such as a file to be written. The message says '
  .. 'what.' }
M.usage = { 2, 'The command line is wrong. ffngen wrote nothing.' }
M.difference = { 3, 'A check found a difference.' }
M.input = { 4, 'An input is wrong, such as a spec. ffngen wrote nothing.' }
M.stopped = { 130, 'You stopped ffngen with Ctrl-C. ffngen wrote nothing.' }

--- Those that any verb may have.
M.all = { M.success, M.failure, M.usage, M.difference, M.input, M.stopped }

return M
