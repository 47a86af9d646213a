/* What mixtures.c runs a second time by the C++ wrapper: a mixture whose weights are those of an
 * open file. */
#include "ffn_file.h"
#include "ffn_moe.hpp"

#include <string>

/* y of all rows, of a layer of the file. NULL, or what is wrong. */
extern "C" const char *run_by_cpp(const ffn_moe *moe, const ffn_moe_parts *parts,
                                  const ffn_file *file, uint32_t layer, float *y, const float *x,
                                  size_t tokens) {
  static std::string said;
  auto made = ffn::mixture::make(*moe, *parts);
  if (!made)
    return said = made.problem(), said.c_str();
  const char *problem = made->open(*file, layer);
  auto work = ffn::workspace::make(made->work_bytes(1, tokens));
  if (!problem)
    problem = work ? made->run(ffn::span<float>(y, tokens * moe->outputs),
                               ffn::span<const float>(x, tokens * moe->inputs), *work)
                   : work.problem();
  return problem ? (said = problem).c_str() : nullptr;
}
