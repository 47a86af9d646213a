# SPDX-License-Identifier: ${license}
# ${made}
#
# A fragment for a Ninja file that says where this folder is and where objects go:
#   ${prefix}_dir = vendor/${prefix}
#   ${prefix}_obj = build/${prefix}
#   include vendor/${prefix}/${prefix}.ninja
% local lib, check = ('$%s_obj/lib%s.a'):format(prefix, prefix), ('$%s_obj/selfcheck'):format(prefix)
# It makes ${header_only and check or selfcheck and lib .. ' and ' .. check or lib}, with cc and ar of PATH.
${prefix}_cflags = -O2
rule ${prefix}_cc
  command = cc $${prefix}_cflags -MMD -MF $out.d -c $in -o $out
  depfile = $out.d
  deps = gcc
  description = cc $out
% if not header_only then
rule ${prefix}_ar
  command = rm -f $out && ar crs $out $in
  description = ar $out
% end
% if selfcheck then
rule ${prefix}_link
  command = cc $in -lm -o $out
  description = link $out
% end
% for _, file in ipairs(sources) do
build $${prefix}_obj/${file}.o: ${prefix}_cc $${prefix}_dir/${file}
% end
% for _, file in ipairs(check_sources) do
build $${prefix}_obj/${file}.o: ${prefix}_cc $${prefix}_dir/${file}
% end
% if not header_only then
build $${prefix}_obj/lib${prefix}.a: ${prefix}_ar $
% for i, file in ipairs(sources) do
  $${prefix}_obj/${file}.o${i < #sources and ' $' or ''}
% end
% end
% if selfcheck then
build $${prefix}_obj/selfcheck: ${prefix}_link $
% for i, file in ipairs(check_sources) do
  $${prefix}_obj/${file}.o${(i < #check_sources or not header_only) and ' $' or ''}
% end
% if not header_only then
  $${prefix}_obj/lib${prefix}.a
% end
% end
