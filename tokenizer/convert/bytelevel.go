package convert

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"inglenook/tokenizer/definition"
	"inglenook/tokenizer/patterns"
	"inglenook/tokenizer/rawjson"
)

// ByteLevel converts vocab.json and merges.txt, the files of GPT-2, RoBERTa
// and Qwen2, to a tokenizer.json, as the reference library converts them: the
// class of the tokenizer, which the files do not say, comes from
// tokenizer_config.json or from the model type of config.json.
func ByteLevel(vocab, merges []byte, added map[string]int32, c definition.Config) ([]byte, error) {
	if err := rawjson.Check(vocab); err != nil {
		return nil, err
	}
	ids := map[string]int32{}
	if err := json.Unmarshal(vocab, &ids); err != nil {
		return nil, fmt.Errorf("it is not a table of tokens and their ids (%s)", rawjson.Why(err))
	}
	pairs, err := readMerges(string(merges))
	if err != nil {
		return nil, err
	}
	b := byteLevelFiles{ids: ids, merges: pairs, added: added, config: c}
	return b.tokenizerJSON()
}

// readMerges reads merges.txt: a pair of tokens a line, behind a line with the
// version.
func readMerges(text string) ([]string, error) {
	pairs := []string{} // a model without merges has an empty list
	for n, line := range strings.Split(text, "\n") {
		line = strings.TrimRight(line, "\r")
		if line == "" || n == 0 && strings.HasPrefix(line, "#version") {
			continue
		}
		if a, b, ok := strings.Cut(line, " "); !ok || a == "" || b == "" || strings.Contains(b, " ") {
			return nil, fmt.Errorf("line %d of merges.txt, %.60q, is not a pair of tokens", n+1, line)
		}
		if len(pairs) == definition.MaxTokens {
			return nil, fmt.Errorf("merges.txt has more than %d lines", definition.MaxTokens)
		}
		pairs = append(pairs, line)
	}
	return pairs, nil
}

// byteLevelFiles are the files of a byte-level vocabulary.
type byteLevelFiles struct {
	ids    map[string]int32
	merges []string
	added  map[string]int32 // of added_tokens.json
	config definition.Config

	numbers map[string]int32 // of all tokens, once special has run
}

