package tokenizer

import (
	"encoding/json"
	"fmt"
	"slices"
)

// file is a checked tokenizer.json. The native library never sees the file
// itself: it gets the output of file.native, which holds only checked values.
type file struct {
	normalizer    component
	preTokenizer  component
	decoder       component
	template      template
	model         model
	added         []addedToken
	controls      map[string]bool // see protect.go
	hidden        map[string]bool // the control tokens that text could match
	truncatesLeft bool
	padding       struct {
		id  int32
		set bool
	}
}

type addedToken struct {
	ID         int32  `json:"id"`
	Content    string `json:"content"`
	SingleWord bool   `json:"single_word"`
	LStrip     bool   `json:"lstrip"`
	RStrip     bool   `json:"rstrip"`
	Normalized bool   `json:"normalized"`
	Special    bool   `json:"special"`
}

// readFile checks data against every assumption of the native library. The
// error completes the sentence "tokenizer.json can't be used: …".
func readFile(data []byte) (*file, error) {
	if len(data) > maxFileBytes {
		return nil, fmt.Errorf("it has %d MB, more than the %d MB that a tokenizer can need", len(data)>>20, maxFileBytes>>20)
	}
	if len(data) == 0 {
		return nil, fmt.Errorf("it is empty")
	}
	if err := checkJSON(data); err != nil {
		return nil, err
	}
	if kind(data) != "an object" {
		return nil, fmt.Errorf("it holds %s instead of an object", kind(data))
	}
	sections := map[string][]byte{}
	for key, value := range members(data) {
		if _, twice := sections[key]; twice {
			return nil, fmt.Errorf("it has %.60q twice", key)
		}
		sections[key] = value
	}
	if v, ok := sections["version"]; ok && string(v) != `"1.0"` {
		return nil, fmt.Errorf("its version is %.60s, and only \"1.0\" is known", v)
	}

	f := &file{}
	var err error
	if f.model, err = readModel(sections["model"]); err != nil {
		return nil, err
	}
	if f.added, err = readAdded(sections["added_tokens"]); err != nil {
		return nil, err
	}
	if f.normalizer, err = readComponent("normalizer", sections["normalizer"], normalizers); err != nil {
		return nil, err
	}
	if f.preTokenizer, err = readComponent("pre_tokenizer", sections["pre_tokenizer"], preTokenizers); err != nil {
		return nil, err
	}
	if f.decoder, err = readComponent("decoder", sections["decoder"], decoders); err != nil {
		return nil, err
	}
	if f.template, err = readTemplate(sections["post_processor"]); err != nil {
		return nil, err
	}
	f.readTruncation(sections["truncation"])
	f.readPadding(sections["padding"])
	return f, nil
}

func readAdded(raw []byte) ([]addedToken, error) {
	if len(raw) == 0 || kind(raw) == "null" {
		return nil, nil
	}
	if kind(raw) != "an array" {
		return nil, fmt.Errorf("its added_tokens is %s instead of a list", kind(raw))
	}
	var all []addedToken
	for item := range elements(raw) {
		var t struct {
			addedToken
			ID         *int64 `json:"id"`
			Normalized *bool  `json:"normalized"`
		}
		if err := json.Unmarshal(item, &t); err != nil {
			return nil, fmt.Errorf("its added token number %d can't be read (%s)", len(all), why(err))
		}
		switch {
		case t.ID == nil:
			return nil, fmt.Errorf("its added token %.60q has no id", t.Content)
		case *t.ID < 0 || *t.ID >= maxTokens:
			return nil, fmt.Errorf("its added token %.60q has the id %d, outside 0 to %d", t.Content, *t.ID, maxTokens-1)
		case len(t.Content) > maxTokenBytes:
			return nil, fmt.Errorf("an added token has %d bytes, more than %d", len(t.Content), maxTokenBytes)
		case len(all) == maxAdded:
			return nil, fmt.Errorf("it adds more than %d tokens", maxAdded)
		case t.Content == "":
			continue // the library ignores these
		}
		t.addedToken.ID = int32(*t.ID)
		t.addedToken.Normalized = !t.Special
		if t.Normalized != nil {
			t.addedToken.Normalized = *t.Normalized
		}
		all = append(all, t.addedToken)
	}
	return all, nil
}

// readTruncation reads at which end a long text is cut. It ignores the block's
// length: the reference library replaces it by that of tokenizer_config.json.
func (f *file) readTruncation(raw []byte) {
	var t struct {
		Direction string `json:"direction"`
	}
	f.truncatesLeft = json.Unmarshal(raw, &t) == nil && t.Direction == "Left"
}

func (f *file) readPadding(raw []byte) {
	var p *struct {
		ID int32 `json:"pad_id"`
	}
	if json.Unmarshal(raw, &p) == nil && p != nil && p.ID >= 0 {
		f.padding.id, f.padding.set = p.ID, true
	}
}

// native writes the JSON for the library: without truncation, padding and
// post-processor (this package does all three), and with the NUL marks
// resolved. With protect, typed text can't match control tokens.
func (f *file) native(protect bool) []byte {
	m, added := f.model, f.added
	if protect {
		m, added = f.protected()
	}
	return f.write(m, added)
}

// write is native for a model and added tokens of which some are renamed.
func (f *file) write(m model, added []addedToken) []byte {
	unmark := map[string]any{"type": "Replace", "pattern": map[string]any{"String": nulMark}, "content": "\x00"}
	mark := map[string]any{"type": "Replace", "pattern": map[string]any{"String": "\x00"}, "content": nulMark}

	normalizer := []any{unmark}
	for _, p := range f.normalizer.parts() {
		normalizer = append(normalizer, p)
	}
	var decoder any // without a decoder the library joins tokens with spaces
	if f.decoder != nil {
		decoder = map[string]any{"type": "Sequence", "decoders": []any{f.decoder, mark}}
	}
	head, _ := json.Marshal(map[string]any{ // plain values always marshal
		"version":        "1.0",
		"truncation":     nil,
		"padding":        nil,
		"post_processor": nil,
		"added_tokens":   append([]addedToken{}, added...),
		"normalizer":     map[string]any{"type": "Sequence", "normalizers": normalizer},
		"pre_tokenizer":  f.preTokenizer,
		"decoder":        decoder,
	})
	out := make([]byte, 0, len(head)+len(m.vocab)+len(m.merges)+1024)
	out = append(out, head[:len(head)-1]...)
	out = append(out, `,"model":`...)
	out = m.write(out)
	return append(out, '}')
}

// normalizedTokens lists the added tokens that the library normalizes before it
// searches for them, in each of the names that they have.
func (f *file) normalizedTokens() []string {
	if f.normalizer == nil {
		return nil
	}
	var tokens []string
	_, protected := f.protected()
	for _, t := range slices.Concat(f.added, protected) {
		if t.Normalized {
			tokens = append(tokens, t.Content)
		}
	}
	return tokens
}

// nativeOfNormalizer is native for the normalizer alone, with a model that has
// one token for everything.
func (f *file) nativeOfNormalizer() []byte {
	word := "?"
	alone := file{
		normalizer: f.normalizer,
		model:      model{kind: "WordLevel", unk: &word, vocab: json.RawMessage(`{"?":0}`)},
	}
	return alone.native(false)
}
