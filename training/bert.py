"""A BERT encoder in plain PyTorch over packed texts: all tokens end to end, no padding.

The state dict has the Hugging Face BertModel names, so the teacher loads into it and a student saved from it opens
in any BERT loader. On a GPU attention is torch's variable-length flash attention (half precision, under autocast);
elsewhere it is dense attention under a block-diagonal mask, slow but exact, for checks.
"""
import json

import safetensors.torch
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.attention.varlen import varlen_attn

INITIAL_STD = 0.02


class Layer(nn.Module):
    def __init__(self, d, heads, ff, eps):
        super().__init__()
        self.heads = heads
        self.attention = nn.ModuleDict({
            "self": nn.ModuleDict({n: nn.Linear(d, d) for n in ("query", "key", "value")}),
            "output": nn.ModuleDict({"dense": nn.Linear(d, d), "LayerNorm": nn.LayerNorm(d, eps)})})
        self.intermediate = nn.ModuleDict({"dense": nn.Linear(d, ff)})
        self.output = nn.ModuleDict({"dense": nn.Linear(ff, d), "LayerNorm": nn.LayerNorm(d, eps)})

    def forward(self, x, starts, longest):          # x [tokens, d], starts [texts + 1]
        tokens, d = x.shape
        own, out = self.attention["self"], self.attention["output"]
        q, k, v = (own[n](x).view(tokens, self.heads, d // self.heads) for n in ("query", "key", "value"))
        a = attention(q, k, v, starts, longest).reshape(tokens, d)
        x = out["LayerNorm"](x + out["dense"](a))
        h = self.output["dense"](F.gelu(self.intermediate["dense"](x)))
        return self.output["LayerNorm"](x + h)


def attention(q, k, v, starts, longest):
    """Softmax attention within each text; q, k, v [tokens, heads, head size]."""
    if q.is_cuda:
        return varlen_attn(q, k, v, starts, starts, longest, longest)
    text = torch.bucketize(torch.arange(len(q)), starts[1:], right=True)
    mask = text[:, None] == text[None]
    q, k, v = (t.transpose(0, 1) for t in (q, k, v))
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask).transpose(0, 1)


class Bert(nn.Module):
    def __init__(self, vocab, d, layers, heads, ff, positions, eps=1e-12):
        super().__init__()
        self.config = {
            "architectures": ["BertModel"], "model_type": "bert", "vocab_size": vocab, "hidden_size": d,
            "num_hidden_layers": layers, "num_attention_heads": heads, "intermediate_size": ff, "hidden_act": "gelu",
            "max_position_embeddings": positions, "type_vocab_size": 2, "layer_norm_eps": eps, "pad_token_id": 0}
        self.embeddings = nn.ModuleDict({
            "word_embeddings": nn.Embedding(vocab, d), "position_embeddings": nn.Embedding(positions, d),
            "token_type_embeddings": nn.Embedding(2, d), "LayerNorm": nn.LayerNorm(d, eps)})
        self.encoder = nn.ModuleDict({"layer": nn.ModuleList(Layer(d, heads, ff, eps) for _ in range(layers))})
        for m in self.modules():
            if isinstance(m, (nn.Linear, nn.Embedding)):
                nn.init.normal_(m.weight, std=INITIAL_STD)
            if isinstance(m, nn.Linear):
                nn.init.zeros_(m.bias)

    def forward(self, ids, positions, starts, longest, middle=0, types=None):
        """ids, positions, types [tokens] -> token vectors after `middle` layers and after all of them, both [tokens, d]."""
        e = self.embeddings
        kind = e["token_type_embeddings"].weight[0] if types is None else e["token_type_embeddings"](types)
        x = e["word_embeddings"](ids) + e["position_embeddings"](positions) + kind
        x = e["LayerNorm"](x)
        between = x
        for i, layer in enumerate(self.encoder["layer"]):
            x = layer(x, starts, longest)
            if i + 1 == middle:
                between = x
        return between, x


def load(path):
    """A Hugging Face BertModel folder (model.safetensors, config.json); the pooler is not used."""
    with open(path + "/config.json", encoding="utf-8") as f:
        c = json.load(f)
    model = Bert(c["vocab_size"], c["hidden_size"], c["num_hidden_layers"], c["num_attention_heads"],
                 c["intermediate_size"], c["max_position_embeddings"], c["layer_norm_eps"])
    weights = {k: v.float() for k, v in safetensors.torch.load_file(path + "/model.safetensors").items()}
    missing = model.load_state_dict(weights, strict=False).missing_keys
    assert not missing, missing
    return model


def pack(sequences, device):
    """Lists of token ids -> ids, positions [tokens], starts [texts + 1]."""
    lengths = torch.tensor([len(s) for s in sequences])
    starts = F.pad(lengths.cumsum(0), (1, 0))
    ids = torch.tensor([i for s in sequences for i in s])
    positions = torch.arange(len(ids)) - starts[:-1].repeat_interleave(lengths)
    return ids.to(device), positions.to(device), starts.int().to(device)


def encoder(model, tokenizer, device, longest=256, batch=512):
    """An encode(list of n texts) -> [n, d] unit vectors, by mean pooling."""
    @torch.no_grad()
    def encode(texts):
        sequences = [e.ids if len(e.ids) <= longest else e.ids[:longest - 1] + e.ids[-1:]
                     for e in tokenizer.encode_batch(texts)]
        out = []
        for k in range(0, len(sequences), batch):
            ids, positions, starts = pack(sequences[k:k + batch], device)
            with torch.autocast(device, torch.float16, enabled=device == "cuda"):
                _, x = model(ids, positions, starts, longest)
            text = torch.repeat_interleave(torch.arange(len(starts) - 1, device=device), starts.diff())
            total = torch.zeros(len(starts) - 1, x.shape[1], device=device).index_add_(0, text, x.float())
            out.append(F.normalize(total, dim=-1).cpu())
        return torch.cat(out).numpy()
    return encode
