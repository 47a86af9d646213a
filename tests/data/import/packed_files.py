"""Makes the models of packed/ with the code of public packages: each packs random rows itself and
reads them back; what it reads, in f32, is told by a hash in expected.json.

    python3 tests/data/import/packed_files.py DIR     write them into DIR
    python3 tests/data/import/packed_files.py         make them and compare with those beside this file

compressed-tensors and transformers are imported; of auto-gptq and autoawq, which need a GPU or other
versions of what they import, single files are run from where PYTHONPATH has them. versions.json
names the packages that made them.
"""

import filecmp
import hashlib
import importlib.metadata
import importlib.util
import json
import os
import sys
import tempfile
import types

import numpy
import safetensors.torch
import torch
import transformers
from compressed_tensors.compressors import BaseCompressor
from compressed_tensors.quantization import QuantizationArgs, QuantizationConfig, QuantizationScheme
from compressed_tensors.quantization.utils import calculate_qparams
from transformers.integrations.mxfp4 import convert_moe_packed_tensors

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "packed")
D, F, GROUP = 64, 32, 32


def file_of(path):
    """A file of a package, run without the package around it."""
    for folder in sys.path:
        if os.path.exists(os.path.join(folder, path)):
            name = path[:-3].replace("/", ".")
            for i in range(1, name.count(".") + 1):
                parent = ".".join(name.split(".")[:i])
                if parent not in sys.modules:
                    sys.modules[parent] = types.ModuleType(parent)
                    sys.modules[parent].__path__ = [os.path.join(folder, parent.replace(".", "/"))]
            spec = importlib.util.spec_from_file_location(name, os.path.join(folder, path))
            module = sys.modules[name] = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            return module
    raise ImportError(path)


def config_of(quantization, **more):
    return dict({"model_type": "llama", "hidden_size": D, "intermediate_size": F,
                 "num_hidden_layers": 1, "hidden_act": "silu", "rms_norm_eps": 1e-6,
                 "quantization_config": quantization}, **more)


def of_modules(pack):
    """Tensors of a layer and the floats of its rows; pack(rows) gives those of a module."""
    tensors = {"model.layers.0.post_attention_layernorm.weight": torch.ones(D)}
    floats = []
    for name, outputs, inputs in (("gate", F, D), ("up", F, D), ("down", D, F)):
        own, rows = pack(torch.randn(outputs, inputs))
        for tail, tensor in own.items():
            tensors[f"model.layers.0.mlp.{name}_proj.{tail}"] = tensor.contiguous()
        assert rows.dtype == torch.float32 and rows.shape == (outputs, inputs)
        floats.append(rows.reshape(-1))
    return tensors, torch.cat(floats)


def compressed(name, activations=None, **weights):
    args = QuantizationArgs(**weights)
    scheme = QuantizationScheme(targets=["Linear"], weights=args, input_activations=activations)
    compressor = BaseCompressor.get_value_from_registry(name)

    def pack(rows):
        group = args.group_size if args.group_size and args.group_size > 0 else rows.shape[1]
        parts = rows.reshape(rows.shape[0], -1, group)
        scale, zero = calculate_qparams(parts.amin(-1), parts.amax(-1), args)
        scale = scale.to(torch.bfloat16)
        state = {"weight": rows, "weight_scale": scale, "weight_zero_point": zero}
        own = compressor.compress(dict(state), scheme)
        back = compressor.decompress(dict(own, weight_scale=scale.float()), scheme)
        return own, back["weight"].float()

    tensors, floats = of_modules(pack)
    config = QuantizationConfig(config_groups={"group_0": scheme}, format=name, ignore=["lm_head"],
                                quantization_status="compressed")
    return config_of(json.loads(config.model_dump_json())), tensors, floats


def groups_of(rows):
    """Scales and zeros of nibbles: what both expect to be told."""
    parts = rows.reshape(rows.shape[0], -1, GROUP)
    low, high = parts.amin(-1).clamp(max=0), parts.amax(-1).clamp(min=0)
    scale = ((high - low) / 15).half().float()
    return scale, torch.round(-low / scale).clamp(1, 15)


def linear_of(rows):
    linear = torch.nn.Linear(rows.shape[1], rows.shape[0], bias=False)
    linear.weight.data = rows.clone()
    return linear


def gptq():
    module = file_of("auto_gptq/nn_modules/qlinear/qlinear_cuda_old.py")

    def pack(rows):
        scale, zero = groups_of(rows)
        own = module.QuantLinear(4, GROUP, rows.shape[1], rows.shape[0], False)
        own.pack(linear_of(rows), scale.clone(), zero.clone(), None)
        tensors = {k: v.half() if k == "scales" else v for k, v in own.state_dict().items()}
        own.scales = tensors["scales"].float()
        return tensors, own(torch.eye(rows.shape[1])).T.contiguous()

    tensors, floats = of_modules(pack)
    return config_of({"quant_method": "gptq", "bits": 4, "group_size": GROUP, "desc_act": False,
                      "sym": False, "damp_percent": 0.01, "true_sequential": True}), tensors, floats


