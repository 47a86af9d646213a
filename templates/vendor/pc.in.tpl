# SPDX-License-Identifier: ${license}
# ${made}
# Replace the words between @ signs, and call it ${prefix}.pc.
prefix=@PREFIX@
libdir=@LIBDIR@
includedir=@INCLUDEDIR@

Name: ${prefix}
Description: Feed-forward kernels
Version: ${version}
Cflags: -I${D}{includedir}
% if not header_only then
Libs: -L${D}{libdir} -l${prefix}
% end
