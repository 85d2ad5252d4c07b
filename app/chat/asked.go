package chat

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"inglenook/app/documents"
	"inglenook/app/library"
	"inglenook/chats"
	"inglenook/documents/search"
	"inglenook/documents/shape"
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

// forGuide is the answer that the program gives in the place of the tiny guide that comes with it, which
// garbles what it reads: the passages of the question as they are, or what stands in its files. "": the
// model answers.
func (w *answering) forGuide(ctx context.Context, c Conversation, model string) (out said) {
	if w.ask.Continue != 0 {
		return said{}
	}
	question, err := messageOf(c, w.asked)
	if err != nil || !w.talks.isGuide(ctx, model) {
		return said{}
	}
	if passages := Passages(question.Parts); len(passages) > 0 {
		out = said{w.quote(passages), FinishQuoted}
	} else if w.talks.modelOf(Choices{Model: model}) == library.StarterChat {
		out = fromFiles(question)
	}
	if out.text != "" {
		w.reply.Model = library.StarterChat
	}
	return out
}

// isGuide reports whether a model, or where none is named the loaded one, is the tiny guide that
// comes with the program.
func (s *Service) isGuide(ctx context.Context, model string) bool {
	m, err := s.library.Find(ctx, s.modelOf(Choices{Model: model}))
	return err == nil && m.Tiny()
}

// modelOf is the model of a conversation, or where it names none the loaded one.
func (s *Service) modelOf(x Choices) string {
	loaded, _ := s.Loaded()
	return cmp.Or(x.Model, loaded.Model.ID)
}

// What stands before and behind passages that are the answer.
const (
	quotesBegin = "This is what your documents say:"
	quotesDoubt = "Your documents may not answer this. The closest passages:"
	quotesEnd   = "I am too small to answer from it in my own words. A larger model can: open Models, and choose one under Discover."
)

