// Package definition reads a tokenizer.json, checks it against every assumption of
// the native library, and writes what the library gets instead. A panic in the
// library would end the process, so the library never sees the file itself.
//
// Which control tokens a typed text could match, and what the files beside
// tokenizer.json change, is decided here as well.
package definition

import (
	"encoding/json"
	"fmt"
	"slices"

	"inglenook/tokenizer/rawjson"
)

// File is a checked tokenizer.json. The native library gets the output of
// Native, which holds only checked values.
type File struct {
	Normalizer    Component
	PreTokenizer  Component
	Decoder       Component
	Template      Template
	Model         Model
	Added         []AddedToken
	Controls      map[string]bool // control tokens; see protect.go
	hidden        map[string]bool // the control tokens that text could match
	TruncatesLeft bool
	Padding       struct {
		ID  int32
		Set bool
	}
}

// AddedToken is a token that is searched for in the text itself.
type AddedToken struct {
	ID         int32  `json:"id"`
	Content    string `json:"content"`
	SingleWord bool   `json:"single_word"`
	LStrip     bool   `json:"lstrip"`
	RStrip     bool   `json:"rstrip"`
	Normalized bool   `json:"normalized"`
	Special    bool   `json:"special"`
}

// Read checks data against every assumption of the native library. The
// error completes the sentence "tokenizer.json can't be used: …".
func Read(data []byte) (*File, error) {
	if len(data) > MaxFileBytes {
		return nil, fmt.Errorf("it has %d MB, more than the %d MB that a tokenizer can need", len(data)>>20, MaxFileBytes>>20)
	}
	if len(data) == 0 {
		return nil, fmt.Errorf("it is empty")
	}
	if err := rawjson.Check(data); err != nil {
		return nil, err
	}
	if rawjson.Kind(data) != "an object" {
		return nil, fmt.Errorf("it holds %s instead of an object", rawjson.Kind(data))
	}
	sections := map[string][]byte{}
	for key, value := range rawjson.Members(data) {
		if _, twice := sections[key]; twice {
			return nil, fmt.Errorf("it has %.60q twice", key)
		}
		sections[key] = value
	}
	if v, ok := sections["version"]; ok && string(v) != `"1.0"` {
		return nil, fmt.Errorf("its version is %.60s, and only \"1.0\" is known", v)
	}

	f := &File{}
	var err error
	if f.Model, err = readModel(sections["model"]); err != nil {
		return nil, err
	}
	if f.Added, err = readAdded(sections["added_tokens"]); err != nil {
		return nil, err
	}
	if f.Normalizer, err = readComponent("normalizer", sections["normalizer"], normalizers); err != nil {
		return nil, err
	}
	if f.PreTokenizer, err = readComponent("pre_tokenizer", sections["pre_tokenizer"], preTokenizers); err != nil {
		return nil, err
	}
	if f.Decoder, err = readComponent("decoder", sections["decoder"], decoders); err != nil {
		return nil, err
	}
	if f.Template, err = readTemplate(sections["post_processor"]); err != nil {
		return nil, err
	}
	f.readTruncation(sections["truncation"])
	f.readPadding(sections["padding"])
	return f, nil
}

