#!/usr/bin/env python3
"""Make the tiny random checkpoints in ahead/, which have a head that guesses the token after the next one (multi-token
prediction), and the reference library's guesses beside them.

    pip install torch transformers safetensors
    python make_ahead.py                  # ahead/qwen3_5, and with a mixture of experts ahead/qwen3_5-moe
    python make_ahead.py LLAMA_CPP        # also ahead/qwen35: the first as a GGUF file, with llama.cpp's converter;
                                          # ahead/qwen35-apart, ahead/qwen35moe-apart: both with the head in a file of its own

The guesses are those after each token of a text, given the states of the model before it, and then those of the head alone,
each from the token and the state that it guessed last.
"""
import json, os, random, shutil, sys, tempfile
from pathlib import Path
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
import torch
import transformers as T
from safetensors.torch import load_file, save_file
from transformers.modeling_layers import MtpLayer
from transformers.models.qwen3_5.modeling_qwen3_5 import Qwen3_5DecoderLayer, Qwen3_5RMSNorm
from transformers.models.qwen3_5_moe.modeling_qwen3_5_moe import Qwen3_5MoeDecoderLayer, Qwen3_5MoeRMSNorm

HERE = os.path.dirname(os.path.abspath(__file__))
V, D = 64, 32
SIZES = dict(vocab_size=V, hidden_size=D, num_attention_heads=4, num_key_value_heads=2, head_dim=16,
             max_position_embeddings=64, bos_token_id=1, eos_token_id=2, pad_token_id=0, tie_word_embeddings=True,
             linear_conv_kernel_dim=4, linear_key_head_dim=8, linear_value_head_dim=8, linear_num_key_heads=2, linear_num_value_heads=4,
             rope_parameters=dict(rope_type="default", rope_theta=10000.0, partial_rotary_factor=0.5, mrope_interleaved=True, mrope_section=[2, 1, 1]))
CASES = {
    "qwen3_5": (T.Qwen3_5TextConfig(**SIZES, num_hidden_layers=4, intermediate_size=48), Qwen3_5DecoderLayer, Qwen3_5RMSNorm),
    "qwen3_5-moe": (T.Qwen3_5MoeTextConfig(**SIZES, num_hidden_layers=2, layer_types=["linear_attention", "full_attention"], moe_intermediate_size=20,
                                           shared_expert_intermediate_size=24, num_experts=6, num_experts_per_tok=3), Qwen3_5MoeDecoderLayer, Qwen3_5MoeRMSNorm),
}
STEPS = 3  # of the head alone


def randomize(parameters, gen):
    for p in parameters:
        p.copy_(torch.randn(p.shape, generator=gen) * (1.3 / p.shape[-1] ** 0.5) if p.dim() > 1 else p + torch.randn(p.shape, generator=gen) * 0.2)
        p.copy_(p.half())


def guesses(model, head, ids):
    """The scores after each token but the first, and those of the head alone with its tokens."""
    tokens = torch.tensor([ids])
    states = model.model(input_ids=tokens).last_hidden_state[:, :-1]
    tokens, chain = tokens[:, 1:], []
    while True:
        at = torch.arange(1, 1 + tokens.shape[1])[None]
        turn = model.model.rotary_emb(states, at[None].expand(3, 1, -1))
        n = tokens.shape[1]
        mask = torch.full((n, n), float("-inf")).triu(1)[None, None]
        out = head(model.model.embed_tokens(tokens), states, turn, mask, at, None)
        scores = model.lm_head(out)
        if not chain:
            first = scores[0]
        token = scores[0, -1].argmax().item()
        chain.append((token, scores[0, -1]))
        if len(chain) == STEPS:
            return first, chain
        tokens, states = torch.cat([tokens, torch.tensor([[token]])], 1), torch.cat([states, out[:, -1:]], 1)


def stored(head):
    """The head's tensors by the names in checkpoints."""
    names = {"enorm": "pre_fc_norm_embedding", "hnorm": "pre_fc_norm_hidden", "eh_proj": "fc", "post_norm": "norm"}
    out = {}
    for name, p in head.state_dict().items():
        first, rest = name.split(".", 1)
        out["mtp." + ("layers.0." + rest if first == "mtp_block" else names[first] + "." + rest)] = p.half().contiguous()
    return out


