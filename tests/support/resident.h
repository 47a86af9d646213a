/* Memory of a mapping that the process holds. */
#ifndef TEST_RESIDENT_H
#define TEST_RESIDENT_H

/* Kilobytes of the mapping that begins at an address; -1: this system does not tell. */
long test_resident(const void *at);

#endif
