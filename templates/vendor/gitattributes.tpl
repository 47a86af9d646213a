# SPDX-License-Identifier: ${license}
# ${made}
# Line ends as they were made, on every system.
* text eol=lf
