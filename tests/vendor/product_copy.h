/* A product's own memcpy() for freestanding kernels. */
#include <stddef.h>
void product_copy(void *to, const void *from, size_t bytes);
#define MY_MEMCPY(to, from, bytes) product_copy((to), (from), (bytes))
