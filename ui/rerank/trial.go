package rerank

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/app/library"
	"inglenook/app/texts"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// trial is the state of the view that tries two embedders on the same questions, without
// widgets. A person marks which texts answer a question; the models do not know.
type trial struct {
	*session
	questions []question
	at        int       // the one in view; -1: there is none
	pair      [2]string // ids of the models; the second may be "": one model is tried alone
	depth     int       // how many texts from the top count as found
	brought   string    // the question that came last from the view that sorts
	gone      []gone    // what was deleted, the last one last
	back      []gone    // what of that was brought back, the last one last
	mixed     bool      // a person wants the sample questions beside own ones
	paired    bool      // a person chose of pair

	done *tried // nil: nothing was tried yet
}

// question is one that the texts may answer.
type question struct {
	text  string
	right map[int]bool // ids of the texts that a person marked as answers
}

// gone are questions that were deleted, with their marks.
type gone struct {
	at        int // of the first of them
	questions []question
	samples   bool // they made room for a question of a person's own
}

// tried is what the models found. It belongs to the questions and texts of its run.
type tried struct {
	ids       []int // of the texts
	lines     []string
	questions []string
	pair      [2]string
	device    string
	results   []texts.FindResult // one a model
}

// depths are the numbers of texts from the top that a person can choose.
var depths = []int{1, 3, 5, 10}

func newTrial(s *session) *trial {
	t := &trial{session: s, at: -1, depth: 3}
	s.owned = t.keep
	kept := s.App.Settings().Rerank
	ids, asked := s.texts.IDs(), kept.Questions
	if s.sample {
		samples, _ := texts.Sample()
		for _, q := range samples {
			asked = append(asked, base.KeptQuestion{Text: q.Text, Right: q.Right})
		}
	}
	for _, k := range asked {
		q := question{k.Text, map[int]bool{}}
		for _, i := range k.Right {
			if i >= 0 && i < len(ids) {
				q.right[ids[i]] = true
			}
		}
		t.questions = append(t.questions, q)
	}
	if len(t.questions) > 0 {
		t.at = 0
	}
	t.restoreTried(kept)
	return t
}

// keep keeps the questions for the next start, with the places of their answers.
func (t *trial) keep() {
	if t.sample {
		t.session.textsChanged() // they are a person's own now, and are kept as well
	}
	ids := t.texts.IDs()
	kept := make([]base.KeptQuestion, len(t.questions))
	for k, q := range t.questions {
		kept[k].Text = q.text
		for i, id := range ids {
			if q.right[id] {
				kept[k].Right = append(kept[k].Right, i)
			}
		}
	}
	t.Keep(func(s *base.Settings) { s.Rerank.Questions = kept })
}

// textsChanged follows every change of the list. Sample questions go with the sample texts.
func (t *trial) textsChanged() {
	t.gone, t.back = nil, nil // the texts are what an undo is for now
	if t.ownTexts() {
		t.dropSamples()
	}
	t.keep()
	t.keepTried()
}

// dropSamples takes the sample questions away.
func (t *trial) dropSamples() {
	t.questions = slices.DeleteFunc(t.questions, func(q question) bool { return isSample(q.text) })
	t.at = min(t.at, len(t.questions)-1)
}

// asked is what a trial had of questions before the texts changed.
type asked struct {
	questions []question
	at        int
	gone      []gone
}

func (t *trial) snapshot() asked { return asked{slices.Clone(t.questions), t.at, t.gone} }

// bringBack brings the questions back that went since, with their marks, where they were.
func (t *trial) bringBack(was asked) {
	for i, q := range was.questions {
		if !slices.ContainsFunc(t.questions, func(other question) bool { return other.text == q.text }) {
			t.questions = slices.Insert(t.questions, min(i, len(t.questions)), q)
		}
	}
	t.at, t.gone = min(was.at, len(t.questions)-1), was.gone
	t.keep()
	t.keepTried()
	t.changed()
}

// ask adds a question. The first one of a person's own takes the place of the samples.
func (t *trial) ask(text string) {
	if text = strings.TrimSpace(text); text == "" {
		return
	}
	if i := slices.IndexFunc(t.questions, func(q question) bool { return q.text == text }); i >= 0 {
		t.look(i)
		return
	}
	if before := slices.Clone(t.questions); !t.mixed {
		if t.dropSamples(); len(t.questions) < len(before) {
			samples := slices.DeleteFunc(before, func(q question) bool { return !isSample(q.text) })
			t.offerBack(gone{0, samples, true}, "Your question took the place of the "+kit.Count(len(samples), "sample question")+".")
		}
	}
	t.questions = append(t.questions, question{text, map[int]bool{}})
	t.at = len(t.questions) - 1
	t.keep()
	t.changed()
}

// bring adds the question that the texts were sorted for, and brings it into view, once: a person may
// delete it. The one that came before it goes where nothing was marked for it.
func (t *trial) bring(query string) {
	query = strings.TrimSpace(query)
	if query == "" || query == t.brought || isSample(query) {
		return
	}
	if i := slices.IndexFunc(t.questions, func(q question) bool { return q.text == t.brought }); i >= 0 && t.marked(i) == 0 {
		t.questions = slices.Delete(t.questions, i, i+1)
	}
	t.brought = query
	t.ask(query)
}

// forget deletes question i.
func (t *trial) forget(i int) {
	if i < 0 || i >= len(t.questions) {
		return
	}
	t.offerBack(gone{i, []question{t.questions[i]}, false}, "Deleted the question “"+kit.Brief(t.questions[i].text)+"”.")
	t.questions = slices.Delete(t.questions, i, i+1)
	t.at = min(t.at, len(t.questions)-1)
	t.keep()
	t.changed()
}

