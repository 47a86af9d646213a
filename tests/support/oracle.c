#include "oracle.h"

#include <math.h>
#include <mpfr.h>
#include <string.h>

enum { BITS = 200 };

typedef void formula(mpfr_t y, const mpfr_t x, const mpfr_t beta);

static void of_identity(mpfr_t y, const mpfr_t x, const mpfr_t beta) {
  (void)beta;
  mpfr_set(y, x, MPFR_RNDN);
}

static void of_relu(mpfr_t y, const mpfr_t x, const mpfr_t beta) {
  (void)beta;
  if (mpfr_sgn(x) > 0)
    mpfr_set(y, x, MPFR_RNDN);
  else
    mpfr_set_zero(y, 1);
}

static void of_relu2(mpfr_t y, const mpfr_t x, const mpfr_t beta) {
  of_relu(y, x, beta);
  mpfr_sqr(y, y, MPFR_RNDN);
}

/* A function that MPFR has. */
#define OF(name)                                                                                   \
  static void of_##name(mpfr_t y, const mpfr_t x, const mpfr_t beta) {                             \
    (void)beta;                                                                                    \
    mpfr_##name(y, x, MPFR_RNDN);                                                                  \
  }
OF(exp)
OF(expm1)
OF(log1p)
OF(sqrt)
OF(erf)
OF(erfc)
OF(tanh)

/* 1 / (1 + exp(-x)) */
static void of_sigmoid(mpfr_t y, const mpfr_t x, const mpfr_t beta) {
  (void)beta;
  mpfr_neg(y, x, MPFR_RNDN);
  mpfr_exp(y, y, MPFR_RNDN);
  mpfr_add_ui(y, y, 1, MPFR_RNDN);
  mpfr_ui_div(y, 1, y, MPFR_RNDN);
}

/* x sigmoid(beta x) */
static void of_swish(mpfr_t y, const mpfr_t x, const mpfr_t beta) {
  mpfr_t t;
  mpfr_init2(t, BITS);
  mpfr_mul(t, beta, x, MPFR_RNDN);
  of_sigmoid(y, t, beta);
  mpfr_mul(y, y, x, MPFR_RNDN);
  mpfr_clear(t);
}

static void of_scaled(mpfr_t y, const mpfr_t x, const char *factor) {
  mpfr_t beta;
  mpfr_init2(beta, BITS);
  mpfr_set_str(beta, factor, 10, MPFR_RNDN);
  of_swish(y, x, beta);
  mpfr_clear(beta);
}

static void of_silu(mpfr_t y, const mpfr_t x, const mpfr_t beta) {
  (void)beta;
  of_scaled(y, x, "1");
}

static void of_quick_gelu(mpfr_t y, const mpfr_t x, const mpfr_t beta) {
  (void)beta;
  of_scaled(y, x, "1.702");
}

/* x erfc(-x / sqrt(2)) / 2 */
static void of_gelu(mpfr_t y, const mpfr_t x, const mpfr_t beta) {
  (void)beta;
  mpfr_sqrt_ui(y, 2, MPFR_RNDN);
  mpfr_div(y, x, y, MPFR_RNDN);
  mpfr_neg(y, y, MPFR_RNDN);
  mpfr_erfc(y, y, MPFR_RNDN);
  mpfr_mul(y, y, x, MPFR_RNDN);
  mpfr_div_ui(y, y, 2, MPFR_RNDN);
}

/* x (1 + tanh(u)) / 2 = x sigmoid(2 u), u = sqrt(2 / pi) (x + 0.044715 x^3) */
static void of_gelu_tanh(mpfr_t y, const mpfr_t x, const mpfr_t beta) {
  mpfr_t u, c;
  mpfr_inits2(BITS, u, c, (mpfr_ptr)0);
  mpfr_set_str(c, "0.044715", 10, MPFR_RNDN);
  mpfr_sqr(u, x, MPFR_RNDN);
  mpfr_mul(u, u, c, MPFR_RNDN);
  mpfr_add_ui(u, u, 1, MPFR_RNDN);
  mpfr_mul(u, u, x, MPFR_RNDN);
  mpfr_const_pi(c, MPFR_RNDN);
  mpfr_ui_div(c, 8, c, MPFR_RNDN); /* 2 sqrt(2 / pi) = sqrt(8 / pi) */
  mpfr_sqrt(c, c, MPFR_RNDN);
  mpfr_mul(u, u, c, MPFR_RNDN);
  of_sigmoid(y, u, beta);
  mpfr_mul(y, y, x, MPFR_RNDN);
  mpfr_clears(u, c, (mpfr_ptr)0);
}

