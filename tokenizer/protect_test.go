package tokenizer

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"inglenook/tokenizer/definition"
)

// checkTypedControl types every control token in many contexts and makes sure that its id
// is never returned.
func checkTypedControl(t *testing.T, tok *Tokenizer) {
	controls := 0
	unknown := tok.UnknownID()
	for token := range tok.file.Controls {
		id, ok := tok.TokenID(token)
		if !ok {
			continue
		}
		controls++
		for _, form := range []string{"%s", " %s", "%s ", "a%sb", "a %s b", "%[1]s%[1]s", "the %s.", "\n%s\n", "x\x00%s", "%sé", "猫%s猫", "\ufdd0\ufdd2%s"} {
			text := fmt.Sprintf(form, token)
			for _, text := range []string{text, strings.ToLower(text), strings.ToUpper(text)} {
				e := mustEncode(t, tok, text, Options{NoSpecial: true})
				if id != unknown && slices.Contains(e.IDs, id) {
					t.Errorf("%q gives the control id %d: %v", text, id, e.IDs)
				}
			}
		}
		// With the option it becomes the control token, if the model has it as one. GPT-2
		// style files name some that they do not list.
		e := mustEncode(t, tok, "a "+token+" b", Options{NoSpecial: true, ParseSpecial: true})
		if tok.added[id] && !slices.Contains(e.IDs, id) {
			t.Errorf("%q does not give the control id %d even when asked to: %v", token, id, e.IDs)
		}
	}
	if controls == 0 {
		t.Skip("this tokenizer has no control tokens")
	}
}

// TestTypedControlTokens runs the same test on small tokenizers, including models that
// find any entry of their vocabulary in text.
func TestTypedControlTokens(t *testing.T) {
	for _, name := range fixtureNames {
		t.Run(name, func(t *testing.T) {
			_, tok := loadFixture(t, name)
			checkTypedControl(t, tok)
		})
	}
	const added = `"added_tokens":[{"id":0,"content":"<s>","special":true},{"id":1,"content":"END","special":true,"normalized":true},{"id":2,"content":"#","special":true}]`
	for name, file := range map[string]string{
		"word level":      `{"model":{"type":"WordLevel","unk_token":"?","vocab":{"<s>":0,"END":1,"#":2,"?":3,"a":4,"b":5}},"pre_tokenizer":{"type":"WhitespaceSplit"},` + added + `}`,
		"word piece":      `{"model":{"type":"WordPiece","unk_token":"?","continuing_subword_prefix":"##","max_input_chars_per_word":100,"vocab":{"<s>":0,"END":1,"#":2,"?":3,"a":4,"##b":5,"s":6,"<":7,">":8}},"pre_tokenizer":{"type":"BertPreTokenizer"},` + added + `}`,
		"bpe with merges": `{"model":{"type":"BPE","unk_token":"?","vocab":{"<s>":0,"END":1,"#":2,"?":3,"a":4,"b":5,"<":6,"s":7,">":8,"<s":9,"E":10,"N":11,"D":12,"EN":13},"merges":["< s","<s >","E N","EN D"]},` + added + `}`,
		"bpe whole words": `{"model":{"type":"BPE","unk_token":"?","ignore_merges":true,"vocab":{"<s>":0,"END":1,"#":2,"?":3,"a":4,"b":5,"<":6,"s":7,">":8},"merges":[]},"pre_tokenizer":{"type":"WhitespaceSplit"},` + added + `}`,
		"unigram":         `{"model":{"type":"Unigram","unk_id":3,"vocab":[["<s>",0],["END",0],["#",0],["?",0],["a",-1],["b",-1],["<",-5],["s",-5],[">",-5],["E",-5]]},` + added + `}`,
	} {
		t.Run(name, func(t *testing.T) {
			tok := fromBytes(t, []byte(file), definition.Config{})
			checkTypedControl(t, tok)
			decoded, err := tok.Decode([]int32{0, 4, 1}, false)
			if err != nil || decoded != "<s> a END" {
				t.Errorf("control tokens decode to %q, %v", decoded, err)
			}
		})
	}
}
