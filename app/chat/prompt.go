package chat

import (
	"context"
	"errors"
	"slices"
	"sort"
	"strings"

	"inglenook/app/base"
	"inglenook/app/library"
	"inglenook/pipeline"
)

// Talk is a conversation as a model is to get it.
type Talk struct {
	System    string
	Messages  []Message // the branch that is sent, from its beginning
	Tools     bool      // the model knows what calls of tools are
	Documents bool      // questions are answered from documents, also where none has passages yet
}

// Planned is a prompt for a talk.
type Planned struct {
	pipeline.Prompt
	Dropped []int64 // messages that do not fit the context, by their ids
	LeftOut int     // earlier questions whose passages are left out to make room
}

// replyOptions say how the model is to answer under the choices.
func (h *loaded) replyOptions(x Choices, p base.Preset) ReplyOptions {
	o := x.replyOptions(p)
	if o.Plain = h.plain(); o.Plain {
		o.Stop = append(slices.Clone(o.Stop), endMarks...)
	}
	return o
}

// endMarks are how texts that models learned from are told apart. A model that continues texts
// writes one where a text ends, and its tokenizer may take it for an ordinary text.
var endMarks = []string{"<|end_story|>", "<|endoftext|>", "</s>"}

// IsEndMark reports whether a stop text only says that the text is at its end.
func IsEndMark(stop string) bool { return slices.Contains(endMarks, stop) }

// small reports whether the model gets passages in their short form.
func (c *Writer) small() bool {
	return isSmall(c.Model) || c.Model.Kind == library.KindText || c.Model.Kind == library.KindTask
}

// PlanTalk returns the prompt for a talk. Where it does not fit the context, the passages
// of earlier questions are left out first, those of the older half and then all of them, so
// that the beginning stays the same for some questions. Then messages are dropped, those with
// files that a person attached last. Last of all, passages of the question itself are left out,
// the last one first.
func (c *Writer) PlanTalk(ctx context.Context, t Talk, o ReplyOptions) (Planned, error) {
	earlier := earlierPassages(t.Messages)
	p, err := c.planAsIs(ctx, t, o)
	for _, n := range []int{(len(earlier) + 1) / 2, len(earlier)} {
		if n <= p.LeftOut || !overflows(p, err) {
			continue
		}
		less := t
		less.Messages = withoutPassages(t.Messages, earlier[:n])
		all := p.AllTokens
		p, err = c.planAsIs(ctx, less, o)
		p.LeftOut, p.AllTokens = n, max(p.AllTokens, all)
	}
	t.Messages = withoutPassages(t.Messages, earlier[:p.LeftOut])
	for tooLong(err) {
		path, ok := withoutLastPassage(t.Messages)
		if !ok {
			break
		}
		t.Messages = path
		p, err = c.planAsIs(ctx, t, o)
		p.LeftOut = len(earlier)
	}
	if err == nil && dropsFiles(t.Messages, p.Dropped) {
		return c.keepFiles(ctx, t, o, p)
	}
	return p, err
}

// overflows reports whether a prompt has no room for all that was to be sent.
func overflows(p Planned, err error) bool {
	return tooLong(err) || err == nil && len(p.Prompt.Dropped) > 0
}

func tooLong(err error) bool {
	var long *pipeline.TooLongError
	return errors.As(err, &long)
}

// planAsIs returns the prompt for a talk with all its passages. Some templates refuse a
// system message. They get the instruction at the beginning of the first message.
func (c *Writer) planAsIs(ctx context.Context, t Talk, o ReplyOptions) (Planned, error) {
	list := t.sent(c.small(), false)
	p, err := c.Plan(ctx, messages(list), o)
	if err != nil && t.instructs(c.small()) && ctx.Err() == nil && !tooLong(err) {
		second := t.sent(c.small(), true)
		if again, err2 := c.Plan(ctx, messages(second), o); err2 == nil || tooLong(err2) {
			list, p, err = second, again, err2
		}
	}
	planned := Planned{Prompt: p}
	for _, i := range p.Dropped {
		planned.Dropped = append(planned.Dropped, list[i].of...)
	}
	planned.Dropped = slices.Compact(planned.Dropped) // one that used tools is sent as several
	return planned, err
}

// keepFiles plans a talk of which files were left out that a person attached, so that these are kept
// longest: a question on the same files is nothing without them. Other questions and answers are left out
// first, the oldest first, and as few as possible.
func (c *Writer) keepFiles(ctx context.Context, t Talk, o ReplyOptions, p Planned) (Planned, error) {
	order := leavingOrder(t.Messages)
	if len(order) == 0 {
		return p, nil
	}
	without := func(n int) (less Talk, dropped []int64) {
		less = t
		less.Messages, dropped = leavingOut(t.Messages, order[:n], c.small())
		return less, dropped
	}
	var failed error
	n := 1 + sort.Search(len(order)-1, func(i int) bool {
		less, _ := without(i + 1)
		q, err := c.planAsIs(ctx, less, o)
		if err != nil && !tooLong(err) {
			failed = err
		}
		return failed != nil || err == nil && len(q.Prompt.Dropped) == 0 && q.Room >= pipeline.WantedRoom(q.Context, o.MaxTokens)
	})
	if failed != nil {
		return Planned{}, failed
	}
	less, dropped := without(n)
	q, err := c.planAsIs(ctx, less, o)
	q.Dropped, q.LeftOut, q.AllTokens = dropped, p.LeftOut, max(p.AllTokens, q.AllTokens)
	return q, err
}

