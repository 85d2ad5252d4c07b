package chat

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"inglenook/app/documents"
	"inglenook/app/guide"
	"inglenook/app/library"
	"inglenook/documents/search"
	"inglenook/documents/words"
	"inglenook/plain"
)

// forGuide is the answer that the program gives in the place of the tiny guide that comes with it, which
// garbles what it reads: the passages of the question as they are, what stands in files, or what is true of the
// program. "": the model answers.
func (w *answering) forGuide(ctx context.Context, c Conversation, model string) (out said) {
	if w.ask.Continue != 0 {
		return said{}
	}
	c.Leaf = w.asked
	path := c.Path()
	if len(path) == 0 || !w.talks.isGuide(ctx, model) {
		return said{}
	}
	if blank(w.ask.Parts) || w.second {
		path = w.searchAgain(ctx, path, retrieval{Service: w.talks, collection: ChoicesOf(c).Collection, quoted: true, small: true, context: usualContext})
	}
	if passages := Passages(path[len(path)-1].Parts); len(passages) > 0 {
		out = said{w.quote(passages) + endOf(path), FinishQuoted}
	} else if w.talks.modelOf(Choices{Model: model}) == library.StarterChat {
		out = guideSays(path)
	}
	if out.text != "" {
		w.reply.Model = library.StarterChat
		w.talks.log.Info("chat", "model", library.StarterChat, "by", "the program, without a model", "finish", out.reason)
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
	return text
}

// endOf is what stands behind quotations: that a larger model can do more. It is said once in a branch.
func endOf(path []Message) string {
	if slices.ContainsFunc(path, func(m Message) bool { return m.Role == RoleAssistant && strings.HasSuffix(m.Text(), quotesEnd) }) {
		return ""
	}
	return "\n\n" + quotesEnd
}

// What the guide says of files that are attached to a question or to an earlier one: it would garble them.
const (
	filesBegin  = "This is what stands in the attached text:"
	filesDoubt  = "The attached text may not answer this. The closest in it:"
	filesUnread = "I am too small to read attached files. I can only look for the words of a question in them, and did not find yours. A larger model can read them: open Models, and choose one under Discover."
)

// guideSays is what the program says for the guide to the last question of a branch: what is true of the program, or
// what files say. The files are those of the question, or where it has none those that were attached before: each
// question looks into them anew. "": the guide writes, and reads only the question and what it wrote itself.
func guideSays(path []Message) said {
	question := path[len(path)-1]
	text, files := question.Text(), question.Files()
	about := guide.About(text)
	earlier := filesOf(path[:len(path)-1])
	if len(files) == 0 {
		if about != "" && (len(earlier) == 0 || guide.Named(text)) {
			return said{about, FinishGuide}
		}
		if len(earlier) > 0 && guide.SmallTalk(text) {
			return said{}
		}
		files = earlier
	}
	found, sure := fromFiles(unquoted(text), files)
	if before := questionBefore(path); before != "" && pointsToBefore(text) && (found != "" || len(telling(text)) == 0) {
		if more, all := fromFiles(unquoted(before+" "+text), files); all || !sure {
			found, sure = more, all
		}
	}
	foreign := guide.Foreign(text)
	switch {
	case found != "" && (sure || about == ""):
		return said{found + endOf(path), FinishQuoted}
	case about != "":
		return said{about, FinishGuide}
	case foreign != "":
		return said{foreign, FinishGuide}
	case len(files) > 0:
		return said{filesUnread, FinishUnread}
	}
	return said{}
}

// filesOf are the files of a branch, each once, those that were attached last first.
func filesOf(path []Message) (files []Part) {
	for _, m := range slices.Backward(path) {
		for _, f := range m.Files() {
			if !slices.ContainsFunc(files, f.SameFile) {
				files = append(files, f)
			}
		}
	}
	return files
}

// questionBefore is the text of the question before the last one of a branch.
func questionBefore(path []Message) string {
	for _, m := range slices.Backward(path[:len(path)-1]) {
		if m.Role == RoleUser {
			return m.Text()
		}
	}
	return ""
}

// ownTalk is the part of a branch that does not confuse the guide: the last question, and before it what the guide
// wrote itself, with what it was asked. Other models' words, files, and what the program says in its place are left
// out: it did not learn from such texts. The program itself looks into what goes with the question.
func ownTalk(path []Message) (own []Message) {
	last := len(path) - 1
	for i := 0; i < last; i++ {
		if m := path[i]; m.Role == RoleUser && i+1 < last && len(m.Files()) == 0 && wroteItself(path[i+1]) {
			own = append(own, m, path[i+1])
		}
	}
	question := path[last]
	question.Parts = slices.DeleteFunc(slices.Clone(question.Parts), func(p Part) bool { return p.Kind == PartFile || p.Kind == PartPassage })
	return append(own, question)
}

// wroteItself reports whether the guide wrote an answer as it stands, and the answer is none of those about the program.
func wroteItself(m Message) bool {
	return m.Role == RoleAssistant && m.State == MessageComplete && m.Reply != nil && m.Reply.Model == library.StarterChat && m.Reply.Reason != FinishEdited && !ByProgram(m.Reply.Reason) && !guide.Says(m.Text())
}

// fromFiles is what files say to a question. Of each file that is the sentence or row with the most words of the question,
// and what stands around it. Only the files with the most such words are quoted; "": no file has any. sure: such a
// place has at least half of the words, and no heading led to it.
func fromFiles(asked string, files []Part) (text string, sure bool) {
	var quotes []string
	highest, guessed := 0.0, false
	for _, file := range files {
		found := documents.Result{}
		found.Text, found.Files = file.Text, []documents.File{{Path: file.Name}}
		best, matches := search.Answering(asked, file.Text)
		if len(matches) == 0 {
			continue
		}
		told, instead := inProse(asked, file.Text, best)
		found.Best = namedIn(asked, file.Text, told)
		bestRow(asked, &found)
		bestLine(asked, &found)
		tells := found.Text[found.Best.Start:found.Best.End]
		if columns, named := rowNamed(asked, found); named {
			tells = columns + "\n" + tells
		}
		share := sharedWords(telling(asked), tells)
		if share == 0 || share < highest { // the names of columns have words too
			continue
		}
		at, piece := pieceOf(asked, found)
		part, err := partOf(found, at, piece)
		if err != nil {
			continue
		}
		if share > highest {
			quotes, highest, guessed = nil, share, instead
		}
		var from Source
		_ = json.Unmarshal(part.Data, &from) // SourceOf knows only those of collections
		quotes = append(quotes, quotation(piece, from)+"\n\n— "+plain.Line(file.Name, maxNameBytes))
	}
	if len(quotes) == 0 {
		return "", false
	}
	begin := filesDoubt
	if sure = highest >= mostWords && !guessed; sure {
		begin = filesBegin
	}
	return begin + "\n\n" + strings.Join(quotes, "\n\n"), sure
}

// mostWords is how large a part of a question's words a sentence has to have before it seems to answer the question.
const mostWords = 0.5

// sharedWords is the part of the telling words of a question that a sentence has.
func sharedWords(asked []string, sentence string) float64 {
	has := map[string]bool{}
	for _, w := range words.Split(sentence) {
		has[words.Stem(w)] = true
	}
	shared := 0
	for _, w := range asked {
		if has[words.Stem(w)] {
			shared++
		}
	}
	return float64(shared) / float64(max(1, len(asked)))
}
