%% takes: k, header, abi, PREFIX, body
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
% for _, line in ipairs(k.about) do
 *${line ~= '' and ' ' .. line or ''}
% end
 */
#include "${header}"

#if FFN_ABI != ${abi}
#error "made for ABI ${abi} of kernel.h: generate this file anew, or use its own kernel.h"
#endif

% if k.unless then
#ifndef ${k.unless}
% end
${PREFIX}_EXACT_BEGIN
% if k.arch ~= '' then
#if ${k.arch}
% end
% if k.include ~= '' then
#include <${k.include}>
% end
${k.target_begin}
% if k.arch ~= '' then

% end
${body}
${k.target_end}
% if k.arch ~= '' then
#endif
% end
${PREFIX}_EXACT_END
% if k.unless then
#endif
% end
