prefix=${pcfiledir}/../..
includedir=${prefix}/include/ffngen
libdir=${prefix}/lib

Name: ffn
Description: Feed-forward kernels with fixed sizes
Version: ${version}
Cflags: -I${includedir}
Libs: -L${libdir} -lffn -lm
