%% takes: fn, task, beside, before
/* The same rows and columns, behind the outputs before it. */
static void ${beside}_columns(const ${task} *task) {
  ${task} own = *task;
  own.out += ${before};
  ${fn}_columns(&own);
}
