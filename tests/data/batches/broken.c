/* Each text of a tile that calls of some number of rows reach is broken, one after the other: the
 * self-check has to notice it in some kernel that has it, for CPUs share their texts. TEXTS is
 * their number. The check is a part of this file: a layer's weights and reference are made once. */
#include "broken.h"

#define main self_check
#include "ffn_selfcheck.c"
#undef main

int broken_text = -1;
unsigned char texts_reached[TEXTS];

enum { MOST_ROWS = 150, FEW_ROWS = 6 };

/* A kernel, or its training, under test. */
typedef struct subject {
  layer l;
  const ffn_kernel *kernel;
  unsigned char *packed, *work;
#ifdef TRAINED
  const ffn_training *training;
  gradients g;
#endif
} subject;

static const char *checked(subject *s) {
  double worst = 0;
  s->l.have_first = 0;
#ifdef TRAINED
  if (s->training) {
    s->g.have_first = 0, s->g.hash = 0;
    return check_training(&s->g, &s->l, s->training, s->packed, &worst);
  }
#endif
  return check(&s->l, s->kernel, s->packed, s->work, &worst);
}

/* Runs of any number of rows: of small numbers, and of few rows zeros, too. What comes out does not
 * matter. */
static void reach(const subject *s) {
  const ffn_kernel *k = s->kernel;
  const size_t most = k->max_tokens > 0 ? k->max_tokens : MOST_ROWS;
  const size_t work_bytes = ffn_work_bytes(k, 1, most);
  float *x = numbers(0, most * k->inputs, 1);
  float *y = (float *)need(most * k->outputs * sizeof *y);
#ifdef TRAINED
  const ffn_training *t = s->training;
  for (size_t rows = 1; t && rows <= most; rows++) {
    void *saved_block, *own_block;
    unsigned char *saved = need_aligned(ffn_saved_bytes(t, rows), &saved_block);
    unsigned char *own = need_aligned(ffn_train_work_bytes(t, 1), &own_block);
    float *dx = (float *)need(rows * k->inputs * sizeof *dx);
    ffn_gradients to = s->g.to;
    to.dx = dx;
    ffn_run_train(t, y, k->outputs, x, k->inputs, rows, saved, s->packed, own, NULL, NULL);
    ffn_grad(t, &to, y, k->outputs, x, k->inputs, rows, saved, s->packed, own, NULL, NULL);
    free(saved_block), free(own_block), free(dx);
  }
  if (t)
    return;
#endif
  for (size_t rows = 1; rows <= most; rows++)
    ffn_run(k, y, k->outputs, x, k->inputs, rows, s->packed, s->work, work_bytes, NULL);
  memset(x, 0, most * k->inputs * sizeof *x);
  for (size_t rows = 1; rows <= FEW_ROWS && rows <= most; rows++)
    ffn_run(k, y, k->outputs, x, k->inputs, rows, s->packed, s->work, work_bytes, NULL);
  free(x), free(y);
}

/* Of the texts: which are reached, broken, and noticed. */
static unsigned char reached[TEXTS], broken[TEXTS], noticed[TEXTS];

/* Breaks each `every`th of the texts that a subject reaches, until it is noticed. */
static void break_all(subject *s, const char *name, int every) {
  const char *wrong = checked(s);
  if (wrong) {
    printf("%s: %s, and no text is broken\n", name, wrong);
    exit(1);
  }
  memset(texts_reached, 0, sizeof texts_reached);
  reach(s);
  for (int text = 0; text < TEXTS; text++)
    reached[text] |= texts_reached[text];
  for (int text = 0, found = 0; text < TEXTS; text++) {
    found += reached[text];
    if (!reached[text] || noticed[text] || found % every != 0)
      continue;
    broken[text] = 1;
    broken_text = text;
    noticed[text] = checked(s) != NULL;
    broken_text = -1;
  }
}

static int count_of(const unsigned char *texts) {
  int sum = 0;
  for (int text = 0; text < TEXTS; text++)
    sum += texts[text];
  return sum;
}

int main(int count, char **arguments) {
  const int every = count > 1 ? atoi(arguments[1]) : 1;
  const unsigned cpu = ffn_cpu();
  for (const ffn_kernel *const *k = ffn_all(NULL); *k; k++) {
    void *packed_block, *work_block;
    subject s;
    if (!(cpu & 1u << (*k)->isa))
      continue;
    memset(&s, 0, sizeof s);
    s.kernel = *k;
    s.packed = need_aligned((*k)->packed_bytes, &packed_block);
    s.work = need_aligned(ffn_work_bytes(*k, 1, SIZE_MAX) + GUARD, &work_block);
    open_layer(&s.l, *k, cpu, s.packed);
    (*k)->pack(s.packed, &s.l.weights);
    break_all(&s, (*k)->name, every);
#ifdef TRAINED
    const ffn_training *t = ffn_training_of(*k);
    if (t && (*k)->profile == FFN_PROFILE_ANY && !checked(&s)) { /* which finds y */
      s.training = t;
      free(packed_block);
      s.packed = need_aligned(t->packed_bytes, &packed_block);
      t->pack_train(s.packed, &s.l.weights);
      open_gradients(&s.g, &s.l, cpu, t);
      break_all(&s, t->name, every);
      close_gradients(&s.g);
    }
#endif
    close_layer(&s.l);
    free(packed_block), free(work_block);
  }
  for (int text = 0; text < TEXTS; text++)
    if (broken[text] && !noticed[text])
      printf("text %d is broken, and the self-check says nothing\n", text);
  const int missed = count_of(broken) - count_of(noticed);
  printf("%d texts, %d reached, %d broken, %d missed\n", TEXTS, count_of(reached), count_of(broken),
         missed);
  return missed > 0;
}