// offerBack says what was deleted, and offers to bring it back.
func (t *trial) offerBack(g gone, said string) {
	t.back = nil
	t.gone = append(t.gone, g)
	n := len(t.gone)
	t.Offer(said, "Undo", func() {
		if len(t.gone) == n { // nothing was brought back or deleted since
			t.undo()
		}
	})
}

// undo brings back the questions that were deleted last, with their marks; false: there are none.
func (t *trial) undo() bool {
	if len(t.gone) == 0 {
		return false
	}
	last := t.gone[len(t.gone)-1]
	t.gone, t.back = t.gone[:len(t.gone)-1], append(t.back, last)
	t.mixed = t.mixed || last.samples
	for k, q := range last.questions {
		if !slices.ContainsFunc(t.questions, func(other question) bool { return other.text == q.text }) {
			t.questions = slices.Insert(t.questions, min(last.at+k, len(t.questions)), q)
		}
	}
	t.at = min(last.at, len(t.questions)-1)
	t.keep()
	t.changed()
	return true
}

// redo deletes the questions again that were brought back last; false: there are none.
func (t *trial) redo() bool {
	if len(t.back) == 0 {
		return false
	}
	last := t.back[len(t.back)-1]
	t.back, t.gone = t.back[:len(t.back)-1], append(t.gone, last)
	t.mixed = t.mixed && !last.samples
	t.questions = slices.DeleteFunc(t.questions, func(q question) bool {
		return slices.ContainsFunc(last.questions, func(other question) bool { return other.text == q.text })
	})
	t.at = min(t.at, len(t.questions)-1)
	t.keep()
	t.changed()
	return true
}

// look brings question i into view.
func (t *trial) look(i int) {
	t.at = i
	t.changed()
}

// mark says whether the text with that id answers the question in view.
func (t *trial) mark(id int, right bool) {
	if t.at < 0 {
		return
	}
	t.questions[t.at].right[id] = right
	t.keep()
	t.changed()
}

// marked is how many of the texts answer question i.
func (t *trial) marked(i int) (n int) {
	for _, id := range t.texts.IDs() {
		if t.questions[i].right[id] {
			n++
		}
	}
	return n
}

// settle chooses models where none is chosen, or the chosen one is gone: those that sort texts where
// these make vectors, in the same order until a person chooses others or tries these.
func (t *trial) settle() {
	if !t.paired && t.done == nil {
		t.pair = [2]string{}
	}
	for i, id := range t.pair {
		if t.knows(id) {
			continue
		}
		t.pair[i] = ""
		if i < len(t.judges) && t.knows(t.judges[i].model) && t.judges[i].model != t.pair[1-i] {
			t.pair[i] = t.judges[i].model
			continue
		}
		for _, m := range t.models {
			if _, ok := panel.MakesVectors(m); ok && m.ID != t.pair[1-i] {
				t.pair[i] = m.ID
				break
			}
		}
	}
}

// choose has model i be another one.
func (t *trial) choose(i int, model string) {
	t.pair[i], t.paired = model, true
	t.changed()
}

func (t *trial) knows(id string) bool {
	return slices.ContainsFunc(t.models, func(m library.Model) bool {
		_, ok := panel.MakesVectors(m)
		return ok && m.ID == id
	})
}

// lacks says what is missing before models can be tried; "": nothing.
func (t *trial) lacks() (title, why string) {
	switch {
	case t.models == nil:
		return "Looking for models…", ""
	case !t.knows(t.pair[0]):
		return "No model chosen", "Choose a model that turns texts into vectors."
	case len(t.questions) == 0:
		return "No questions", "Write a question, and mark the texts that answer it."
	case t.texts.Len() == 0:
		return "No texts", "Type, paste or drop the texts that may answer the questions."
	}
	return "", ""
}

// try has each model read the texts and look for the questions.
func (t *trial) try() {
	if title, _ := t.lacks(); title != "" || t.running != nil {
		return
	}
	out := &tried{ids: t.texts.IDs(), lines: t.texts.Lines(), pair: t.pair, device: t.device()}
	for _, q := range t.questions {
		out.questions = append(out.questions, q.text)
	}
	models := slices.DeleteFunc(slices.Clone(t.pair[:]), func(id string) bool { return id == "" })
	t.begin(len(models), func(ctx context.Context, report func(int) func(base.Progress)) error {
		for i, id := range models {
			got, err := t.app.FindTexts(ctx, texts.FindRequest{Model: id, Target: devices.Target{Device: out.device}, Questions: out.questions, Texts: out.lines}, report(i))
			if err != nil {
				return err
			}
			out.results = append(out.results, got)
		}
		return nil
	}, func() {
		t.done = out
		t.keepTried()
		t.Ran(out.results[len(out.results)-1].Device)
		t.Tell(fmt.Sprintf("Tried %s with %s.", kit.Count(len(models), "model"), kit.Count(len(out.questions), "question")))
	})
}

// changedSince says how what was tried differs from what would be tried now; "": it does
// not. Marks and depth change nothing that the models found.
func (t *trial) changedSince() string {
	out := t.done
	if out == nil {
		return ""
	}
	asked := make([]string, len(t.questions))
	for i, q := range t.questions {
		asked[i] = q.text
	}
	switch {
	case !slices.Equal(out.questions, asked):
		return "The questions have changed"
	case !slices.Equal(out.ids, t.texts.IDs()):
		return "The texts have changed"
	case out.pair != t.pair:
		return "The model has changed"
	case out.device != t.device():
		return "The device has changed"
	}
	return ""
}