// dropsFiles reports whether files that a person attached are in messages that are left out.
func dropsFiles(path []Message, dropped []int64) bool {
	return slices.ContainsFunc(path, func(m Message) bool { return len(m.Files()) > 0 && slices.Contains(dropped, m.ID) })
}

// leavingOrder are the messages of a branch before its last question, by their places, in the order in which
// they are left out: questions with their answers, and answers to questions with files, the oldest first, and
// then the questions with files.
func leavingOrder(path []Message) (order [][]int) {
	last := len(path)
	for i, m := range path {
		if m.Role == RoleUser && (i == 0 || path[i-1].Role != RoleUser) {
			last = i
		}
	}
	var files [][]int
	begins := true
	for i, m := range path[:last] {
		switch asks := m.Role == RoleUser; {
		case asks && len(m.Files()) > 0:
			files = append(files, []int{i})
			begins = true
		case asks || begins:
			order = append(order, []int{i})
			begins = false
		default:
			end := len(order) - 1
			order[end] = append(order[end], i)
		}
	}
	return append(order, files...)
}

// leavingOut returns a branch without some of its messages, and which of them a model would have got, the
// oldest first.
func leavingOut(path []Message, groups [][]int, small bool) (kept []Message, dropped []int64) {
	out := slices.Concat(groups...)
	for i, m := range path {
		switch {
		case !slices.Contains(out, i):
			kept = append(kept, m)
		case usesTools(m) || len(contentOf(m, small)) > 0:
			dropped = append(dropped, m.ID)
		}
	}
	return kept, dropped
}

// instructs reports whether the talk begins with the instruction about passages.
func (t Talk) instructs(small bool) bool {
	return !small && (t.Documents || slices.ContainsFunc(t.Messages, hasPassages))
}

// sent is a message as a model gets it, with the messages of the conversation that
// it consists of.
type sent struct {
	PromptMessage
	of []int64
}

// sent returns what a model gets of a talk. Messages without content, such as an
// answer that failed at once, are left out, and neighbours of one role are joined,
// since many templates want the roles to alternate. Where the instruction is not to be a
// system message, it begins the first one.
func (t Talk) sent(small, noSystem bool) []sent {
	var list []sent
	system, first := t.System, ""
	if t.instructs(small) {
		if system = withInstruction(t.System); noSystem {
			system, first = t.System, askInstruction
		}
	}
	if strings.TrimSpace(system) != "" {
		list = append(list, sent{PromptMessage: TextMessage("system", system)})
	}
	for _, m := range t.Messages {
		if usesTools(m) {
			for _, p := range t.turns(m, small) {
				list = append(list, sent{p, []int64{m.ID}})
			}
			continue
		}
		parts := contentOf(m, small)
		if len(parts) == 0 {
			continue
		}
		if first != "" && m.Role == RoleUser {
			parts = joined([]pipeline.Part{{Kind: pipeline.PartText, Text: first}}, parts)
			first = ""
		}
		if last := len(list) - 1; last >= 0 && list[last].Role == m.Role {
			list[last].Parts = joined(list[last].Parts, parts)
			list[last].of = append(list[last].of, m.ID)
			continue
		}
		s := sent{PromptMessage: PromptMessage{Role: m.Role, Parts: parts}, of: []int64{m.ID}}
		if m.Role == RoleAssistant {
			s.Thinking = m.Thinking
		}
		list = append(list, s)
	}
	return list
}

// contentOf returns what a model gets of a message: its passages, then each run of texts
// and files as one text, and parts of other kinds as they are. A model that cannot read
// these refuses them.
func contentOf(m Message, small bool) (parts []pipeline.Part) {
	var run []string
	end := func() {
		if len(run) > 0 {
			parts = append(parts, pipeline.Part{Kind: pipeline.PartText, Text: strings.Join(run, "\n\n")})
		}
		run = nil
	}
	passages := sentPassages(m)
	if len(passages) > 0 {
		run = append(run, passagesText(passages, small))
	}
	for _, p := range m.Parts {
		switch p.Kind {
		case PartText:
			switch {
			case strings.TrimSpace(p.Text) == "":
			case len(passages) > 0:
				run = append(run, questionText(p.Text, small))
			default:
				run = append(run, p.Text)
			}
		case PartFile:
			run = append(run, fileText(p))
		case PartTool: // an edited message may have it
		case PartPassage: // all of them stand at the beginning
		default:
			end()
			parts = append(parts, pipeline.Part{Kind: p.Kind})
		}
	}
	end()
	return parts
}

// blank reports whether parts say nothing. Passages without a question are nothing.
func blank(parts []Part) bool {
	return !slices.ContainsFunc(parts, func(p Part) bool {
		return p.Kind != PartText && p.Kind != PartPassage || p.Kind == PartText && strings.TrimSpace(p.Text) != ""
	})
}

// joined puts the parts of two messages together, and makes one text of two that
// meet.
func joined(a, b []pipeline.Part) []pipeline.Part {
	if last := &a[len(a)-1]; last.Kind == pipeline.PartText && b[0].Kind == pipeline.PartText {
		last.Text += "\n\n" + b[0].Text
		b = b[1:]
	}
	return append(a, b...)
}

// fileText returns a file as text, within a fence.
func fileText(file Part) string { return "File " + file.Name + ":\n" + fenced(file.Text) }

// fenced returns a text between two lines of backticks, more than any of its own.
func fenced(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + "\n" + strings.TrimRight(text, "\n") + "\n" + fence
}

func messages(list []sent) []PromptMessage {
	out := make([]PromptMessage, len(list))
	for i, s := range list {
		out[i] = s.PromptMessage
	}
	return out
}
