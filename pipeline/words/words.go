// Package words reads what a checkpoint says about text: its tokenizer, its chat
// template, and how answers are chosen and end. They come from a GGUF file or from
// the files of a folder. The package reads no weights.
package words

import (
	"errors"
	"io/fs"

	"inglenook/pipeline/chattemplate"
	"inglenook/pipeline/toolcall"
	"inglenook/tokenizer"
	"inglenook/weights"
	"inglenook/weights/gguf"
)

// Words are what a checkpoint says about text: in its GGUF file, or in the files of
// its folder.
type Words struct {
	folder fs.FS
	meta   *gguf.Meta // nil: no GGUF file
}

// Of returns the words of a folder and, unless meta is nil, of a GGUF file in it.
func Of(folder fs.FS, meta *gguf.Meta) Words { return Words{folder, meta} }

// Open opens the words alone. Beside safetensors it needs neither weights nor
// config.json. file is a certain weights file of the folder, or empty.
func Open(folder fs.FS, file string) (Words, error) {
	if !weights.DescribesItself(folder, file) {
		return Words{folder: folder}, nil
	}
	set, err := weights.Open(folder, weights.Options{File: file})
	if err != nil {
		return Words{}, err
	}
	return Words{folder, set.Meta()}, set.Close()
}

// Tokenizer opens the tokenizer. A GGUF file without one may lie beside a
// tokenizer.json.
func (w Words) Tokenizer() (*tokenizer.Tokenizer, error) {
	if w.meta != nil && w.meta.Has("tokenizer.ggml.tokens") {
		return tokenizerOf(w.meta)
	}
	return tokenizer.Open(w.folder)
}

// ChatTemplate opens the chat template, in the same order.
func (w Words) ChatTemplate(tok *tokenizer.Tokenizer) (*chattemplate.Template, error) {
	if tok.ChatTemplate() != "" {
		return templateOf(w.meta, tok)
	}
	return chattemplate.Open(w.folder, tok)
}

// Generation reads how tokens should be chosen and which ones end a text.
func (w Words) Generation() (Generation, error) {
	if w.meta != nil {
		return generationOf(w.meta), nil
	}
	return readGeneration(w.folder)
}

// HasChatTemplate reports whether there is a chat template, even one that cannot be used.
func (w Words) HasChatTemplate() (bool, error) {
	if w.meta != nil && w.meta.Has("tokenizer.chat_template") {
		return true, nil
	}
	_, err := chattemplate.Sources(w.folder)
	if errors.Is(err, chattemplate.ErrMissing) {
		return false, nil
	}
	return err == nil, err
}

// Offers says what the chat templates offer: tools, calls in a form that is known here; switches, those of
// [chattemplate.Switches] that they read.
func (w Words) Offers() (tools bool, switches []string, err error) {
	sources, err := w.templates()
	for _, source := range sources {
		_, calls := toolcall.FormOf(source)
		tools, switches = tools || calls, append(switches, chattemplate.SwitchesOf(source)...)
	}
	return tools, switches, err
}

// templates are the sources of the chat templates.
func (w Words) templates() (map[string]string, error) {
	if w.meta != nil && w.meta.Has("tokenizer.chat_template") {
		r := metaReader{m: w.meta}
		sources := namedTemplates(&r)
		sources["default"] = r.text("tokenizer.chat_template")
		return sources, r.err
	}
	return chattemplate.Sources(w.folder)
}

// Template is the source of the usual chat template; empty: there is none.
func (w Words) Template() (string, error) {
	sources, err := w.templates()
	if errors.Is(err, chattemplate.ErrMissing) {
		return "", nil
	}
	return sources["default"], err
}

// Licence is what a GGUF file says of its licence; empty: nothing.
func (w Words) Licence() string {
	if w.meta == nil {
		return ""
	}
	short, _ := w.meta.String("general.license") // of another type it says nothing
	if name, _ := w.meta.String("general.license.name"); name != "" && (short == "" || short == "other") {
		return name
	}
	return short
}

// MissingTokenizer returns an error if there are no files of a tokenizer.
func (w Words) MissingTokenizer() error {
	if w.meta != nil && w.meta.Has("tokenizer.ggml.tokens") {
		return nil
	}
	return tokenizer.Missing(w.folder)
}
