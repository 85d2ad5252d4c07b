package scripted

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"inglenook/app/chat"
	"inglenook/app/documents"
	"inglenook/app/tools"
)

// Asking is how questions to documents are answered.
type Asking struct {
	Documents *Documents                                             // in which passages are found
	Most      int                                                    // passages that go with a question; 0: 3
	Finding   func(ctx context.Context, question string)             // before passages are found; may be nil
	Checking  func(ctx context.Context)                              // before the answer is judged; may be nil
	Claims    func(answer string, passages []chat.Part) []chat.Claim // the judgement; nil: by the words that a sentence shares
}

// Retrieve finds the paragraphs that hold a word of the question.
func (t *Conversations) Retrieve(ctx context.Context, r chat.RetrieveRequest) (chat.Retrieved, error) {
	if t.Asking.Finding != nil {
		t.Asking.Finding(ctx, r.Question)
	}
	if ctx.Err() != nil {
		return chat.Retrieved{}, ctx.Err()
	}
	name := r.Choices.Collection
	if c, err := t.Conversation(r.Conversation); err == nil {
		name = chat.ChoicesOf(c).Collection
	}
	return t.find(ctx, name, r.Question)
}

// find finds passages in a collection.
func (t *Conversations) find(ctx context.Context, name, question string) (chat.Retrieved, error) {
	d := t.Asking.Documents
	if d == nil {
		return chat.Retrieved{}, errors.New("there are no documents")
	}
	all, err := d.Collections(ctx)
	i, in := slices.IndexFunc(all, func(c documents.Collection) bool { return c.ID == name }), []string{name}
	if name == chat.AllCollections && len(all) > 0 {
		i, in = 0, nil
	}
	if err != nil || i < 0 {
		return chat.Retrieved{}, errors.Join(err, fmt.Errorf("there is no collection %q", name))
	}
	found, err := d.Search(ctx, documents.SearchRequest{Text: question, Collections: in, Limit: max(t.Asking.Most, documents.MostFound)})
	if err != nil {
		return chat.Retrieved{}, err
	}
	most := 3
	if t.Asking.Most > 0 {
		most = t.Asking.Most
	}
	var out chat.Retrieved
	for _, f := range found.Files {
		for _, p := range f.Passages {
			if part := passageOf(name, p); len(out.Passages) < most {
				out.Passages = append(out.Passages, part)
			} else {
				out.Others = append(out.Others, part)
			}
		}
	}
	if len(out.Passages) == 0 {
		out.Missing = fmt.Sprintf("Nothing in “%s” answers this. Searched: %d files.", all[i].Name, all[i].Files)
	}
	return out, nil
}

// passageOf is a passage as a message has it.
func passageOf(collection string, r documents.Result) chat.Part {
	path := r.Files[0].Path
	source := chat.Source{Collection: collection, ID: r.ID, Path: path, Page: r.Page, Line: r.Line, Start: r.Start, End: r.End, Score: r.Score}
	name := filepath.Base(path)
	if r.Page > 0 {
		name += fmt.Sprintf(", page %d", r.Page)
	}
	data, _ := json.Marshal(source)
	return chat.Part{Kind: chat.PartPassage, Name: name, Text: r.Text, Data: data}
}

// Found is a passage of a message as a result of a search.
func (t *Conversations) Found(_ context.Context, p chat.Part) (documents.Result, error) {
	s, ok := chat.SourceOf(p)
	if !ok {
		return documents.Result{}, errors.New("it is not known where this passage is from")
	}
	r := documents.Result{Collection: s.Collection, Best: s.Best}
	r.Start, r.End, r.Page, r.Line, r.Text = s.Start, s.End, s.Page, s.Line, p.Text
	r.ID, r.Files = s.ID, []documents.File{{Path: s.Path, Format: formatOf(s.Path)}}
	return r, nil
}

// judge says which passage supports each sentence of an answer: one that has a long word
// of it.
func (t *Conversations) judge(answer string, passages []chat.Part) (claims []chat.Claim) {
	if t.Asking.Claims != nil {
		return t.Asking.Claims(answer, passages)
	}
	at := 0
	for _, sentence := range strings.SplitAfter(answer, ". ") {
		c := chat.Claim{Start: at, End: at + len(strings.TrimRight(sentence, " ")), Passage: -1, Why: "no passage has these words"}
		for i, p := range passages {
			if c.Passage < 0 && shares(sentence, p.Text) {
				c.Passage, c.Why, c.Score = i, "", 0.9
			}
		}
		at += len(sentence)
		if c.End > c.Start {
			claims = append(claims, c)
		}
	}
	return claims
}

