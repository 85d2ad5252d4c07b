package chat

import (
	"context"
	"slices"
)

// retrieve returns the parts of a question with the passages that go with it. Where the
// documents cannot be searched, or do not answer, it notes that and returns the parts as
// they are.
func (w *answering) retrieve(ctx context.Context, c Conversation, after int64, parts []Part) []Part {
	x := ChoicesOf(c)
	if x.Collection == "" || w.ask.Anyway || len(Passages(parts)) > 0 {
		return parts
	}
	w.step(AnswerStep{Stage: StageSearching})
	found, err := w.talks.Retrieve(ctx, RetrieveRequest{MeterRequest: MeterRequest{Conversation: c.ID, After: after, Draft: parts}})
	switch {
	case ctx.Err() != nil:
	case err != nil:
		w.unsearched = err
	case found.Missing != "":
		w.missing = found.Missing
	case w.ask.Retrieved: // the person left all of them out
	default:
		w.tell(found.Notes...)
		return slices.Concat(found.Passages, parts)
	}
	return parts
}

// NotFound is the answer that the program gives itself where documents do not answer a
// question. missing says where it looked.
func NotFound(missing string) string { return "This is not in your documents. " + missing }

// sayMissing answers that the documents do not answer the question. No model is asked.
func (w *answering) sayMissing(ctx context.Context) (Message, error) {
	if err := w.begin(); err != nil {
		return Message{}, err
	}
	text := NotFound(w.missing)
	if err := w.saved(w.writer.Append(text, false)); err != nil {
		return Message{}, err
	}
	w.reply.Reason = FinishNotFound
	w.step(AnswerStep{Stage: StageWriting, Text: text})
	return w.end(ctx, nil)
}

// check judges the answer by the passages of its question. An answer whose check is ended is
// as complete as before.
func (w *answering) check(ctx context.Context) {
	c, err := w.store.Conversation(w.ask.Conversation)
	if err != nil {
		return
	}
	question, err := messageOf(c, w.asked)
	if err != nil || !hasPassages(question) {
		return
	}
	answer, err := messageOf(c, w.writer.ID())
	if err != nil {
		return
	}
	w.step(AnswerStep{Stage: StageChecking})
	if claims, err := w.talks.Judge(ctx, question, answer.Text()); err == nil {
		w.reply.Claims = claims
	}
}
