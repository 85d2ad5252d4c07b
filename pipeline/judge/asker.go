package judge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"inglenook/jinja"
	"inglenook/pipeline/chattemplate"
	"inglenook/pipeline/modules"
	"inglenook/tokenizer"
)

// Asker encodes the prompts of one checkpoint and reads its answers. It may be used by
// many goroutines at once.
type Asker struct {
	Form
	tok     *tokenizer.Tokenizer
	control []string // the tokenizer's control tokens
	yes, no int      // columns of the answer; no is -1 where yes alone counts
}

// Open resolves the words of a form with the checkpoint's tokenizer. words are those of
// the module list, or nil. template is the checkpoint's chat template, or nil: where it
// has places for query and document, it is the prompt.
func Open(f Form, tok *tokenizer.Tokenizer, words *modules.LogitScore, template *chattemplate.Template) (*Asker, error) {
	a := &Asker{Form: f, tok: tok, no: -1}
	if words != nil {
		if err := a.stated(words, template); err != nil {
			return nil, err
		}
	}
	if err := a.check(); err != nil {
		return nil, err
	}
	var err error
	if words == nil {
		if a.yes, err = a.word(f.Yes); err == nil && f.No != "" {
			a.no, err = a.word(f.No)
		}
	}
	if err == nil && a.yes == a.no {
		err = errSameWord
	}
	for _, id := range tok.SpecialIDs() {
		if token, ok := tok.Token(id); ok && token != "" {
			a.control = append(a.control, token)
		}
	}
	return a, err
}

var errSameWord = errors.New("the words for and against a document are the same token, so this model cannot rank; get it anew")

// stated takes the ids of the module list. The prompt is the chat template's, unless
// that has no places for the texts, or writes what the form of the family does.
func (a *Asker) stated(words *modules.LogitScore, template *chattemplate.Template) error {
	for _, id := range []int{words.Yes, words.No} {
		if _, ok := a.tok.Token(int32(id)); !ok && id >= 0 {
			return fmt.Errorf("the module list says that token %d is a word of the answer, but the vocabulary has no such token; get the model anew", id)
		}
	}
	a.yes, a.no = words.Yes, words.No
	if a.yes == a.no {
		return errSameWord
	}
	usual := a.Parts != nil && a.means(a.Yes, a.yes) && a.means(a.No, a.no)
	if text, ok := written(template); ok && !(usual && text == a.text()) {
		a.Parts = []string{text}
		if !usual {
			a.Name = OwnTemplate
		}
		return nil
	}
	if !usual {
		return fmt.Errorf("this model ranks by the tokens %d and %d, and its chat template has no places for a query and a document, so how to ask it is not known; get the model anew", a.yes, a.no)
	}
	return nil
}

// means reports whether a word is the token, or both are absent.
func (a *Asker) means(word string, id int) bool {
	if word == "" {
		return id < 0
	}
	got, err := a.word(word)
	return err == nil && got == id
}

// word returns the id of a word that is one token.
func (a *Asker) word(word string) (int, error) {
	e, err := a.tok.Encode(word, tokenizer.Options{NoSpecial: true})
	if err != nil {
		return 0, err
	}
	if len(e.IDs) != 1 {
		return 0, fmt.Errorf("the word %q, by which this model should rank, is %d tokens of its vocabulary instead of 1, so it cannot rank documents; choose a reranker", word, len(e.IDs))
	}
	return int(e.IDs[0]), nil
}

// written is what a chat template writes for a query and a document, with their places.
func written(t *chattemplate.Template) (text string, ok bool) {
	if t == nil {
		return "", false
	}
	c := chattemplate.Conversation{Messages: &jinja.List{}, AddGenerationPrompt: true}
	for _, m := range [][2]string{{"query", queryPlace}, {"document", documentPlace}} {
		message := jinja.NewDict()
		message.Set("role", m[0])
		message.Set("content", m[1])
		c.Messages.Items = append(c.Messages.Items, message)
	}
	r, err := t.Render(context.Background(), c)
	if err != nil {
		return "", false // it knows only people and models
	}
	return r.Text, Form{Parts: []string{r.Text}}.check() == nil
}

// Columns states which columns of a classifier's outputs the words are, where the
// checkpoint stores such a head.
func (a *Asker) Columns(yes, no int) { a.yes, a.no = yes, no }

// Value is that of a document, from the logits.
func (a *Asker) Value(row []float32) float32 {
	if a.no < 0 {
		return row[a.yes]
	}
	return row[a.yes] - row[a.no]
}

// IDs encodes the prompt. A control token that query or document hold stays text, so a
// document cannot end the question and answer it.
func (a *Asker) IDs(ctx context.Context, query, document string) ([]int32, error) {
	var ids []int32
	for _, part := range a.Parts {
		text, typed := a.fill(part, query, document)
		more, err := a.tok.EncodeChat(ctx, text, typed)
		if err != nil {
			return nil, err
		}
		ids = append(ids, more...)
	}
	return ids, nil
}

// fill puts the texts into their places of a part. typed are the bytes at which a
// control token begins that comes from them.
func (a *Asker) fill(part, query, document string) (text string, typed []int) {
	var b strings.Builder
	for part != "" {
		at, place, value := len(part), "", ""
		for _, t := range [][2]string{{queryPlace, query}, {documentPlace, document}} {
			if i := strings.Index(part, t[0]); i >= 0 && i < at {
				at, place, value = i, t[0], t[1]
			}
		}
		b.WriteString(part[:at])
		for i := range len(value) {
			if slices.ContainsFunc(a.control, func(token string) bool { return strings.HasPrefix(value[i:], token) }) {
				typed = append(typed, b.Len()+i)
			}
		}
		b.WriteString(value)
		part = part[at+len(place):]
	}
	return b.String(), typed
}
