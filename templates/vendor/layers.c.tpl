/* ---- The layers of this folder ------------------------------------------------------------ */
% if dispatch then

/* A pointer that threads may store and load at once. All of them store the same. */
#if defined(__GNUC__)
#define FFN_PUBLISH(place, kernel) __atomic_store_n((place), (kernel), __ATOMIC_RELEASE)
#define FFN_PUBLISHED(place) __atomic_load_n((place), __ATOMIC_ACQUIRE)
#else
#include <intrin.h>
#define FFN_PUBLISH(place, kernel) \
  ((void)_InterlockedExchangePointer((void *volatile *)(place), (void *)(uintptr_t)(kernel)))
#define FFN_PUBLISHED(place) \
  ((const ffn_kernel *)_InterlockedCompareExchangePointer((void *volatile *)(place), NULL, NULL))
#endif
% end
% for _, l in ipairs(layers) do

const ffn_kernel *ffn_${l.spec}(void) {
% if dispatch then
  static const ffn_kernel *published;
  const ffn_kernel *kernel = FFN_PUBLISHED(&published);
  if (!kernel) {
    kernel = ${find(l)};
    FFN_PUBLISH(&published, kernel);
  }
  return kernel;
% elseif l.guard ~= '' then
#if ${l.guard}
  return &${l.kernel};
#else
  return NULL;
#endif
% else
  return &${l.kernel};
% end
}
% if l.beside then

const ffn_outputs *ffn_${l.spec}_outputs(void) { return ffn_outputs_of(ffn_${l.spec}()); }
% end
% end
