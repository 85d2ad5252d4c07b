// Package tokenizer turns text into the token ids that a model was trained on,
// and ids back into text. It reads the checkpoint's own tokenizer.json (or an
// older BERT's vocab.txt, or the vocab.json and merges.txt of GPT-2's relatives) and runs it in the Hugging Face tokenizers library,
// through github.com/daulet/tokenizers, so that ids are those of the
// reference.
//
// Use Open for a checkpoint's folder, FromVocabulary for the vocabulary of a
// GGUF file, Encode, EncodePair and EncodeBatch for text, Decode, NewStream
// and TokenBytes for ids. A Tokenizer may be used by many goroutines at once.
//
// The package does explicitly what the library would do silently. It does not
// apply the file's truncation and padding blocks (Options.MaxLength truncates;
// nothing pads). Control tokens typed by a person stay text. NUL and broken
// UTF-8 are encoded like any other text. Long texts are cut into pieces so
// that memory stays flat. A file that would crash the library is rejected with
// an error that says why.
//
// It does not render chat templates, train vocabularies or download files.
package tokenizer

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync"

	"inglenook/tokenizer/definition"
	"inglenook/tokenizer/pieces"
)

// Tokenizer is an open tokenizer. Close frees its native memory.
type Tokenizer struct {
	file    *definition.File
	config  definition.Config
	cutter  pieces.Cutter
	probe   string           // a text that certainly has tokens
	ids     map[string]int32 // token -> id, added tokens included
	tokens  []string         // id -> token; holes are ""
	known   []bool           // id -> whether the token exists
	added   map[int32]bool   // ids of added tokens
	special map[int32]bool   // ids of control tokens
	watched []string         // control tokens as they appear in text; nil: unknown
	text    lazyNative       // control tokens stay text
	control lazyNative       // control tokens are control tokens
	marked  lazyNative       // control tokens are control tokens where marked; see chat.go
	bytes   func() byteTable // what each token decodes to; see bytes.go
	joins   bool             // decoding is joining the bytes of tokens; see join.go

	chatTemplate string // of a Vocabulary
	warnings     []string
}

// Encoding is an encoded text or pair of texts. All slices but Tokens and
// Offsets, which are filled only with Options.Attributes, have one entry a
// token.
type Encoding struct {
	IDs      []int32
	Types    []int32  // token type ids, as the template gives them
	Special  []bool   // added by the template
	Sequence []int8   // 0 or 1: which text the token comes from; -1: the template
	Offsets  [][2]int // byte range in its own text as given; 0, 0 where Special
	Tokens   []string

	// Truncated reports whether MaxLength cut off tokens. Dropped is how many
	// of the tokens made were cut off. A text far longer than MaxLength is not
	// encoded to its end, so there Dropped is a lower bound.
	Truncated bool
	Dropped   int
}

// Options controls encoding. The zero value returns the ids that a model
// expects for text that a person typed.
type Options struct {
	NoSpecial    bool // leave out the template's control tokens
	MaxLength    int  // most tokens, the template's included; 0 = no limit
	ParseSpecial bool // control tokens in the text become control tokens
	Attributes   bool // fill Tokens and Offsets
}

// ErrClosed is returned by a Tokenizer after Close.
var ErrClosed = errors.New("this tokenizer has been closed; open the model again")

// openJSON opens a tokenizer.json held in memory.
func openJSON(data []byte, config definition.Config) (*Tokenizer, error) {
	config.Name = cmp.Or(config.Name, "tokenizer.json")
	t, err := fromJSON(data, config)
	if err != nil {
		return nil, refuse(config.Name, err)
	}
	return t, nil
}

func refuse(name string, err error) error {
	return fmt.Errorf("%s can't be used: %w; get this file again from where the model comes from, or choose another model", name, err)
}

func fromJSON(data []byte, config definition.Config) (*Tokenizer, error) {
	f, err := definition.Read(data)
	if err != nil {
		return nil, err
	}
	f.Override(config)
	t := &Tokenizer{file: f, config: config}
	t.buildVocabulary()
	f.Hide()
	if err := f.Template.CheckIDs(t.has); err != nil {
		return nil, err
	}
	if err := checkAdded(f); err != nil {
		return nil, err
	}
	t.cutter = pieces.NewCutter(f)
	t.bytes = sync.OnceValue(t.makeByteTable)
	t.joins = joinable(f.Decoder)
	t.watched = f.Watched()
	t.text.build = func() ([]byte, bool) { return f.Native(true), true }
	t.control.build = func() ([]byte, bool) { return f.Native(false), false }
	t.marked.build = func() ([]byte, bool) { return f.NativeMarked(), false }
	if err := t.text.load(); err != nil {
		return nil, err
	}
	if err := t.findProbe(); err != nil {
		t.Close()
		return nil, err
	}
	return t, nil
}

// findProbe searches for a text that has tokens. The library reports an
// encoding error by returning no tokens, which is also the right answer for a
// text of spaces; encoding the text together with the probe tells the two
// apart.
func (t *Tokenizer) findProbe() error {
	candidates := []string{"a", "the", "1", "."}
	for i, token := range t.tokens {
		if i > 100 {
			break
		}
		candidates = append(candidates, token)
	}
	for _, text := range candidates {
		if text == "" {
			continue
		}
		e, err := t.text.encode(text, false)
		if err != nil {
			return err
		}
		if len(e.ids) > 0 {
			t.probe = text
			return nil
		}
	}
	return fmt.Errorf("it gives no tokens for any text")
}

// Close frees the native memory. It waits for calls in progress; later calls
// return ErrClosed. Closing twice is allowed.
func (t *Tokenizer) Close() error {
	t.text.close()
	t.control.close()
	t.marked.close()
	return nil
}

// ModelMaxLength returns model_max_length of tokenizer_config.json, 0 if it is
// absent or a placeholder for "no limit".
func (t *Tokenizer) ModelMaxLength() int { return t.config.ModelMaxLength }

// truncatesLeft reports whether the model keeps the end of a long text.
func (t *Tokenizer) truncatesLeft() bool {
	if side := t.config.TruncationSide; side != "" {
		return side == "left"
	}
	return t.file.TruncatesLeft
}

// HasPairTemplate reports whether EncodePair has a place for a second text.
func (t *Tokenizer) HasPairTemplate() bool {
	return slices.ContainsFunc(t.file.Template.Pair, func(p definition.Part) bool { return p.Text == 1 })
}

// ChatTemplate returns the chat template of the Vocabulary, "" if it has none.
func (t *Tokenizer) ChatTemplate() string { return t.chatTemplate }

// Warnings returns sentences about what a Vocabulary left open or got wrong.
func (t *Tokenizer) Warnings() []string { return t.warnings }
