package pipeline

import (
	"fmt"
	"maps"
	"strings"
	"sync"

	"inglenook/pipeline/toolcall"
	"inglenook/sampling"
	"inglenook/sampling/grammar"
	"inglenook/tokenizer"
)

// SchemaError reports that a complete answer does not follow its JSON schema.
type SchemaError = grammar.UnmetError

// wordList is the vocabulary as grammars see it, made when one is first wanted.
type wordList struct {
	once sync.Once
	list *grammar.Vocabulary
}

// of returns the vocabulary of the tokens with ids below size. Control tokens
// have no text in it: a grammar allows only those that end the answer.
func (w *wordList) of(tok *tokenizer.Tokenizer, size int, ends []int32) *grammar.Vocabulary {
	w.once.Do(func() {
		control := map[int32]bool{}
		for _, id := range tok.SpecialIDs() {
			control[id] = true
		}
		w.list = grammar.NewVocabulary(func(id int32) []byte {
			if control[id] {
				return nil
			}
			return tok.TokenBytes(id)
		}, size, ends)
	})
	return w.list
}

// rules are what an answer has to follow.
type rules struct {
	*grammar.State
	whole *grammar.Grammar
	text  strings.Builder // of the answer so far
}

// note adds to the text of the answer.
func (r *rules) note(said []sampling.Segment) {
	for _, segment := range said {
		r.text.WriteString(segment.Text)
	}
}

// check returns an error if a complete answer breaks a rule that could not be
// enforced while it was written.
func (r *rules) check() error { return r.whole.Check(r.text.String()) }

// rules are what the answer has to follow, nil where it may be any text.
func (g *Generator) rules(o ReplyOptions) (*rules, error) {
	var whole *grammar.Grammar
	switch {
	case g.tok == nil && (o.JSON || o.JSONSchema != nil || len(o.Stop) > 0):
		return nil, errIDsOnly
	case o.ToolChoice != "":
		var err error
		if whole, err = grammar.CompileSchema(toolcall.Schema(o.Tools, o.choice())); err != nil {
			return nil, fmt.Errorf("the parameters of a tool that has to be called cannot be enforced: %w", err)
		}
	case o.JSONSchema != nil:
		var err error
		if whole, err = grammar.CompileSchema(o.JSONSchema); err != nil {
			return nil, err
		}
	case o.JSON:
		whole = grammar.CompileObject()
	default:
		return nil, nil
	}
	return &rules{State: whole.Start(g.wordList.of(g.tok, g.vocab, g.ends)), whole: whole}, nil
}

// structured reports whether the whole answer is JSON.
func (o ReplyOptions) structured() bool { return o.JSON || o.JSONSchema != nil || o.ToolChoice != "" }

// variables are those of the chat template. An answer in JSON has no place for
// thinking, so templates that can are asked to leave it out.
func (o ReplyOptions) variables() map[string]any {
	if !o.structured() {
		return o.Variables
	}
	all := map[string]any{"enable_thinking": false}
	maps.Copy(all, o.Variables)
	return all
}
