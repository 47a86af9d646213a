%% takes: own, layer
% -- How several outputs of x are run: each where it belongs, or side by side.
/* All rows of a call, all ${#layer.beside} outputs; x and y begin at any float. */
static void ${own}run_forward(const ffn_kernel *kernel, const ffn_call *call) {
  ffn_destination beside[${#layer.beside}];
  ffn_part parts[${#layer.beside}];
  ffn_outputs_run(&${own}forward, kernel, call, beside, parts);
}