/* x tanh(log(1 + exp(x))) */
static void of_mish(mpfr_t y, const mpfr_t x, const mpfr_t beta) {
  (void)beta;
  mpfr_exp(y, x, MPFR_RNDN);
  mpfr_log1p(y, y, MPFR_RNDN);
  mpfr_tanh(y, y, MPFR_RNDN);
  mpfr_mul(y, y, x, MPFR_RNDN);
}

static const struct {
  const char *name;
  formula *of;
} formulas[] = {{"exp", of_exp},
                {"expm1", of_expm1},
                {"log1p", of_log1p},
                {"sqrt", of_sqrt},
                {"erf", of_erf},
                {"erfc", of_erfc},
                {"identity", of_identity},
                {"relu", of_relu},
                {"relu2", of_relu2},
                {"gelu", of_gelu},
                {"gelu_tanh", of_gelu_tanh},
                {"silu", of_silu},
                {"swish", of_swish},
                {"quick_gelu", of_quick_gelu},
                {"sigmoid", of_sigmoid},
                {"tanh", of_tanh},
                {"mish", of_mish}};

static formula *formula_of(const char *name) {
  for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++)
    if (strcmp(formulas[i].name, name) == 0)
      return formulas[i].of;
  return NULL;
}

int test_oracle_knows(const char *name) { return formula_of(name) != NULL; }

const ffn_test_activation *test_activation(size_t i) {
#define TEST_ACTIVATIONS(name)                                                                     \
  if (i < ffn_test_activation_count_##name)                                                        \
    return &ffn_test_activations_##name[i];                                                        \
  i -= ffn_test_activation_count_##name;
#include "tests/registry/activations.inc"
#undef TEST_ACTIVATIONS
  return NULL;
}

/* One unit in the last place of f32 at `exact`, rounded down to a power of two; subnormals have
 * one of 2^-149 all. */
static double unit(const mpfr_t exact) {
  const mpfr_exp_t e = mpfr_zero_p(exact) ? -200 : mpfr_get_exp(exact); /* |exact| in [.5, 1) 2^e */
  const int power = e < -125 ? -149 : e > 128 ? 104 : (int)e - 24;
  return ldexp(1, power);
}

test_error test_oracle_error(const ffn_test_activation *activation, float x, float beta, double y) {
  mpfr_t mx, mbeta, exact, error, bound;
  mpfr_inits2(BITS, mx, mbeta, exact, error, bound, (mpfr_ptr)0);
  mpfr_set_flt(mx, x, MPFR_RNDN);
  mpfr_set_flt(mbeta, beta, MPFR_RNDN);
  formula_of(activation->name)(exact, mx, mbeta);
  mpfr_set_d(error, isinf(y) ? copysign(0x1p128, y) : y, MPFR_RNDN);
  test_error e = {.exact = mpfr_get_d(exact, MPFR_RNDN)};
  if (isinf(y) && (y > 0) == (mpfr_sgn(exact) > 0) && mpfr_cmpabs(exact, error) >= 0)
    mpfr_set_zero(error, 1); /* both are beyond f32 */
  else
    mpfr_sub(error, error, exact, MPFR_RNDN);
  mpfr_abs(error, error, MPFR_RNDU);
  mpfr_div_d(bound, error, unit(exact), MPFR_RNDU);
  e.ulp = mpfr_get_d(bound, MPFR_RNDU);
  /* bound = (relative |exact| + absolute |x|) 2^-24 + 2^-149 */
  mpfr_abs(exact, exact, MPFR_RNDN);
  mpfr_mul_d(exact, exact, activation->relative, MPFR_RNDN);
  mpfr_abs(mx, mx, MPFR_RNDN);
  mpfr_mul_d(mx, mx, activation->absolute, MPFR_RNDN);
  mpfr_add(bound, exact, mx, MPFR_RNDN);
  mpfr_mul_d(bound, bound, 0x1p-24, MPFR_RNDN);
  mpfr_add_d(bound, bound, 0x1p-149, MPFR_RNDN);
  mpfr_div(bound, error, bound, MPFR_RNDU);
  e.contract = mpfr_get_d(bound, MPFR_RNDU);
  mpfr_clears(mx, mbeta, exact, error, bound, (mpfr_ptr)0);
  return e;
}

void test_oracle_close(void) { mpfr_free_cache(); }
