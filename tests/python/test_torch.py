"""A layer as a module of torch: its outputs, gradients and names beside torch's own."""
import unittest

import ffn

try:
    import torch
except ImportError:
    torch = None

SPEC = """
local build = { { isa = { 'c' } } }
ffn 'gated' {
  variant = 'swiglu_beta', d_model = 6, d_ff = 10, bias = true, backward = true, build = build,
}
mlp 'chain' {
  d_model = 5, layers = { { 7, 'relu' }, { 3 } }, backward = true, build = build,
  dropout = { hidden = 0.5 },
}
ffn 'two' { variant = 'xielu_glu', d_model = 4, d_ff = 6, backward = true, build = build }
linear 'plain' { d_model = 4, d_out = 2, build = build }
"""


@unittest.skipIf(torch is None, "torch is not installed")
class Torch(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.layers = ffn.load(SPEC)

    def setUp(self):
        torch.manual_seed(3)

    def net(self):
        return torch.nn.Sequential(torch.nn.Linear(5, 7, bias=False), torch.nn.ReLU(),
                                   torch.nn.Linear(7, 3, bias=False))

    def pair(self):
        """A net of torch's, and the same as a module here."""
        net = self.net()
        return net, ffn.torch.module(self.layers["chain"], net.state_dict())

    def test_gradients_are_torchs(self):
        net, mine = self.pair()
        mine.eval()
        x = torch.randn(2, 9, 5)
        given = [x.clone().requires_grad_() for _ in range(2)]
        outputs = [made(given[i]) for i, made in enumerate((net, mine))]
        self.assertTrue(torch.allclose(*outputs, atol=1e-5))
        for y in outputs:
            y.sum().backward()  # whose gradient has strides of 0
        self.assertTrue(torch.allclose(given[0].grad, given[1].grad, atol=1e-5))
        pairs = list(zip(net.named_parameters(), mine.named_parameters()))
        self.assertEqual(len(pairs), 2)
        for (name, wanted), (own, found) in pairs:
            self.assertEqual(own, name)
            self.assertTrue(torch.allclose(found.grad, wanted.grad, atol=1e-4), name)
        with torch.no_grad():
            self.assertTrue(torch.equal(mine(x), outputs[1]))
            self.assertTrue(torch.equal(mine.packed()(x), outputs[1]))

    def test_it_learns_as_torch_does(self):
        x = torch.randn(64, 5)
        target, losses = torch.tanh(x[:, :3]), []
        for made in self.pair():
            made.eval()  # without dropout, which torch's net lacks
            step = torch.optim.Adam(made.parameters(), lr=0.02)
            for _ in range(60):
                step.zero_grad()
                loss = torch.nn.functional.mse_loss(made(x), target)
                loss.backward()
                step.step()
            losses.append(loss.item())
        self.assertLess(losses[0], 0.5 * target.square().mean().item())
        self.assertAlmostEqual(losses[1], losses[0], delta=0.01 * losses[0])

    def test_graphs_of_several_calls(self):
        net, mine = self.pair()
        mine.eval()
        one, two = torch.randn(4, 5), torch.randn(6, 5)
        for made in (net, mine):
            a, b = made(one), made(two)  # before any gradient
            (a.square().sum() + b.sum()).backward()
            made(one).sum().backward()  # is added
            y = made(one)
            with torch.no_grad():
                for parameter in made.parameters() if made is mine else ():
                    parameter.mul_(1)  # what the graph needs is copied
            y.sum().backward(retain_graph=True)
        self.assertTrue(torch.allclose(mine.get_parameter("0.weight").grad, net[0].weight.grad,
                                       atol=1e-4))
        net[0].weight.data.zero_(), mine.get_parameter("0.weight").data.zero_()
        self.assertTrue(torch.allclose(mine(one), net(one), atol=1e-5))  # weights as they are

    def test_what_is_not_wanted_is_not_computed(self):
        _, mine = self.pair()
        mine.get_parameter("2.weight").requires_grad_(False)
        mine(torch.randn(3, 5)).sum().backward()
        self.assertIsNone(mine.get_parameter("2.weight").grad)
        self.assertIsNotNone(mine.get_parameter("0.weight").grad)

    def test_dropout(self):
        _, mine = self.pair()
        x = torch.randn(50, 5)

        def call(seed):
            torch.manual_seed(seed)
            return mine(x)
        self.assertTrue(torch.equal(call(1), call(1)))
        self.assertFalse(torch.equal(call(1), call(2)))
        torch.manual_seed(1)
        self.assertFalse(torch.equal(mine(x), mine(x)))
        with torch.no_grad():
            self.assertTrue(torch.equal(call(1), call(1)))
            self.assertFalse(torch.equal(call(1), call(2)))  # as torch's does
        # The gradient is that of what was dropped: y is linear in the second matrix.
        y = call(1)
        y.sum().backward()
        second = mine.get_parameter("2.weight")
        self.assertAlmostEqual((second * second.grad).sum().item(), y.sum().item(), delta=1e-3)
        mine.eval()
        self.assertTrue(torch.equal(mine(x), mine(x)))

    def test_names(self):
        net, mine = self.pair()
        self.assertEqual(list(mine.state_dict()), list(net.state_dict()))
        other = self.net()
        mine.load_state_dict(other.state_dict())
        net.load_state_dict(mine.state_dict())
        x = torch.randn(3, 5)
        self.assertTrue(torch.allclose(mine.eval()(x), other(x), atol=1e-5))
        behind = {"model.net." + name: value for name, value in net.state_dict().items()}
        self.assertEqual(list(ffn.torch.module(self.layers["chain"], behind).state_dict()),
                         list(net.state_dict()))
        linear = ffn.torch.module(self.layers["plain"])
        self.assertEqual(list(linear.state_dict()), ["weight"])
        self.assertLessEqual(linear.weight.abs().max().item(), 0.5)
        turned = {f"c_{name}.weight": value.T for name, value in (
            ("fc", other[0].weight), ("proj", other[2].weight))}
        with self.assertRaisesRegex(ValueError, "no tensor for 0.weight"):
            ffn.torch.module(self.layers["chain"], turned)

    def test_the_other_way_round(self):
        net, _ = self.pair()
        turned = {name: value.T for name, value in net.state_dict().items()}
        mine = ffn.torch.module(self.layers["chain"], turned, order="in-out").eval()
        x = torch.randn(3, 5)
        self.assertTrue(torch.allclose(mine(x), net(x), atol=1e-5))
        for made in (net, mine):
            made(x).sum().backward()
        weight = mine.get_parameter("0.weight")
        self.assertEqual(tuple(weight.shape), (5, 7))
        self.assertTrue(torch.allclose(weight.grad.T, net[0].weight.grad, atol=1e-4))

    def test_parameters_of_an_activation(self):
        layer = self.layers["gated"]
        with self.assertRaisesRegex(ValueError, "gated: give weights, for where beta begins"):
            ffn.torch.module(layer)
        weights = {name: torch.randn(shape) for name, shape in layer.shapes.items()}
        mine = ffn.torch.module(layer.pack(weights))  # those that the layer has
        self.assertEqual(set(mine.state_dict()), set(weights))
        x = torch.randn(8, 6)
        mine(x).sum().backward()
        w = {name: value.clone().requires_grad_() for name, value in weights.items()}
        gate, up = (torch.nn.functional.linear(x, w[f"{m}.weight"], w[f"{m}.bias"])
                    for m in ("gate", "up"))
        hidden = gate * torch.sigmoid(w["beta"] * gate) * up
        torch.nn.functional.linear(hidden, w["down.weight"], w["down.bias"]).sum().backward()
        for name, value in w.items():
            found = mine.get_parameter(name).grad
            self.assertTrue(torch.allclose(found, value.grad, rtol=1e-3, atol=1e-3), name)

    def test_several_parameters_of_an_activation(self):
        layer = self.layers["two"]
        weights = {name: torch.randn(shape) for name, shape in layer.shapes.items()}
        weights["parameters"] = torch.tensor([0.5, 0.25])
        mine, x = ffn.torch.module(layer, weights), torch.randn(8, 4)
        y = layer.pack(weights)(x)
        self.assertTrue(torch.equal(mine(x), y))
        mine(x).sum().backward()
        self.assertEqual({name for name, value in mine.named_parameters()
                          if value.grad is not None and value.grad.any()}, set(weights))
        again = ffn.torch.module(layer, mine.state_dict())
        self.assertTrue(torch.equal(again(x), y))
        for value in again.parameters():
            value.data.zero_()
        again.load_state_dict(mine.state_dict())
        self.assertTrue(torch.equal(again(x), y))

    def test_mistakes(self):
        _, mine = self.pair()
        plain, x = ffn.torch.module(self.layers["plain"]), torch.randn(3, 4)
        self.assertFalse(plain(x).requires_grad)
        with self.assertRaisesRegex(RuntimeError, "plain gives no gradients: its spec does not"):
            plain(x.requires_grad_())
        for bad, told in ((x.double(), "torch.float64 on cpu"), (x.bfloat16(), "torch.bfloat16"),
                          (x.to("meta"), "torch.float32 on meta")):
            with self.assertRaisesRegex(TypeError, f"^x: plain computes in float32 .* {told}"):
                plain(bad.detach())
        with self.assertRaisesRegex(TypeError, "^0.weight: chain computes in float32"):
            mine.half()(torch.randn(3, 5))
        with self.assertRaisesRegex(TypeError, "^layer: expected a Layer, given str"):
            ffn.torch.module("chain")
        _, mine = self.pair()
        given = torch.randn(3, 5, requires_grad=True)
        dx, = torch.autograd.grad(mine(given).square().sum(), given, create_graph=True)
        with self.assertRaisesRegex(RuntimeError, "^chain: ffn gives no gradients of gradients"):
            dx.sum().backward()


class Without(unittest.TestCase):
    @unittest.skipIf(torch is not None, "torch is installed")
    def test_torch_is_asked_for_by_its_name(self):
        with self.assertRaisesRegex(ImportError, "torch"):
            ffn.torch
        with self.assertRaisesRegex(AttributeError, "no attribute 'jax'"):
            ffn.jax


if __name__ == "__main__":
    unittest.main()