def awq():
    file_of("awq/utils/module.py")
    unpack = file_of("awq/utils/packing_utils.py")
    device = sys.modules["awq.utils.utils"] = types.ModuleType("awq.utils.utils")
    device.get_best_device = lambda: "cpu"
    module = file_of("awq/modules/linear/gemm.py")

    def pack(rows):
        scale, zero = groups_of(rows)
        own = module.WQLinear_GEMM.from_linear(linear_of(rows), 4, GROUP, False,
                                               scale.T.contiguous(), zero.T.contiguous())
        back = unpack.dequantize_gemm(own.qweight, own.qzeros, own.scales.float(), 4, GROUP)
        return dict(own.state_dict()), back.T.contiguous()

    tensors, floats = of_modules(pack)
    return config_of({"quant_method": "awq", "bits": 4, "group_size": GROUP, "version": "gemm",
                      "zero_point": True, "modules_to_not_convert": None}), tensors, floats


def mxfp4():
    at, tensors, rows, biases = "model.layers.0.mlp.experts.", {}, {}, {}
    for name, outputs, inputs in (("gate_up_proj", 2 * F, D), ("down_proj", D, F)):
        blocks = torch.randint(0, 256, (2, outputs, inputs // 32, 16), dtype=torch.uint8)
        scales = torch.randint(100, 140, (2, outputs, inputs // 32), dtype=torch.uint8)
        biases[name] = torch.randn(2, outputs).to(torch.bfloat16)
        tensors.update({at + name + "_blocks": blocks, at + name + "_scales": scales,
                        at + name + "_bias": biases[name]})
        # What transformers has is [expert][in][out].
        rows[name] = convert_moe_packed_tensors(blocks, scales, dtype=torch.float32)
        assert rows[name].shape == (2, inputs, outputs)
    tensors["model.layers.0.post_attention_layernorm.weight"] = torch.ones(D)
    floats = []
    for e in range(2):
        gate_up, bias = rows["gate_up_proj"][e], biases["gate_up_proj"][e].float()
        # As GptOssExperts takes them: gate is every other one, from the first on.
        floats += [gate_up[:, ::2].T, bias[::2], gate_up[:, 1::2].T, bias[1::2],
                   rows["down_proj"][e].T, biases["down_proj"][e].float()]
    config = config_of({"quant_method": "mxfp4", "modules_to_not_convert": [
        "model.layers.*.self_attn", "model.layers.*.mlp.router", "model.embed_tokens", "lm_head"]},
        model_type="gpt_oss", num_local_experts=2, num_experts_per_tok=1)
    del config["hidden_act"]
    return config, tensors, torch.cat([f.reshape(-1) for f in floats])


INT4 = dict(num_bits=4, strategy="group", group_size=GROUP)
MODELS = {
    "packed": lambda: compressed("pack-quantized", symmetric=True, **INT4),
    "packed_zeros": lambda: compressed("pack-quantized", symmetric=False, **INT4),
    "bytes": lambda: compressed("int-quantized", num_bits=8, strategy="channel"),
    "f8": lambda: compressed("float-quantized", num_bits=8, type="float", strategy="channel"),
    "gptq": gptq, "awq": awq, "mxfp4": mxfp4,
}


def make(folder):
    expected = {}
    for name in sorted(MODELS):
        torch.manual_seed(1)
        config, tensors, floats = MODELS[name]()
        at = os.path.join(folder, "origin_" + name)
        os.makedirs(at, exist_ok=True)
        with open(os.path.join(at, "config.json"), "w", encoding="utf-8") as file:
            json.dump(config, file, indent=1)
            file.write("\n")
        safetensors.torch.save_file(tensors, os.path.join(at, "model.safetensors"))
        # A -0 is told as 0.
        data = (floats.numpy().astype("<f4") + numpy.float32(0)).tobytes()
        expected["origin_" + name] = {"floats": len(data) // 4,
                                      "sha256": hashlib.sha256(data).hexdigest()}
    versions = {"transformers": transformers.__version__, "torch": torch.__version__.split("+")[0],
                "compressed-tensors": importlib.metadata.version("compressed-tensors"),
                "auto-gptq": "0.7.1", "autoawq": "0.2.9"}
    for name, value in (("expected", expected), ("versions", versions)):
        with open(os.path.join(folder, name + ".json"), "w", encoding="utf-8") as file:
            json.dump(value, file, indent=1)
            file.write("\n")


def main(argv):
    if len(argv) > 1:
        make(argv[1])
        return 0
    wrong = []
    with tempfile.TemporaryDirectory() as made:
        make(made)
        for folder, _, files in os.walk(made):
            for file in files:
                path = os.path.relpath(os.path.join(folder, file), made)
                here = os.path.join(HERE, path)
                if not os.path.exists(here) or not filecmp.cmp(here, os.path.join(folder, file),
                                                               shallow=False):
                    wrong.append(path)
    for path in wrong:
        print("differs:", path)
    print(len(MODELS), "models,", len(wrong), "files differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