func shares(sentence, passage string) bool {
	for _, w := range strings.Fields(sentence) {
		if len(w) > 4 && strings.Contains(strings.ToLower(passage), strings.ToLower(strings.Trim(w, ".,"))) {
			return true
		}
	}
	return false
}

// search finds the passages of a question that came without, in a conversation that asks
// documents; missing: nothing in them answers it.
func (t *Conversations) search(ctx context.Context, r chat.AnswerRequest, report func(chat.AnswerStep)) (_ chat.AnswerRequest, missing string, _ error) {
	c, err := t.Conversation(r.Conversation)
	x := chat.ChoicesOf(c)
	if err != nil || x.Collection == "" || r.Retrieved || r.Anyway || r.Continue != 0 {
		return r, "", err
	}
	question := chat.Message{Parts: r.Parts}
	if len(r.Parts) == 0 {
		for _, m := range c.Messages {
			if m.ID == r.After {
				question = m
			}
		}
	}
	if len(chat.Passages(question.Parts)) > 0 {
		return r, "", nil
	}
	report(chat.AnswerStep{Stage: chat.StageSearching})
	found, err := t.Retrieve(ctx, chat.RetrieveRequest{MeterRequest: chat.MeterRequest{Conversation: r.Conversation}, Question: question.Text()})
	switch {
	case ctx.Err() != nil: // the question stays, without an answer
		return r, "", nil
	case err != nil:
		asked := r.After
		changing := t.change(r.Conversation, func(c *record) error {
			if len(r.Parts) > 0 {
				asked = c.add(chat.Message{Parent: r.After, Role: chat.RoleUser, Parts: r.Parts})
			}
			return nil
		})
		return r, "", errors.Join(&chat.UnsearchedError{Asked: asked, Err: err}, changing)
	case len(r.Parts) > 0:
		r.Parts = append(found.Passages, r.Parts...)
	}
	return r, found.Missing, nil
}

// missing writes that nothing in the documents answers.
func (t *Conversations) missing(id string, answer int64, why string) (out chat.Message, err error) {
	err = t.change(id, func(c *record) error {
		m := c.message(answer)
		m.State, m.Parts = chat.MessageComplete, chat.Content("This is not in your documents. "+why)
		m.Reply = &chat.ReplyRecord{Reason: chat.FinishNotFound}
		out = *m
		return nil
	})
	return out, err
}

// check judges an answer to a message with passages.
func (t *Conversations) check(ctx context.Context, id string, answer int64, report func(chat.AnswerStep)) {
	_ = t.change(id, func(c *record) error {
		m := c.message(answer)
		question := c.message(m.Parent)
		if question == nil || len(chat.Passages(question.Parts)) == 0 {
			return nil
		}
		m.Reply = &chat.ReplyRecord{Claims: t.judge(m.Text(), chat.Passages(question.Parts))}
		return nil
	})
	if c, err := t.Conversation(id); err == nil && slices.ContainsFunc(c.Messages, func(m chat.Message) bool { return m.ID == answer && m.Reply != nil }) {
		report(chat.AnswerStep{Stage: chat.StageChecking})
		if t.Asking.Checking != nil {
			t.Asking.Checking(ctx)
		}
	}
}

// useTool asks for the tool of the script, which answers "fine".
func (t *Conversations) useTool(ctx context.Context, r chat.AnswerRequest, answer int64, report func(chat.AnswerStep)) {
	q := t.Model.Tool
	if q == nil || r.Approve == nil {
		return
	}
	report(chat.AnswerStep{Stage: chat.StageTools})
	u := chat.ToolUse{Server: q.Tool.Server, Tool: q.Tool.Name, Called: q.Tool.Name, ID: "1", Arguments: q.Arguments, Result: "fine"}
	if r.Approve(ctx, *q) == tools.Refuse {
		u.State, u.Result = chat.ToolRefused, "The person did not allow it."
	}
	_ = t.change(r.Conversation, func(c *record) error {
		m := c.message(answer)
		m.Parts = append(m.Parts, u.Part())
		return nil
	})
	report(chat.AnswerStep{Stage: chat.StageTools, Tools: 1})
}
