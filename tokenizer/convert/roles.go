package convert

import (
	"fmt"
	"slices"
	"strings"

	"inglenook/tokenizer/definition"
)

// endings are tokens that end a turn or a text. Some converters store them as
// ordinary tokens, and generation would then never stop at them.
var endings = []string{
	"<|eot_id|>", "<|eom_id|>", "<|im_end|>", "<|end|>", "<|endoftext|>", "<|end_of_text|>", "<end_of_turn>",
	"<|return|>", "<|call|>", "<EOT>", "[EOT]", "<end_of_utterance>", "<｜end▁of▁sentence｜>", "<turn|>",
}

// settleRoles determines which tokens have a role: those that the file names,
// and for other roles those with the usual name.
func (b *builder) settleRoles() {
	for _, r := range []struct {
		id    *int32
		role  string
		names []string
	}{
		{&b.BOS, "beginning-of-text", b.usual("<s>", "[CLS]")},
		{&b.EOS, "end-of-text", b.usual("</s>", "[SEP]")},
		{&b.EOT, "end-of-turn", nil},
		{&b.UNK, "unknown", b.usual("<unk>", "[UNK]")},
		{&b.PAD, "padding", b.usual("<pad>", "[PAD]")},
		{&b.SEP, "separator", b.usual("", "[SEP]")},
		{&b.CLS, "classification", b.usual("", "[CLS]")},
		{&b.MASK, "mask", b.usual("<mask>", "[MASK]")},
	} {
		if int(*r.id) >= len(b.Tokens) || *r.id < -1 {
			b.warn("This file's %s token has the id %d, but its vocabulary has %d tokens, so it is taken to have none.", r.role, *r.id, len(b.Tokens))
			*r.id = -1
		}
		for _, name := range r.names {
			if id, ok := b.ids[name]; ok && *r.id < 0 && name != "" {
				*r.id = id
			}
		}
	}
	if b.Model == "bert" && b.CLS < 0 {
		b.CLS = b.BOS
	}
	if b.Model == "bert" && b.SEP < 0 {
		b.SEP = b.EOS
	}
}

// usual returns the usual name for a role in a SentencePiece vocabulary or in
// BERT's. Byte-level vocabularies have no usual names.
func (b *builder) usual(sentencePiece, bert string) []string {
	switch b.Model {
	case "llama", "t5":
		return []string{sentencePiece}
	case "bert":
		return []string{bert}
	}
	return nil
}

func (b *builder) warn(format string, args ...any) {
	b.warnings = append(b.warnings, fmt.Sprintf(format, args...))
}

// kind returns the type of a token as this package uses it.
func (b *builder) kind(id int32) int32 {
	token, stated := b.token(id), int32(NormalType)
	if len(b.Types) > 0 {
		stated = b.Types[id]
	}
	_, isByte := definition.FallbackByte(token)
	switch {
	case stated == ControlType, stated == UnknownType, stated == ByteType:
		return stated
	case id == b.UNK && b.Model != "gpt2":
		return UnknownType
	case slices.Contains(endings, token):
		return ControlType
	case stated == UserDefinedType:
		return stated
	case (id == b.BOS || id == b.EOS || id == b.EOT || id == b.CLS || id == b.SEP || id == b.PAD || id == b.MASK) && bracketed(token):
		return ControlType
	case isByte && len(b.Types) == 0 && b.Model != "gpt2":
		return ByteType
	}
	return NormalType
}

// bracketed reports whether a token looks like a control token.
func bracketed(token string) bool {
	return strings.HasPrefix(token, "<") && strings.HasSuffix(token, ">") || strings.HasPrefix(token, "[") && strings.HasSuffix(token, "]")
}

// added lists the tokens to search for in the text itself. Control tokens and
// the unknown token are special, user-defined ones are not. It omits the
// placeholders with which converters pad a vocabulary to the rows of the
// embedding.
func (b *builder) added() []definition.AddedToken {
	added := []definition.AddedToken{}
	for i, token := range b.Tokens {
		id := int32(i)
		kind := b.kind(id)
		if kind != ControlType && kind != UnknownType && kind != UserDefinedType || token == fmt.Sprintf("[PAD%d]", i) {
			continue
		}
		a := definition.AddedToken{ID: id, Content: b.token(id), Special: kind != UserDefinedType}
		// Attributes for which GGUF has no key: in Phi-3 most of these tokens
		// absorb the white space after them; in RoBERTa's relatives <mask>
		// absorbs the white space before it.
		a.RStrip = b.Architecture == "phi3" && b.Model == "llama" && id != b.BOS && id != b.UNK && token != "<|endoftext|>"
		a.LStrip = id == b.MASK && (token == "<mask>" && (b.Model == "gpt2" || b.Model == "t5") || b.Pre == "modern-bert")
		added = append(added, a)
	}
	return added
}

// named maps the roles by their names in tokenizer_config.json to tokens.
func (b *builder) named() map[string]string {
	named := map[string]string{}
	for role, id := range map[string]int32{
		"bos_token": b.BOS, "eos_token": b.EOS, "unk_token": b.UNK, "sep_token": b.SEP,
		"pad_token": b.PAD, "cls_token": b.CLS, "mask_token": b.MASK,
	} {
		if id >= 0 {
			named[role] = b.token(id)
		}
	}
	return named
}

// template returns which tokens surround a text and a pair of texts. If the
// file doesn't say, a text of BERT's kind gets both ends, of T5's kind an end,
// of Llama's kind a beginning, and a byte-level one what its Pre is known for.
func (b *builder) template() any {
	begin, end := b.BOS, b.EOS
	way, _ := b.split()
	addBegin, addEnd := b.Model == "llama" || b.Model == "gemma4" || way.begins, b.Model == "t5"
	if b.AddBOS != nil {
		addBegin = *b.AddBOS
	}
	if b.AddEOS != nil {
		addEnd = *b.AddEOS
	}
	switch {
	case b.Model == "bert":
		begin, end = b.CLS, b.SEP
	case !addBegin && !addEnd:
		begin, end = -1, -1
	case !addBegin:
		begin = -1
	case !addEnd:
		end = -1
	}

	special := map[string]any{}
	add := func(parts []any, kind int, ids ...int32) []any {
		for _, id := range ids {
			if id >= 0 {
				token := b.token(id)
				special[token] = map[string]any{"id": token, "ids": []int32{id}, "tokens": []string{token}}
				parts = append(parts, map[string]any{"SpecialToken": map[string]any{"id": token, "type_id": kind}})
			}
		}
		return parts
	}
	text := func(parts []any, kind int, name string) []any {
		return append(parts, map[string]any{"Sequence": map[string]any{"id": name, "type_id": kind}})
	}
	single := add(text(add(nil, 0, begin), 0, "A"), 0, end)
	pair := slices.Clone(single)
	switch {
	case b.Model == "bert" || b.PairsOfBERT:
		pair = add(text(pair, 1, "B"), 1, end)
	case begin >= 0 && end >= 0: // as in RoBERTa: <s> A </s> </s> B </s>
		separator := b.SEP
		if separator < 0 {
			separator = end
		}
		pair = add(text(add(pair, 0, separator), 0, "B"), 0, end)
	default:
		pair = add(text(add(pair, 1, begin), 1, "B"), 1, end)
	}
	return map[string]any{"type": "TemplateProcessing", "single": single, "pair": pair, "special_tokens": special}
}
