# SPDX-License-Identifier: ${license}
# ${made}
option('install', type: 'boolean', value: false,
  description: 'Install the kernels of ${prefix} where they are a subproject')
