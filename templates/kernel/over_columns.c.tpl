%% takes: fn, task, about, gradients, part_at, N
% -- Sums over tokens of the operand alone: biases.
/* ${about} */
static void ${fn}_columns(const ${task} *task) {
% for p, gradient in ipairs(gradients) do
  ffn_sum_columns(
      task, ${gradient},
      task->in${part_at(p)}, ${N}_INPUTS, ${N}_ROW);
% end
}
