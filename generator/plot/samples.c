/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * samples.c - an activation at many places. `ffngen plot` compiles it with the activations in
 * portable C, whose bits every instruction set has, and the reference, and reads what it prints:
 *
 *     samples NAME FROM TO UP PARAMETER...
 *
 * A line for each place: x, the function and its derivative by x in double, and the error of the
 * compiled function, in ULP: the largest of the floats around. */
#include "activation_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES = 300, FLOATS = 64 /* around each */ };

static const char *const names[] = {
#define FFN_ACTIVATION(NAME, GATED, name, gated, value, slope) #name,
#include "activations.inc"
};

/* One unit in the last place of a float at `exact`. */
static double unit(double exact) {
  int exponent;
  frexp(exact, &exponent);
  return ldexp(1.0, (exponent < -125 ? -125 : exponent) - 24);
}

/* Nothing is promised where the exact value is no float, be it too large or NaN. */
static double error(double exact, float y) {
  return fabs(exact) < 0x1.ffffffp127 ? fabs(y - exact) / unit(exact) : 0;
}

int main(int count, char **words) {
  float parameters[FFN_MAX_PARAMETERS] = {0}, x[FLOATS], up[FLOATS], y[FLOATS];
  ffn_activation activation = 0;
  const ffn_test_activation *compiled = ffn_test_activations_c;
  if (count < 5 || count - 5 > FFN_MAX_PARAMETERS)
    return 2;
  while (strcmp(names[activation], words[1]) != 0)
    activation++;
  while (strcmp(compiled->name, words[1]) != 0)
    compiled++;
  const double from = strtod(words[2], NULL), step = (strtod(words[3], NULL) - from) / PLACES;
  for (size_t i = 0; i < FLOATS; i++)
    up[i] = strtof(words[4], NULL);
  for (int i = 5; i < count; i++)
    parameters[i - 5] = strtof(words[i], NULL);
  double turn = 0;
  for (int place = 0; place <= PLACES; place++) {
    const double middle = (float)(from + step * place);
    double worst = 0;
    for (size_t i = 0; i < FLOATS; i++) {
      /* Steps by the golden ratio: the floats have all kinds of digits. */
      turn = fmod(turn + 0.61803398874989485, 1.0);
      const double aside = place == 0 ? turn / 2 : place == PLACES ? -turn / 2 : turn - 0.5;
      x[i] = (float)(from + step * (place + (i == 0 ? 0 : aside)));
    }
    compiled->run(y, x, up, FLOATS, parameters);
    for (size_t i = 0; i < FLOATS; i++) {
      const double e = error(ffn_activation_value(activation, x[i], up[i], parameters), y[i]);
      if (!(e <= worst))
        worst = e;
    }
    printf("%.9g %.9g %.9g %.4f\n", middle,
           ffn_activation_value(activation, middle, up[0], parameters),
           compiled->derivative[0](middle, up[0], parameters), worst);
  }
  return 0;
}
