"""A whole Llama on ffngen's kernels, in plain loops of C, and by transformers, in turns, on two
threads each: tokens per second of reading a prompt and of greedy decoding. llama.sh makes what
this page of Python needs.

    llama.py make FOLDER usual|small     saves a model with random weights
    llama.py time FOLDER TURNS           times all; ends with an error if their tokens differ
"""
import ctypes
import statistics
import sys
import time
import warnings

import torch
import transformers

THREADS, PROMPT, FOLLOW = 2, 64, 32
SIZES = {
    'usual': dict(hidden_size=1024, intermediate_size=2816, num_hidden_layers=8,
                  num_attention_heads=16, num_key_value_heads=4, vocab_size=8192),
    'small': dict(hidden_size=64, intermediate_size=96, num_hidden_layers=2,
                  num_attention_heads=4, num_key_value_heads=2, vocab_size=256),
}
warnings.simplefilter('ignore')
transformers.logging.set_verbosity_error()
transformers.utils.logging.disable_progress_bar()
torch.set_num_threads(THREADS)


def make(folder, size):
    torch.manual_seed(1)
    config = transformers.LlamaConfig(tie_word_embeddings=False, initializer_range=0.1,
                                      max_position_embeddings=256, **SIZES[size])
    transformers.LlamaForCausalLM(config).save_pretrained(folder)


class Library:
    """The example, compiled as a library."""

    def __init__(self, folder, format, kind):
        self.library = ctypes.CDLL(f'{folder}/{format}/{kind}.so')
        self.library.llama_open.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
        self.library.llama_take.argtypes = [ctypes.POINTER(ctypes.c_size_t), ctypes.c_size_t,
                                            ctypes.c_size_t]
        self.library.llama_take.restype = ctypes.c_size_t
        self.library.llama_open(f'{folder}/{format}/model.ffn'.encode(), PROMPT + FOLLOW)

    def take(self, tokens, position):
        return self.library.llama_take((ctypes.c_size_t * len(tokens))(*tokens), len(tokens),
                                       position)


class Transformers:
    def __init__(self, folder):
        self.model = transformers.LlamaForCausalLM.from_pretrained(
            f'{folder}/model', dtype=torch.float32)
        self.cache = None

    def take(self, tokens, position):
        if position == 0:
            self.cache = transformers.DynamicCache()
        with torch.inference_mode():
            out = self.model(torch.tensor([tokens]), past_key_values=self.cache, use_cache=True,
                             logits_to_keep=1)
        return int(out.logits[0, -1].argmax())


def turn(subject, prompt):
    """The seconds of the prompt, of a token after it, and the tokens."""
    began = time.perf_counter()
    tokens = [subject.take(prompt, 0)]
    read = time.perf_counter() - began
    began = time.perf_counter()
    for position in range(PROMPT, PROMPT + FOLLOW - 1):
        tokens.append(subject.take(tokens[-1:], position))
    return read, (time.perf_counter() - began) / (FOLLOW - 1), tokens


def measure(folder, turns):
    subjects = {'ffngen f32': Library(folder, 'f32', 'kernels'),
                'plain C f32': Library(folder, 'f32', 'plain'),
                f'transformers {transformers.__version__}, torch {torch.__version__}, f32':
                    Transformers(folder),
                'ffngen q4_0': Library(folder, 'q4_0', 'kernels'),
                'plain C, floats of q4_0': Library(folder, 'q4_0', 'plain')}
    prompt = torch.randint(0, 256, [PROMPT], generator=torch.Generator().manual_seed(2)).tolist()
    seconds, said, names = {name: [] for name in subjects}, {}, list(subjects)
    for index in range(turns + 1):  # the first turn is for warming up
        for name in names[index % len(names):] + names[:index % len(names)]:
            *times, tokens = turn(subjects[name], prompt)
            if said.setdefault(name, tokens) != tokens:
                sys.exit(f'llama: {name} says other tokens in another turn')
            if index > 0:
                seconds[name].append(times)
    for name in names:
        like = names[3 if 'q4_0' in name else 0]
        if said[name] != said[like]:
            sys.exit(f'llama: {name} says {said[name]}, {like} says {said[like]}')
    print(f'tokens per second, {THREADS} threads, medians of {turns} turns: a prompt of {PROMPT} '
          f'tokens, and {FOLLOW - 1} tokens behind it')
    first = seconds[names[0]]
    for name in names:
        middle = [statistics.median(t[i] for t in seconds[name]) for i in (0, 1)]
        ratio = [statistics.median(b[i] / a[i] for a, b in zip(first, seconds[name]))
                 for i in (0, 1)]
        print(f'  {name:45} prompt {PROMPT / middle[0]:8.1f} (time x{ratio[0]:.2f})   '
              f'decoding {1 / middle[1]:8.1f} (time x{ratio[1]:.2f})')


if sys.argv[1] == 'make':
    make(sys.argv[2], sys.argv[3])
else:
    measure(sys.argv[2], int(sys.argv[3]))
