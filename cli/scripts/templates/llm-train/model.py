"""A decoder of Llama's shape, made from a few numbers, with random weights."""

import dataclasses

import torch
import torch.utils.checkpoint
from torch import nn
from torch.nn import functional


@dataclasses.dataclass
class Shape:
    vocabulary: int
    width: int
    layers: int
    heads: int
    key_heads: int
    hidden: int

    def parameters(self):
        attention = self.width * self.width * 2
        attention += 2 * self.width * self.width * self.key_heads // self.heads
        block = attention + 3 * self.width * self.hidden + 2 * self.width
        return self.layers * block + 2 * self.vocabulary * self.width + self.width


SHAPES = {
    "toy": Shape(1000, 64, 2, 4, 2, 172),
    "125m": Shape(32000, 768, 12, 12, 12, 2048),
    "1b": Shape(32000, 2048, 16, 32, 8, 8192),
    "3b": Shape(32000, 3072, 28, 24, 8, 8192),
    "7b": Shape(32000, 4096, 32, 32, 32, 11008),
}


class Decoder(nn.Module):
    """Tokens (batch, length) to logits (batch, length, vocabulary)."""

    def __init__(self, shape, checkpoint=False):
        super().__init__()
        self.embedding = nn.Embedding(shape.vocabulary, shape.width)
        self.blocks = nn.ModuleList(Block(shape) for _ in range(shape.layers))
        self.norm = Norm(shape.width)
        self.head = nn.Linear(shape.width, shape.vocabulary, bias=False)
        self.checkpoint = checkpoint
        self.apply(small_weights)

    def forward(self, tokens):
        states = self.embedding(tokens)
        for block in self.blocks:
            if self.checkpoint and self.training:
                states = torch.utils.checkpoint.checkpoint(block, states, use_reentrant=False)
            else:
                states = block(states)
        return self.head(self.norm(states))


class Block(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.attention_norm = Norm(shape.width)
        self.attention = Attention(shape)
        self.feed_norm = Norm(shape.width)
        self.gate = nn.Linear(shape.width, shape.hidden, bias=False)
        self.up = nn.Linear(shape.width, shape.hidden, bias=False)
        self.down = nn.Linear(shape.hidden, shape.width, bias=False)

    def forward(self, states):
        states = states + self.attention(self.attention_norm(states))
        inner = self.feed_norm(states)
        return states + self.down(functional.silu(self.gate(inner)) * self.up(inner))


class Attention(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.heads, self.key_heads = shape.heads, shape.key_heads
        self.size = shape.width // shape.heads
        self.query = nn.Linear(shape.width, shape.width, bias=False)
        self.key = nn.Linear(shape.width, self.key_heads * self.size, bias=False)
        self.value = nn.Linear(shape.width, self.key_heads * self.size, bias=False)
        self.output = nn.Linear(shape.width, shape.width, bias=False)

    def forward(self, states):
        batch, length, width = states.shape
        query = self.query(states).view(batch, length, self.heads, self.size).transpose(1, 2)
        key = self.key(states).view(batch, length, self.key_heads, self.size).transpose(1, 2)
        value = self.value(states).view(batch, length, self.key_heads, self.size).transpose(1, 2)
        query, key = rotate(query), rotate(key)
        repeats = self.heads // self.key_heads
        if repeats > 1:
            key = key.repeat_interleave(repeats, dim=1)
            value = value.repeat_interleave(repeats, dim=1)
        mixed = causal_attention(query, key, value)
        return self.output(mixed.transpose(1, 2).reshape(batch, length, width))


class Norm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, states):
        scale = states.float().pow(2).mean(-1, keepdim=True).add(1e-5).rsqrt()
        return (states.float() * scale).to(states.dtype) * self.weight


def causal_attention(query, key, value):
    if hasattr(functional, "scaled_dot_product_attention"):
        return functional.scaled_dot_product_attention(query, key, value, is_causal=True)
    # PyTorch before 2.0.
    length = query.shape[-2]
    scores = query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5
    mask = torch.ones(length, length, dtype=torch.bool, device=query.device).triu(1)
    return scores.masked_fill(mask, float("-inf")).softmax(-1).to(value.dtype) @ value


def rotate(states):
    """Rotary positions, halves as Llama splits them."""
    length, size = states.shape[-2:]
    steps = torch.arange(size // 2, device=states.device, dtype=torch.float32)
    angles = torch.outer(
        torch.arange(length, device=states.device, dtype=torch.float32),
        10000.0 ** (-2 * steps / size),
    )
    sine, cosine = angles.sin().to(states.dtype), angles.cos().to(states.dtype)
    left, right = states.chunk(2, dim=-1)
    return torch.cat((left * cosine - right * sine, right * cosine + left * sine), dim=-1)


def small_weights(module):
    if isinstance(module, (nn.Linear, nn.Embedding)):
        nn.init.normal_(module.weight, std=0.02)