func (b *byteLevelFiles) tokenizerJSON() ([]byte, error) {
	out := map[string]any{
		"version":       "1.0",
		"decoder":       definition.Component{"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true, "use_regex": true},
		"pre_tokenizer": definition.Component{"type": "ByteLevel", "add_prefix_space": definition.IsTrue(b.config.AddPrefixSpace, false), "trim_offsets": true, "use_regex": true},
		"model": map[string]any{
			"type": "BPE", "continuing_subword_prefix": "", "end_of_word_suffix": "", "fuse_unk": false, "vocab": b.ids, "merges": b.merges,
		},
	}
	names := map[string]string{"bos_token": "<|endoftext|>", "eos_token": "<|endoftext|>", "unk_token": "<|endoftext|>"}
	switch class := fileClass(b.config); {
	case class == "RobertaTokenizer":
		names = map[string]string{
			"bos_token": "<s>", "eos_token": "</s>", "sep_token": "</s>", "cls_token": "<s>",
			"unk_token": "<unk>", "pad_token": "<pad>", "mask_token": "<mask>",
		}
	case class == "Qwen2Tokenizer":
		names = map[string]string{"eos_token": "<|endoftext|>", "pad_token": "<|endoftext|>"}
		out["normalizer"] = definition.Component{"type": "NFC"}
		out["pre_tokenizer"] = definition.Sequence("pretokenizers",
			definition.Component{"type": "Split", "pattern": map[string]any{"Regex": patterns.Qwen2}, "behavior": "Isolated", "invert": false},
			definition.Component{"type": "ByteLevel", "add_prefix_space": definition.IsTrue(b.config.AddPrefixSpace, false), "trim_offsets": true, "use_regex": false})
	case class != "GPT2Tokenizer":
		return nil, fmt.Errorf("it belongs to a tokenizer of the class %.60q, which is not made from vocab.json and merges.txt here; add the model's tokenizer.json", cmp.Or(class, b.config.ModelType))
	}
	for role, token := range b.config.Named {
		names[role] = token
	}
	out["added_tokens"] = b.special(names)
	template, err := b.template(names)
	if err != nil {
		return nil, err
	}
	if template != nil {
		out["post_processor"] = template
	}
	return json.Marshal(out)
}

// fileClass returns the class of which vocab.json and merges.txt are the files. Where
// nothing names one, they are GPT-2's.
func fileClass(c definition.Config) string {
	class := strings.TrimSuffix(c.ClassName, "Fast")
	switch {
	case class != "":
		return class
	case c.ModelType == "":
		return "GPT2Tokenizer"
	case strings.HasPrefix(c.ModelType, "qwen"):
		return "Qwen2Tokenizer"
	}
	return definition.ClassOfModel[c.ModelType]
}

// special lists the tokens that are searched for in the text itself: those that
// tokenizer_config.json and added_tokens.json list, and those with a role. A token
// with a role that nothing numbers gets the next id, as in the reference library.
func (b *byteLevelFiles) special(names map[string]string) []definition.AddedToken {
	listed := append([]definition.AddedToken{}, b.config.Listed...)
	numbers := map[string]int32{}
	next := int32(0)
	number := func(token string, id int32) {
		numbers[token] = id
		next = max(next, id+1)
	}
	for token, id := range b.ids {
		number(token, id)
	}
	for _, t := range listed {
		number(t.Content, t.ID)
	}
	for _, token := range slices.SortedFunc(maps.Keys(b.added), func(x, y string) int { return cmp.Compare(b.added[x], b.added[y]) }) {
		if _, known := numbers[token]; !known {
			number(token, b.added[token])
			listed = append(listed, definition.AddedToken{ID: b.added[token], Content: token})
		}
	}
	for _, role := range definition.Roles {
		token := names[role]
		if token == "" || slices.ContainsFunc(listed, func(t definition.AddedToken) bool { return t.Content == token }) {
			continue
		}
		id, known := numbers[token]
		if !known {
			id = next
			number(token, id)
		}
		listed = append(listed, definition.AddedToken{ID: id, Content: token, Special: true, LStrip: role == "mask_token"})
	}
	b.numbers = numbers
	return listed
}

// template returns what surrounds a text: RoBERTa's ends, or the beginning that
// add_bos_token of GPT-2's class asks for.
func (b *byteLevelFiles) template(names map[string]string) (any, error) {
	end := func(role string) (pair []any, err error) {
		token := names[role]
		id, known := b.numbers[token]
		if !known {
			return nil, fmt.Errorf("it lacks the token %.60q, which begins or ends every text", token)
		}
		return []any{token, id}, nil
	}
	switch {
	case fileClass(b.config) == "RobertaTokenizer":
		cls, err := end("cls_token")
		if err != nil {
			return nil, err
		}
		sep, err := end("sep_token")
		if err != nil {
			return nil, err
		}
		return map[string]any{
			"type": "RobertaProcessing", "sep": sep, "cls": cls, "trim_offsets": true, "add_prefix_space": definition.IsTrue(b.config.AddPrefixSpace, false),
		}, nil
	case definition.IsTrue(b.config.AddBOS, false):
		bos, err := end("bos_token")
		if err != nil {
			return nil, err
		}
		token := bos[0].(string)
		first := map[string]any{"SpecialToken": map[string]any{"id": token, "type_id": 0}}
		text := func(name string, kind int) any {
			return map[string]any{"Sequence": map[string]any{"id": name, "type_id": kind}}
		}
		return map[string]any{
			"type": "TemplateProcessing", "single": []any{first, text("A", 0)}, "pair": []any{first, text("A", 0), text("B", 1)},
			"special_tokens": map[string]any{token: map[string]any{"id": token, "ids": []any{bos[1]}, "tokens": []string{token}}},
		}, nil
	}
	return nil, nil
}