def numbers(t):
    return [float("%.7g" % v) for v in t.flatten().tolist()]


# What is made of each as GGUF files: the converter's class, how often a layer attends, and the files: whether they are
# without the head, and whether they are the head alone.
GGUF = {
    "qwen3_5": ("Qwen3_5ForCausalLM", 4, [("qwen35", "model.gguf", False, False), ("qwen35-apart", "model.gguf", True, False), ("qwen35-apart", "mtp-model.gguf", False, True)]),
    "qwen3_5-moe": ("Qwen3_5MoeForCausalLM", 2, [("qwen35moe-apart", "model.gguf", True, False), ("qwen35moe-apart", "mtp-model.gguf", False, True)]),
}


def convert(name, model, head, config, want):
    """Writes a checkpoint as GGUF files."""
    sys.path[:0] = [sys.argv[1], os.path.join(sys.argv[1], "gguf-py")]
    import gguf
    from conversion import get_model_class

    def vocabulary(self):
        self.gguf_writer.add_tokenizer_model("llama")
        self.gguf_writer.add_token_list([b"<unk>", b"<s>", b"</s>"] + [b"t%d" % i for i in range(3, V)])
        self.gguf_writer.add_token_scores([0.0] * V)
        self.gguf_writer.add_token_types([2, 3, 3] + [1] * (V - 3))

    architecture, interval, parts = GGUF[name]
    for folder in {p[0] for p in parts}:
        shutil.rmtree(os.path.join(HERE, "ahead", folder), ignore_errors=True)
        os.makedirs(os.path.join(HERE, "ahead", folder))
        json.dump(want, open(os.path.join(HERE, "ahead", folder, "expected.json"), "w"))
    with tempfile.TemporaryDirectory() as copy, torch.inference_mode():
        model.save_pretrained(copy)
        tensors = load_file(copy + "/model.safetensors")
        save_file({**tensors, **{n: t.float() for n, t in stored(head).items()}}, copy + "/model.safetensors", metadata=dict(format="pt"))
        json.dump(config, open(copy + "/config.json", "w"))
        json.dump(dict(model=dict(vocab={str(i): i for i in range(V)}), added_tokens=[]), open(copy + "/tokenizer.json", "w"))
        cls = get_model_class(architecture)
        cls.set_vocab = vocabulary
        for folder, file, without, alone in parts:
            cls.no_mtp, cls.mtp_only = without, alone
            m = cls(Path(copy), gguf.LlamaFileType.MOSTLY_F16, Path(HERE, "ahead", folder, file))
            m.hparams["full_attention_interval"] = interval
            m.write()


for number, (name, (config, layer, norm)) in enumerate(CASES.items()):
    gen, rng = torch.Generator().manual_seed(900 + number), random.Random(900 + number)
    config._attn_implementation = "eager"
    model = T.AutoModelForCausalLM.from_config(config).eval()
    head = MtpLayer(config, layer, norm, config.num_hidden_layers - 1).eval()
    with torch.no_grad():
        randomize(model.parameters(), gen)
        randomize(head.parameters(), gen)
        model.tie_weights()
        ids = [rng.randrange(3, V) for _ in range(25)]
        first, chain = guesses(model, head, ids)
    want = dict(ids=ids, guesses=numbers(first), chain=[dict(token=t, guess=numbers(s)) for t, s in chain])
    folder = os.path.join(HERE, "ahead", name)
    shutil.rmtree(folder, ignore_errors=True)
    model.half().save_pretrained(folder)
    tensors = load_file(folder + "/model.safetensors")
    save_file({**tensors, **stored(head)}, folder + "/model.safetensors", metadata=dict(format="pt"))
    text = json.load(open(folder + "/config.json"))
    text["mtp_num_hidden_layers"] = 1
    json.dump(text, open(folder + "/config.json", "w"), indent=2, sort_keys=True)
    if os.path.exists(folder + "/generation_config.json"):
        os.remove(folder + "/generation_config.json")
    json.dump(want, open(folder + "/expected.json", "w"))
    if sys.argv[1:]:
        convert(name, model.float(), head, text, want)
