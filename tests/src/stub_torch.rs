//! A PyTorch as far as `verify` asks it: what computes in it, without a GPU and without PyTorch.

/// Python that computes with single numbers as if they were tensors. What is moved to another
/// device is multiplied by `FACTOR`, which is 1.0 where a GPU computes right; a module that this is
/// a part of says of itself which GPUs it has.
pub const STUB_TENSORS: &str = r"
class Generator:
    def manual_seed(self, seed): return self
class Tensor:
    def __init__(self, value): self.value = value
    def double(self): return self
    def to(self, device): return Tensor(self.value * FACTOR)
    def cpu(self): return self
    def abs(self): return Tensor(abs(self.value))
    def max(self): return self
    def item(self): return self.value
    def __matmul__(self, other): return Tensor(self.value * other.value)
    def __sub__(self, other): return Tensor(self.value - other.value)
    def __truediv__(self, other): return Tensor(self.value / other.value)
def rand(*shape, generator=None): return Tensor(0.5)
FACTOR = 1.0
";
