package chat

import (
	"context"
	"slices"

	"inglenook/chats"
	"inglenook/plain"
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
		w.missing, w.nearest = found.Missing, nearest(found.Others)
	case w.ask.Retrieved: // the person left all of them out
	default:
		w.tell(found.Notes...)
		return slices.Concat(found.Passages, parts)
	}
	return parts
}

// searchAgain returns a branch in which the last question has the passages that fit the model that answers now, as find
// says: they may have been found for another model, which reads less or more. Passages that a person chose stay, and so
// do those that were just found. The new passages become parts of the answer.
func (w *answering) searchAgain(ctx context.Context, path []Message, find retrieval) []Message {
	last := len(path) - 1
	if last < 0 || find.collection == "" || w.ask.Anyway || w.ask.Continue != 0 || !hasPassages(path[last]) {
		return path
	}
	find.talk.Messages = path
	if from, known := SourceOf(Passages(path[last].Parts)[0]); !known || from.Room == 0 || from.Room == find.size() {
		return path
	}
	w.step(AnswerStep{Stage: StageSearching})
	found, err := find.run(ctx)
	if err != nil || len(found.Passages) == 0 {
		w.talks.log.Info("the passages of another model go along", "error", err)
		return path
	}
	w.own = found.Passages
	return withPassages(path, w.own)
}

// withPassages returns a branch with other passages for its last question.
func withPassages(path []Message, passages []Part) []Message {
	last := len(path) - 1
	path = withoutPassages(path, []int{last})
	path[last].Parts = slices.Concat(passages, path[last].Parts)
	return path
}

// NotFound is the answer that the program gives itself where documents do not answer a
// question. missing says where it looked.
func NotFound(missing string) string { return "This is not in your documents. " + missing }

// mostNearest is how many of the nearest passages are named where none is close.
const mostNearest = 3

// nearest are the passages that come nearest to a question which none answers: the best of each of a
// few places.
func nearest(passages []Part) (few []Part) {
	for _, p := range passages {
		same := func(q Part) bool { return plain.Line(q.Name, maxNameBytes) == plain.Line(p.Name, maxNameBytes) }
		if p.Name != "" && len(few) < mostNearest && !slices.ContainsFunc(few, same) {
			few = append(few, p)
		}
	}
	return few
}

// sayMissing answers that the documents do not answer the question, with the passages that come nearest:
// they are parts of the answer, and cited where they are named. No model is asked.
func (w *answering) sayMissing(ctx context.Context) (Message, error) {
	text := NotFound(w.missing)
	for i, p := range w.nearest {
		if i == 0 {
			text += " The nearest passages are in "
		} else {
			text += "; "
		}
		start := len(text)
		text += plain.Line(p.Name, maxNameBytes)
		w.reply.Claims = append(w.reply.Claims, citation(p, i, start, len(text)))
		if i == len(w.nearest)-1 {
			text += "."
		}
	}
	return w.say(ctx, said{text, FinishNotFound}, w.nearest...)
}

// citation is what the name of a passage cites, which stands in an answer between two bytes.
func citation(p Part, number, start, end int) chats.Claim {
	from, _ := SourceOf(p)
	c := chats.Claim{Start: start, End: end, Passage: number, BestEnd: len(p.Text), Score: 1}
	if from.Best.End > from.Best.Start {
		c.BestStart, c.BestEnd = from.Best.Start, from.Best.End
	}
	return c
}

// check judges the answer in a conversation by the passages of its question. An answer whose check is ended is
// as complete as before.
func (w *answering) check(ctx context.Context, c Conversation) {
	question, err := messageOf(c, w.asked)
	if err != nil || !hasPassages(question) {
		return
	}
	if len(w.own) > 0 {
		question = withPassages([]Message{question}, w.own)[0]
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

// said is an answer of which no model wrote a word, and why there is one.
type said struct{ text, reason string }

// say answers with that, and with passages that it names.
func (w *answering) say(ctx context.Context, what said, passages ...Part) (Message, error) {
	if err := w.begin(); err != nil {
		return Message{}, err
	}
	if err := w.put(what, passages...); err != nil {
		return Message{}, err
	}
	return w.end(ctx, nil)
}

// put writes it into the message that was begun.
func (w *answering) put(what said, passages ...Part) error {
	if err := w.saved(w.writer.Append(what.text, false)); err != nil {
		return err
	}
	for _, p := range passages {
		if err := w.saved(w.writer.Add(p)); err != nil {
			return err
		}
	}
	w.reply.Reason = what.reason
	w.step(AnswerStep{Stage: StageWriting, Text: what.text})
	return nil
}