func readAdded(raw []byte) ([]AddedToken, error) {
	if len(raw) == 0 || rawjson.Kind(raw) == "null" {
		return nil, nil
	}
	if rawjson.Kind(raw) != "an array" {
		return nil, fmt.Errorf("its added_tokens is %s instead of a list", rawjson.Kind(raw))
	}
	var all []AddedToken
	for item := range rawjson.Elements(raw) {
		var t struct {
			AddedToken
			ID         *int64 `json:"id"`
			Normalized *bool  `json:"normalized"`
		}
		if err := json.Unmarshal(item, &t); err != nil {
			return nil, fmt.Errorf("its added token number %d can't be read (%s)", len(all), rawjson.Why(err))
		}
		switch {
		case t.ID == nil:
			return nil, fmt.Errorf("its added token %.60q has no id", t.Content)
		case *t.ID < 0 || *t.ID >= MaxTokens:
			return nil, fmt.Errorf("its added token %.60q has the id %d, outside 0 to %d", t.Content, *t.ID, MaxTokens-1)
		case len(t.Content) > MaxTokenBytes:
			return nil, fmt.Errorf("an added token has %d bytes, more than %d", len(t.Content), MaxTokenBytes)
		case len(all) == maxAdded:
			return nil, fmt.Errorf("it adds more than %d tokens", maxAdded)
		case t.Content == "":
			continue // the library ignores these
		}
		t.AddedToken.ID = int32(*t.ID)
		t.AddedToken.Normalized = !t.Special
		if t.Normalized != nil {
			t.AddedToken.Normalized = *t.Normalized
		}
		all = append(all, t.AddedToken)
	}
	return all, nil
}

// readTruncation reads at which end a long text is cut. It ignores the block's
// length: the reference library replaces it by that of tokenizer_config.json.
func (f *File) readTruncation(raw []byte) {
	var t struct {
		Direction string `json:"direction"`
	}
	f.TruncatesLeft = json.Unmarshal(raw, &t) == nil && t.Direction == "Left"
}

func (f *File) readPadding(raw []byte) {
	var p *struct {
		ID int32 `json:"pad_id"`
	}
	if json.Unmarshal(raw, &p) == nil && p != nil && p.ID >= 0 {
		f.Padding.ID, f.Padding.Set = p.ID, true
	}
}

// Native writes the JSON for the library: without truncation, padding and
// post-processor (this package does all three), and with the NUL marks
// resolved. With protect, typed text can't match control tokens.
func (f *File) Native(protect bool) []byte {
	m, added := f.Model, f.Added
	if protect {
		m, added = f.protected()
	}
	return f.write(m, added)
}

// write is native for a model and added tokens of which some are renamed.
func (f *File) write(m Model, added []AddedToken) []byte {
	unmark := map[string]any{"type": "Replace", "pattern": map[string]any{"String": NulMark}, "content": "\x00"}
	mark := map[string]any{"type": "Replace", "pattern": map[string]any{"String": "\x00"}, "content": NulMark}

	normalizer := []any{unmark}
	for _, p := range f.Normalizer.Parts() {
		normalizer = append(normalizer, p)
	}
	var decoder any // without a decoder the library joins tokens with spaces
	if f.Decoder != nil {
		decoder = map[string]any{"type": "Sequence", "decoders": []any{f.Decoder, mark}}
	}
	head, _ := json.Marshal(map[string]any{ // plain values always marshal
		"version":        "1.0",
		"truncation":     nil,
		"padding":        nil,
		"post_processor": nil,
		"added_tokens":   append([]AddedToken{}, added...),
		"normalizer":     map[string]any{"type": "Sequence", "normalizers": normalizer},
		"pre_tokenizer":  f.PreTokenizer,
		"decoder":        decoder,
	})
	out := make([]byte, 0, len(head)+len(m.Vocab)+len(m.Merges)+1024)
	out = append(out, head[:len(head)-1]...)
	out = append(out, `,"model":`...)
	out = m.AppendTo(out)
	return append(out, '}')
}

// NormalizedTokens lists the added tokens that the library normalizes before it
// searches for them, in each of the names that they have.
func (f *File) NormalizedTokens() []string {
	if f.Normalizer == nil {
		return nil
	}
	var tokens []string
	_, protected := f.protected()
	for _, t := range slices.Concat(f.Added, protected) {
		if t.Normalized {
			tokens = append(tokens, t.Content)
		}
	}
	return tokens
}

// NativeOfNormalizer is native for the normalizer alone, with a model that has
// one token for everything.
func (f *File) NativeOfNormalizer() []byte {
	word := "?"
	alone := File{
		Normalizer: f.Normalizer,
		Model:      Model{Kind: "WordLevel", Unk: &word, Vocab: json.RawMessage(`{"?":0}`)},
	}
	return alone.Native(false)
}