// quote is an answer with passages as they are, each with its place, which is what is cited. No model
// is asked.
func (w *answering) quote(passages []Part) string {
	text := quotesBegin
	if areUnsure(passages) {
		text = quotesDoubt
	}
	for i, p := range passages {
		from, _ := SourceOf(p)
		text += "\n\n" + quotation(p.Text, from) + "\n\n"
		start := len(text)
		text += "— " + plain.Line(p.Name, maxNameBytes)
		w.reply.Claims = append(w.reply.Claims, citation(p, i, start, len(text)))
	}
	return text + "\n\n" + quotesEnd
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

// What the guide says of files that are attached to a question: it would garble them.
const (
	filesBegin  = "This is what stands in the attached text:"
	filesUnread = "I am too small to read attached files. I can only look for the words of a question in them, and did not find yours. A larger model can read them: open Models, and choose one under Discover."
)

// fromFiles is the answer of the guide to a question with attached files: of each the sentence or
// row with the most words of the question, and what stands around it. "": there are no files.
func fromFiles(question Message) said {
	if len(question.Files()) == 0 {
		return said{}
	}
	text := ""
	asked := unquoted(question.Text())
	for _, file := range question.Files() {
		found := documents.Result{}
		found.Text, found.Files = file.Text, []documents.File{{Path: file.Name}}
		best, matches := search.Answering(asked, file.Text)
		if len(matches) == 0 {
			continue
		}
		found.Best = namedIn(asked, file.Text, best)
		bestRow(asked, &found)
		at, piece := leadingPiece(found, mostShortBytes)
		part, err := partOf(found, at, piece)
		if err != nil {
			continue
		}
		var from Source
		_ = json.Unmarshal(part.Data, &from) // SourceOf knows only those of collections
		text += "\n\n" + quotation(piece, from) + "\n\n— " + plain.Line(file.Name, maxNameBytes)
	}
	if text == "" {
		return said{filesUnread, FinishUnread}
	}
	return said{filesBegin + text + "\n\n" + quotesEnd, FinishQuoted}
}

// quotation is a passage as a quotation in Markdown: rows of a table below the names of its columns.
func quotation(passage string, from Source) string {
	format := documents.FormatNamed(from.Path)
	isTable := format == "csv" || from.Columns != ""
	if from.Columns != "" {
		passage = from.Columns + "\n" + strings.TrimSpace(passage)
		if format == "markdown" && !strings.Contains(from.Columns, "\n") {
			cells := strings.Count(strings.Trim(strings.TrimSpace(from.Columns), "|"), "|") + 1
			passage = strings.Replace(passage, "\n", "\n"+strings.Repeat("|---", cells)+"|\n", 1)
		}
	}
	switch {
	case format == "csv":
		passage = shape.Rows(passage)
	case !isTable:
		passage = cutOut(passage)
		if from.Before && !strings.HasPrefix(passage, "…") {
			passage = "… " + passage
		}
		if from.After && !strings.HasSuffix(passage, "…") {
			passage += " …"
		}
	}
	return shape.Quotation(passage, format == "markdown")
}

// cutOut is a passage as it is quoted: where it begins within a sentence, as a piece of a longer one
// may, or what a page break left of one, that is shown; so is an end within one.
func cutOut(passage string) string {
	passage = strings.TrimSpace(passage)
	if passage == "" {
		return ""
	}
	passage = Begun(passage)
	last, _ := utf8.DecodeLastRuneInString(passage)
	line := passage[strings.LastIndexByte(passage, '\n')+1:]
	if (unicode.IsLetter(last) || last == ',') && (len(line) >= proseBytes || len(passage) >= mostShortBytes-proseBytes/2) && !strings.Contains(line, shape.Stroke) {
		passage += " …"
	}
	return passage
}

// Begun is a text with a sign before it where it begins within a sentence.
func Begun(text string) string {
	first, _ := utf8.DecodeRuneInString(text)
	if unicode.IsLower(first) || text != "" && strings.ContainsRune(",;:)]”’–—", first) {
		return "… " + text
	}
	return text
}

// proseBytes is the length from which on a line is taken for prose, which ends with a mark. Headings
// are shorter.
const proseBytes = 80

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

// examples takes the models out that the tiny guide names as examples in what it writes. It knows
// them from its training and knows no computer; the window says below its answer which one is
// recommended for this one, and two names would be two recommendations.
type examples struct {
	held string // what may be the beginning of such words
}

// examplesBegin are the words with which the guide goes over to names. They end with the sentence.
var examplesBegin = []string{", for example Qwen", ", and take for example Qwen"}

// take returns what there is to show of more text; whole: nothing follows.
func (e *examples) take(text string, whole bool) string {
	e.held += text
	var shown strings.Builder
	for e.held != "" {
		at, begun := exampleIn(e.held)
		shown.WriteString(e.held[:at])
		e.held = e.held[at:]
		end := sentenceEnd(e.held)
		switch {
		case !begun && whole:
			shown.WriteString(e.held)
			e.held = ""
		case begun && end >= 0:
			e.held = e.held[end:]
		case begun && whole:
			shown.WriteByte('.')
			e.held = ""
		default:
			return shown.String()
		}
	}
	return shown.String()
}

// exampleIn returns where examples begin, or where more text may make a beginning of it; without
// either, the end.
func exampleIn(text string) (at int, begun bool) {
	for i := range len(text) {
		for _, words := range examplesBegin {
			switch rest := text[i:]; {
			case strings.HasPrefix(rest, words):
				return i, true
			case strings.HasPrefix(words, rest):
				return i, false
			}
		}
	}
	return len(text), false
}

// sentenceEnd returns where the full stop is that ends a sentence before more text; -1: none does
// yet. One between digits ends none.
func sentenceEnd(text string) int {
	at := -1
	for _, end := range []string{". ", ".\n"} {
		if i := strings.Index(text, end); i >= 0 && (at < 0 || i < at) {
			at = i
		}
	}
	return at
}
