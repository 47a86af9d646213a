"""What torch follows: recording, batching, derivatives, compiling. Right, or an error that names
the argument, and never what nobody wrote."""
import copy
import io
import sys
import threading
import types
import unittest
import warnings
from unittest import mock

import ffn
import numpy as np

try:
    import torch
    from torch.autograd import forward_ad
except ImportError:
    torch = None

SPEC = """
local build = { { isa = { 'c' } } }
mlp 'chain' { d_model = 5, layers = { { 7, 'relu' }, { 3 } }, backward = true, build = build }
ffn 'beta' { variant = 'swish', d_model = 5, d_ff = 7, build = build }
linear 'several' { d_model = 5, d_out = { q = 3, k = 4 }, build = build }
"""
PLAIN = "linear 'plain' { d_model = 5, d_out = 3, build = { { isa = { 'c' } } } }\n"


@unittest.skipIf(torch is None, "torch is not installed")
class Watched(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.layers = ffn.load(SPEC + PLAIN)

    def setUp(self):
        torch.manual_seed(3)
        self.x = torch.randn(4, 5)
        self.net = torch.nn.Sequential(torch.nn.Linear(5, 7, bias=False), torch.nn.ReLU(),
                                       torch.nn.Linear(7, 3, bias=False))
        self.mine = ffn.torch.module(self.layers["chain"], self.net.state_dict())
        self.layer = self.layers["chain"].pack(self.net.state_dict())
        caught = warnings.catch_warnings()
        caught.__enter__()
        warnings.simplefilter("ignore")
        self.addCleanup(caught.__exit__, None, None, None)

    def callers(self):
        """Whatever takes a tensor, in every mode."""
        fixed = ffn.torch.module(self.layers["plain"])
        yield "trained", self.mine.train()
        yield "frozen", copy.deepcopy(self.mine).eval().requires_grad_(False)
        yield "in a net", torch.nn.Sequential(torch.nn.Tanh(), self.mine)
        yield "not trained", fixed
        yield "layer", lambda t: self.layer(t)
        yield "out", lambda t: self.layer(t, out=torch.empty(*t.shape[:-1], 3))
        yield "add", lambda t: self.layer.add(t, torch.zeros(*t.shape[:-1], 3))
        yield "reference", lambda t: torch.from_numpy(self.layer.reference(t)[0])
        trainer = self.layer.trainer(self.net.state_dict())
        yield "trainer", lambda t: trainer(t)

    def refused(self, kind, begins, call):
        for name, function in self.callers():
            with self.subTest(name), self.assertRaisesRegex(kind, begins):
                call(function)

    def test_traces(self):
        self.refused(RuntimeError, "^x: torch.jit.trace, with which torch.onnx.export may begin, "
                                   "records what torch computes",
                     lambda f: torch.jit.trace(f, (self.x,), check_trace=False))
        with self.assertRaisesRegex(RuntimeError, "^0.weight: torch.jit.trace"):
            torch.jit.trace(lambda w: self.layers["chain"].pack(
                {"0.weight": w, "1.weight": w}) and w, (torch.ones(7, 5),), check_trace=False)
        self.assertTrue(torch.equal(self.mine(self.x), self.layer(self.x)))  # and is over then

    def test_legacy_export(self):
        try:
            torch.onnx.export(self.net, (self.x,), io.BytesIO(), dynamo=False)
        except Exception as missing:
            self.skipTest(f"torch exports nothing here: {missing}")
        with self.assertRaisesRegex(RuntimeError, "^x: torch.jit.trace, with which"):
            torch.onnx.export(self.mine, (self.x,), io.BytesIO(), dynamo=False)

    def test_scripts(self):
        for made in (self.mine, torch.nn.Sequential(torch.nn.Tanh(), self.mine)):
            with self.assertRaisesRegex(RuntimeError, "^chain: torch.jit.script compiles"):
                torch.jit.script(made)
        with self.assertRaisesRegex(TypeError, "^x: chain expected a torch.Tensor, given Proxy"):
            torch.fx.symbolic_trace(self.mine)

    def test_records(self):
        from torch._subclasses.fake_tensor import FakeTensorMode
        from torch.fx.experimental.proxy_tensor import make_fx
        told = "^x: torch.export, make_fx or a FakeTensorMode records"
        for mode in ("real", "fake", "symbolic"):
            self.refused(RuntimeError, told, lambda f: make_fx(f, tracing_mode=mode)(self.x))
        fake = FakeTensorMode()
        given = fake.from_tensor(self.x)
        with self.assertRaisesRegex(RuntimeError, told):
            self.mine(given)
        with fake, self.assertRaisesRegex(RuntimeError, told):
            self.mine(given)
        with self.assertRaisesRegex(RuntimeError, told[1:]):
            torch.export.export(self.mine, (self.x,), strict=False)
        with self.assertRaisesRegex(Exception, "ffn|disable"):
            torch.export.export(self.mine, (self.x,), strict=True)
        functional = torch._to_functional_tensor(self.x)
        with self.assertRaisesRegex(RuntimeError, told):
            self.mine(functional)

    def test_transforms(self):
        told = r"^x: ffn computes beside the transforms of torch.func \(vmap"
        f = torch.func
        for transform in (lambda g: f.vmap(g)(self.x), lambda g: f.vjp(g, self.x),
                          lambda g: f.jvp(g, (self.x,), (self.x,)),
                          lambda g: f.grad(lambda t: g(t).sum())(self.x),
                          lambda g: f.functionalize(g)(self.x),
                          lambda g: f.jacrev(g)(self.x), lambda g: f.jacfwd(g)(self.x),
                          lambda g: f.hessian(lambda t: g(t).sum())(self.x)):
            self.refused(NotImplementedError, told, transform)
        weights = dict(self.mine.named_parameters())
        with self.assertRaisesRegex(NotImplementedError, r"^\d.weight: ffn computes beside"):
            f.grad(lambda w: f.functional_call(self.mine, w, (self.x,)).sum())(weights)
        # What does not go through the layer may be transformed.
        y = f.vmap(lambda s: self.layer(self.x) * s)(torch.ones(2, 1))
        self.assertTrue(torch.equal(y[1], self.layer(self.x)))
        replaced = {name: 2 * value.detach() for name, value in weights.items()}
        called = f.functional_call(self.mine, replaced, (self.x,))
        self.assertTrue(torch.allclose(called, 4 * self.mine(self.x), atol=1e-5))

    def test_batched_gradients(self):
        x = self.x.clone().requires_grad_()
        y = self.mine(x)
        with self.assertRaisesRegex(NotImplementedError, "^dy: ffn computes beside"):
            torch.autograd.grad(y, x, torch.ones(2, *y.shape), is_grads_batched=True)
        found = torch.autograd.functional.jacobian(self.mine, self.x)
        wanted = torch.autograd.functional.jacobian(self.net, self.x)
        self.assertTrue(torch.allclose(found, wanted, atol=1e-5))

    def test_tangents(self):
        told = "^x: it has a tangent, and ffn has no forward-mode derivatives"
        with forward_ad.dual_level():
            dual = forward_ad.make_dual(self.x, torch.ones_like(self.x))
            self.refused(NotImplementedError, told, lambda f: f(dual))
            with torch.no_grad(), self.assertRaisesRegex(NotImplementedError, told):
                self.mine(dual)
            weights = {name: forward_ad.make_dual(value.detach(), torch.ones_like(value))
                       for name, value in self.mine.named_parameters()}
            with self.assertRaisesRegex(NotImplementedError, "^0.weight: it has a tangent"):
                torch.func.functional_call(self.mine, weights, (self.x,))
            with self.assertRaisesRegex(NotImplementedError, r"^0.weight.*: it has a tangent"):
                self.layers["chain"].pack(weights)
            one = forward_ad.make_dual(torch.tensor(1.0), torch.tensor(1.0))
            with self.assertRaisesRegex(NotImplementedError, "^scale: it has a tangent"):
                self.layer.add(self.x, torch.zeros(4, 3), one)
            beta = self.layers["beta"]
            with self.assertRaisesRegex(NotImplementedError, "^beta: it has a tangent"):
                beta.pack({**{name: torch.ones(shape) for name, shape in beta.shapes.items()},
                           "beta": one})
            self.assertTrue(torch.equal(self.mine(dual.detach()), self.mine(self.x)))
            self.assertTrue(torch.equal(self.mine(self.x), self.layer(self.x)))

    def test_tangents_of_gradients(self):
        x = self.x.clone().requires_grad_()
        y = self.mine(x)
        with forward_ad.dual_level():
            dy = forward_ad.make_dual(torch.ones_like(y), torch.ones_like(y))
            with self.assertRaisesRegex(NotImplementedError, "^dy: it has a tangent"):
                torch.autograd.grad(y, x, dy)

    def test_second_derivatives(self):
        x = self.x.clone().requires_grad_()
        for weight in (torch.ones(4, 3), torch.ones(4, 3, requires_grad=True)):
            dx, = torch.autograd.grad(self.mine(x), x, weight, create_graph=True)
            self.assertTrue(torch.allclose(dx, torch.autograd.grad(self.net(x).sum(), x)[0],
                                           atol=1e-5))
            loss = self.mine(x).sum() + dx.square().sum()  # whose second part would be a constant
            with self.assertRaisesRegex(NotImplementedError,
                                        "^chain: ffn gives no gradients of gradients"):
                loss.backward()

    def test_second_derivatives_of_what_is_named(self):
        loss = lambda x: self.mine(x).square().sum()
        for asked in (
                lambda: torch.autograd.functional.hessian(loss, self.x),
                lambda: torch.autograd.functional.hvp(loss, self.x, self.x),
                lambda: torch.autograd.functional.vhp(loss, self.x, self.x),
                lambda: torch.autograd.functional.jvp(self.mine, self.x, self.x)):
            with self.assertRaisesRegex(NotImplementedError, "ffn gives no gradients of gradients"):
                asked()
        x, weights = self.x.clone().requires_grad_(), list(self.mine.parameters())
        for last in (lambda t: torch.autograd.grad(t, weights),
                     lambda t: torch.autograd.grad(t, weights, allow_unused=True),
                     lambda t: t.backward(inputs=weights)):
            dx, = torch.autograd.grad(loss(x), x, create_graph=True)
            with self.assertRaisesRegex(NotImplementedError, "ffn gives no gradients of gradients"):
                last(self.mine(self.x).mean() + dx.square().sum())

    def test_compiled(self):
        net = torch.nn.Sequential(torch.nn.Linear(5, 5), self.mine, torch.nn.Tanh())
        torch._dynamo.reset()
        made = torch.compile(net, backend="eager")
        gradients = []
        for each in (net, made):
            net.zero_grad()
            y = each(self.x)
            y.square().sum().backward()
            gradients.append([y, *(p.grad.clone() for p in net.parameters())])
        for one, other in zip(*gradients):
            self.assertTrue(torch.equal(one, other))
        y = torch.compile(lambda t: self.layer(2 * t) + 1, backend="eager")(self.x)
        self.assertTrue(torch.equal(y, self.layer(2 * self.x) + 1))
        torch._dynamo.reset()
        with self.assertRaisesRegex(Exception, "ffn computes beside torch"):
            torch.compile(net, backend="eager", fullgraph=True)(self.x)

    def test_modes(self):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            self.assertTrue(torch.equal(self.mine(self.x), self.layer(self.x)))
            with self.assertRaisesRegex(TypeError, "^x: chain computes in float32 on the CPU, "
                                                   "given torch.bfloat16"):
                self.mine(torch.nn.Linear(5, 5)(self.x))
            self.mine(self.x).sum().backward()
        for mode in (torch.no_grad, torch.inference_mode):
            for training in (False, True):
                with mode():
                    y = self.mine.train(training)(self.x.clone())
                    self.assertFalse(y.requires_grad)
                    self.assertTrue(torch.equal(y, self.layer(self.x)))
        with torch.inference_mode():
            kept, out = self.x.clone(), torch.zeros(4, 3)
            self.assertTrue(torch.equal(self.layer(kept, out=out), self.layer(self.x)))
        self.mine(kept).sum().backward()

    def test_checkpoints(self):
        from torch.utils.checkpoint import checkpoint
        parts = [torch.nn.Linear(5, 5), self.mine, torch.nn.Linear(3, 2)]
        net = torch.nn.Sequential(*parts)
        found = []
        for call in (net, lambda x: checkpoint(net, x, use_reentrant=False),
                     lambda x: checkpoint(net, x, use_reentrant=True)):
            net.zero_grad()
            x = self.x.clone().requires_grad_()
            call(x).square().sum().backward()
            found.append([x.grad, *(p.grad.clone() for p in net.parameters())])
        for other in found[1:]:
            for one, two in zip(found[0], other):
                self.assertTrue(torch.equal(one, two))

    def test_changes_in_place(self):
        """Gradients are of what the call saw, of x and of weights; torch's own module refuses."""
        weight = self.mine.get_parameter("0.weight")
        wanted = torch.autograd.grad(self.mine(self.x).square().sum(), list(self.mine.parameters()))
        x = self.x.clone()
        y = self.mine(x)
        with torch.no_grad():
            weight.mul_(3)
            x.zero_()
        found = torch.autograd.grad(y.square().sum(), list(self.mine.parameters()))
        for one, other in zip(wanted, found):
            self.assertTrue(torch.equal(one, other))

    def test_writes_in_place(self):
        """What a layer writes over is refused where torch keeps it for a gradient."""
        several = self.layers["several"]
        several = several.pack({name: torch.ones(shape) for name, shape in several.shapes.items()})
        trainer = self.layer.trainer(self.net.state_dict())

        def gradients(out):
            trainer(self.x)
            trainer.grad(np.ones((4, 3), np.float32), ["x"], out={"x": out})
        for width, write in ((3, lambda out: self.layer(self.x, out=out)),
                             (3, lambda out: self.layer.add(self.x, out)),
                             (4, lambda out: several(self.x, out={"k": out})),
                             (3, lambda out: trainer(self.x, out=out)), (5, gradients)):
            factor, out = torch.ones(4, width, requires_grad=True), torch.ones(4, width)
            loss = (factor * out).sum()  # keeps out
            write(out)
            with self.assertRaisesRegex(RuntimeError, "modified by an inplace operation"):
                loss.backward()
        with self.assertRaisesRegex(TypeError, "^scale: expected a number that asks for no"):
            self.layer.add(self.x, torch.zeros(4, 3), torch.tensor(2.0, requires_grad=True))

    def test_defaults(self):
        wanted = torch.autograd.grad(self.mine.train()(self.x).sum(), list(self.mine.parameters()))
        torch.manual_seed(5)
        begun = dict(ffn.torch.module(self.layers["chain"]).state_dict())
        self.addCleanup(torch.set_default_dtype, torch.get_default_dtype())
        torch.set_default_dtype(torch.float64)
        for device in ("cpu", "meta"):
            with torch.device(device):
                torch.manual_seed(5)
                for name, value in ffn.torch.module(self.layers["chain"]).state_dict().items():
                    self.assertTrue(torch.equal(value, begun[name]))
                made = ffn.torch.module(self.layers["chain"], self.net.state_dict()).train()
                y = made(self.x)
                self.assertEqual((y.dtype, y.device.type), (torch.float32, "cpu"))
                self.assertTrue(torch.equal(y, self.layer(self.x)))
                for one, other in zip(wanted, torch.autograd.grad(y.sum(), made.parameters())):
                    self.assertTrue(torch.equal(one, other))
                torch.autograd.grad(made(self.x).sum(), made.parameters(), create_graph=True)

    def test_copies(self):
        self.mine(self.x).sum().backward()
        kept = io.BytesIO()
        torch.save(self.mine, kept)
        kept.seek(0)
        for made in (copy.deepcopy(self.mine), copy.copy(self.mine),
                     torch.load(kept, weights_only=False)):
            self.assertTrue(torch.equal(made(self.x), self.mine(self.x)))
        other = copy.deepcopy(self.mine)
        other.get_parameter("0.weight").data.zero_()
        self.assertFalse(other(self.x).any())
        self.assertTrue(self.mine(self.x).any())
        kept = io.BytesIO()
        torch.save(self.mine.state_dict(), kept)
        kept.seek(0)
        other.load_state_dict(torch.load(kept, weights_only=True))
        self.assertTrue(torch.equal(other(self.x), self.mine(self.x)))

    def test_threads(self):
        wanted = torch.autograd.grad(self.mine(self.x).square().sum(), list(self.mine.parameters()))
        wrong = []

        def learn():
            for _ in range(20):
                y = self.mine(self.x)
                found = torch.autograd.grad(y.square().sum(), list(self.mine.parameters()))
                if not all(torch.equal(a, b) for a, b in zip(found, wanted)):
                    wrong.append(found)

        threads = [threading.Thread(target=learn) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_what_is_no_such_tensor(self):
        for bad, told in (([[1.0] * 5], "given list"), (None, "given NoneType"),
                          (np.ones((1, 5), np.float32), "given ndarray")):
            with self.assertRaisesRegex(TypeError, "^x: chain expected a torch.Tensor, " + told):
                self.mine(bad)
        nested = torch.nested.nested_tensor([torch.ones(2, 5), torch.ones(3, 5)])
        for bad, told in ((self.x.to_sparse(), "tensor of torch.sparse_coo: to_dense()"),
                          (self.x.to_sparse_csr(), "tensor of torch.sparse_csr: to_dense()"),
                          (nested, r"nested tensor: to_padded_tensor\(\)")):
            with self.assertRaisesRegex(TypeError, "^x: chain expected a dense tensor, given a "
                                                   + told):
                self.mine(bad)
        for shape in ((), (4,), (3, 4), (2, 3, 0)):
            with self.assertRaisesRegex(ValueError, r"^x: expected shape \(..., 5\), given"):
                self.mine(torch.ones(shape))
        wanted = self.net(self.x)
        for given in (torch._neg_view(-self.x), self.x.T.contiguous().T, self.x[:, None].expand(
                4, 2, 5)[:, 1], torch.nn.Parameter(self.x)):
            self.assertTrue(torch.allclose(self.mine(given), wanted, atol=1e-5))
        self.mine.get_parameter("0.weight").data = torch.ones(7, 4)
        with self.assertRaisesRegex(ValueError, r"0.weight: expected shape \(7, 5\)"):
            self.mine(self.x)


class StandIn(types.ModuleType):
    """As much of torch as tells what follows a tensor; where torch is not installed, too."""

    class Tensor:
        """Rows that NumPy has."""

        def __init__(self, array):
            self.array, self.changes, self.wrapped, self.tangent = array, 0, False, None
            self.shape = array.shape

        def data_ptr(self):
            return self.array.ctypes.data

        def numpy(self):
            return self.array

        def new_empty(self, shape):
            return StandIn.Tensor(np.empty(shape, np.float32))

        def is_inference(self):
            return False

    def __init__(self):
        super().__init__("torch")
        space = types.SimpleNamespace
        self.trace = self.proxy = None
        self._C = space(_get_tracing_state=lambda: self.trace,
                        _functorch=space(is_functorch_wrapped_tensor=lambda t: t.wrapped),
                        _get_dispatch_mode=lambda key: self.proxy,
                        _TorchDispatchModeKey=space(PROXY=1))
        self.forward_ad = space(_current_level=-1, unpack_dual=lambda t: t)
        self.autograd = space(forward_ad=self.forward_ad,
                              graph=space(increment_version=self.change))

    def change(self, tensor):
        tensor.changes += 1


class BesideTorch(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        layer = ffn.load(PLAIN)["plain"]
        cls.weights = {"0.weight": np.ones((3, 5), np.float32)}
        cls.layer = layer.pack(cls.weights)

    def setUp(self):
        self.torch = StandIn()
        patched = mock.patch.dict(sys.modules, {"torch": self.torch})
        patched.start()
        self.addCleanup(patched.stop)
        self.x, self.out = (self.torch.Tensor(np.ones((4, width), np.float32)) for width in (5, 3))

    def refused(self, kind, told):
        """x, out and weights alike."""
        plain = np.ones((4, 5), np.float32)
        for name, call in (("x", lambda: self.layer(self.x)),
                           ("out", lambda: self.layer(plain, self.out)),
                           ("x", lambda: self.layer.reference(self.x)),
                           ("0.weight", lambda: self.layer.pack(self.torch_weights()))):
            with self.subTest(name), self.assertRaisesRegex(kind, f"^{name}: {told}"):
                call()

    def torch_weights(self):
        made = self.torch.Tensor(self.weights["0.weight"])
        made.wrapped, made.tangent = self.x.wrapped, self.x.tangent
        return {"0.weight": made}

    def test_what_is_followed(self):
        self.assertTrue((self.layer(self.x).array == 5).all())
        self.torch.trace = object()
        self.refused(RuntimeError, "torch.jit.trace")
        self.torch.trace, self.torch.proxy = None, object()
        self.refused(RuntimeError, "torch.export, make_fx")
        self.torch.proxy = None
        self.x.wrapped = self.out.wrapped = True
        self.refused(NotImplementedError, "ffn computes beside the transforms")
        self.x.wrapped = self.out.wrapped = False
        self.x.tangent = self.out.tangent = object()
        self.assertTrue((self.layer(self.x).array == 5).all())  # of a level that is left
        self.torch.forward_ad._current_level = 0
        self.refused(NotImplementedError, "it has a tangent")

    def test_what_is_written_has_changed(self):
        self.layer(self.x, self.out)
        self.assertEqual((self.x.changes, self.out.changes), (0, 1))
        self.layer.add(self.x, self.out)
        self.assertEqual(self.out.changes, 2)


if __name__ == "__main__":
    unittest.main()
