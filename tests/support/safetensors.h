/* Reads safetensors files: tensors of F32 and F64 by name. For the repository's own test data, so
 * a file that is not as it should be ends the program. */
#ifndef TEST_SAFETENSORS_H
#define TEST_SAFETENSORS_H

#include <stddef.h>

typedef struct test_tensors {
  unsigned char *bytes;
  size_t size;
  const char *header; /* JSON, ended with 0 */
  const unsigned char *data;
} test_tensors;

/* name without folder and ending. The folder is $FFN_TEST_DATA, or tests/data. */
test_tensors test_tensors_open(const char *name);
void test_tensors_close(const test_tensors *tensors);

/* The tensor's values as a copy to be freed, and how many; NULL and 0 where there is none. A
 * tensor of the other type ends the program. */
float *test_tensor_f32(const test_tensors *tensors, const char *name, size_t *count);
double *test_tensor_f64(const test_tensors *tensors, const char *name, size_t *count);
unsigned char *test_tensor_u8(const test_tensors *tensors, const char *name, size_t *count);

#endif
