package convert

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"inglenook/tokenizer/definition"
)

// WordPiece converts a vocab.txt, BERT's own format, to a tokenizer.json.
// The file has one token a line, and its id is the line's number from 0. What
// the file can't say (lower case or not) comes from tokenizer_config.json, or
// is as in BERT.
func WordPiece(vocab []byte, c definition.Config) ([]byte, error) {
	if !utf8.Valid(vocab) {
		return nil, fmt.Errorf("it is not UTF-8 text")
	}
	ids := map[string]int32{}
	for i, line := range strings.Split(strings.TrimSuffix(string(vocab), "\n"), "\n") {
		token := strings.TrimRight(line, "\r")
		if token != "" {
			ids[token] = int32(i) // of two equal lines the later one counts, as in the reference
		}
	}
	name := func(role, otherwise string) string {
		if token := c.Named[role]; token != "" {
			return token
		}
		return otherwise
	}
	cls, sep, unk := name("cls_token", "[CLS]"), name("sep_token", "[SEP]"), name("unk_token", "[UNK]")
	var added []definition.AddedToken
	for _, token := range []string{name("pad_token", "[PAD]"), unk, cls, sep, name("mask_token", "[MASK]")} {
		if id, ok := ids[token]; ok {
			added = append(added, definition.AddedToken{ID: id, Content: token, Special: true})
		}
	}
	for _, token := range []string{cls, sep} {
		if _, ok := ids[token]; !ok {
			return nil, fmt.Errorf("it lacks the line %q, which begins or ends every text", token)
		}
	}
	return json.Marshal(map[string]any{
		"version":      "1.0",
		"added_tokens": added,
		"normalizer": definition.Component{
			"type":                 "BertNormalizer",
			"clean_text":           true,
			"handle_chinese_chars": definition.IsTrue(c.ChineseChars, true),
			"strip_accents":        c.StripAccents,
			"lowercase":            definition.IsTrue(c.DoLowerCase, true),
		},
		"pre_tokenizer": definition.Component{"type": "BertPreTokenizer"},
		"post_processor": map[string]any{
			"type": "BertProcessing",
			"cls":  []any{cls, ids[cls]},
			"sep":  []any{sep, ids[sep]},
		},
		"decoder": definition.Component{"type": "WordPiece", "prefix": "##", "cleanup": true},
		"model": map[string]any{
			"type":                      "WordPiece",
			"unk_token":                 unk,
			"continuing_subword_prefix": "##",
			"max_input_chars_per_word":  100,
			"vocab":                     ids,
		},
	})
}
