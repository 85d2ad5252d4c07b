package rerank

import (
	"slices"
	"strings"

	"inglenook/app/base"
	"inglenook/app/library"
	"inglenook/app/texts"
	"inglenook/ui/panel"
	"inglenook/ui/textlist"
)

// keepLimit is the size in bytes up to which the texts are kept in the settings.
const keepLimit = 1 << 20

// session is the state of the room, without widgets: the question, the texts, the models
// that rank them, and what these found. Its fields are read and written on the window's
// goroutine; changed is called there after each change.
type session struct {
	panel.Host
	app     App
	changed func()
	owned   func() // the samples are a person's own from now on
	sorted  func() // what was found came into view, with a text picked
	failed  func(error)
	shown   func(what string, p base.Progress) // how far the run under way is

	query  string
	texts  *textlist.Texts
	sample bool          // question and texts are those of the first look
	device func() string // the chosen one

	models []library.Model // nil: not known yet
	judges []judge         // one, or two beside each other
	eager  bool            // a run begins as soon as the models are known

	running *run     // nil: none
	found   *outcome // nil: nothing was ranked yet
	picked  int      // a text of found, by its index; -1: none
}

// judge is a model that ranks.
type judge struct {
	model   string // its id; "": none is chosen
	pooling string // of texts.Poolings; "": as the model is made
	eight   bool   // it reads in 8 bits
}

// request is everything that an outcome depends on.
type request struct {
	query  string
	ids    []int // of the texts
	judges []judge
	device string
}

func newSession(d panel.Host, a App) *session {
	kept := d.App.Settings().Rerank
	s := &session{Host: d, app: a, query: kept.Query, changed: func() {}, owned: func() {}, sorted: func() {}, failed: func(error) {}, shown: func(string, base.Progress) {}, picked: -1, device: func() string { return "auto" }}
	questions, samples := texts.Sample()
	lines := kept.Texts
	if lines == nil {
		s.query, lines, s.sample = questions[0].Text, samples, true
	}
	s.texts = textlist.New(lines, samples)
	s.knowSources(kept.From)
	for _, id := range kept.Models[:min(2, len(kept.Models))] {
		s.judges = append(s.judges, judge{model: id})
	}
	if len(s.judges) == 0 {
		s.judges = []judge{{}}
	}
	s.restore(kept)
	return s
}

// inView is what was found, as long as any of its texts is there; nil: nothing. After Clear it is kept for
// Undo.
func (s *session) inView() *outcome {
	if s.found == nil || !s.texts.HasAny(s.found.asked.ids) {
		return nil
	}
	return s.found
}

// shownNow is what is in view, and nothing while other texts are read or for another question: what is
// found then takes its place.
func (s *session) shownNow() *outcome {
	out := s.inView()
	if s.running != nil && out != nil {
		if now := s.request(); out.asked.query != now.query || !slices.Equal(out.asked.ids, now.ids) {
			return nil
		}
	}
	return out
}

// ask changes the question.
func (s *session) ask(query string) {
	if query == s.query {
		return
	}
	s.query = query
	if s.sample { // its texts are kept beside a question of the person's own
		s.sample = false
		s.keepTexts()
		s.owned()
	}
	s.Keep(func(kept *base.Settings) { kept.Rerank.Query = query })
	s.changed()
}

// textsChanged follows every change of the list. The sample question goes with the sample
// texts: a person's own texts are never ranked for it.
func (s *session) textsChanged() {
	s.sample = false
	if s.ownTexts() && isSample(s.query) {
		s.query = ""
	}
	s.keepTexts()
	s.keepFound()
	s.changed()
}

// ownTexts reports whether there are texts, and all of them are a person's own.
func (s *session) ownTexts() bool { return s.texts.Len() > 0 && !s.texts.Sampled() }

// isSample reports whether a question is one of the first look.
func isSample(question string) bool {
	questions, _ := texts.Sample()
	return slices.ContainsFunc(questions, func(q texts.Asked) bool { return q.Text == question })
}

// keepTexts keeps the texts for the next start, unless they are long.
func (s *session) keepTexts() {
	query, lines, size := s.query, s.texts.Lines(), 0
	for _, l := range lines {
		size += len(l)
	}
	if size > keepLimit {
		s.Tell("These texts are too long to be kept for the next start.")
		lines = []string{}
	}
	from := s.sourcesOf(s.texts.IDs())
	for _, one := range from {
		size += len(one.Written)
	}
	if size > keepLimit {
		from = nil
	}
	s.Keep(func(kept *base.Settings) { kept.Rerank.Query, kept.Rerank.Texts, kept.Rerank.From = query, lines, from })
}

// setModels takes note of the models that there are. One that is gone makes room for
// another that ranks.
func (s *session) setModels(models []library.Model) {
	s.models = append([]library.Model{}, models...) // not nil: they are known now
	for i, j := range s.judges {
		if s.known(j.model) {
			continue
		}
		s.judges[i] = judge{model: s.other(i)}
		if now, ok := s.model(i); ok && j.model != "" {
			s.Tell(j.model + " is no longer there, so " + now.Name + " ranks the texts now.")
		}
	}
	s.changed()
	if s.eager {
		s.eager = false
		s.start()
	}
}

func (s *session) known(id string) bool {
	return slices.ContainsFunc(s.models, func(m library.Model) bool { return m.ID == id })
}

// other is a model that ranks and is not yet chosen, the first of the list; "": there is
// none. The second one is a reranker where there is one.
func (s *session) other(i int) (id string) {
	for _, m := range s.models {
		taken := slices.ContainsFunc(s.judges, func(j judge) bool { return j.model == m.ID })
		if _, ok := Fits(m); !ok || taken {
			continue
		}
		if id == "" || i > 0 && m.Kind == library.KindReranker {
			id = m.ID
		}
		if i == 0 || m.Kind == library.KindReranker {
			return id
		}
	}
	return id
}

// reranker is the first reranker of the list; "": there is none.
func (s *session) reranker() string {
	for _, m := range s.models {
		if _, ok := Fits(m); ok && m.Kind == library.KindReranker {
			return m.ID
		}
	}
	return ""
}

// model is that of judge i; false: none is chosen, or it is not there.
func (s *session) model(i int) (library.Model, bool) {
	at := slices.IndexFunc(s.models, func(m library.Model) bool { return m.ID == s.judges[i].model })
	if at < 0 {
		return library.Model{}, false
	}
	return s.models[at], true
}

// choose has judge i be another model, as it is made.
func (s *session) choose(i int, model string) {
	s.judges[i] = judge{model: model}
	s.keepJudges()
	s.changed()
}

// pool has judge i score in another way.
func (s *session) pool(i int, pooling string) {
	s.judges[i].pooling = pooling
	s.changed()
}

// readAs notes whether judge i reads in 8 bits from now on.
func (s *session) readAs(i int, eight bool) {
	if i < len(s.judges) {
		s.judges[i].eight = eight
		s.changed()
	}
}

// readAgain sorts again where nothing but the way of reading has changed.
func (s *session) readAgain() {
	if s.found != nil && s.found.asked.changedSince(s.request()) == panel.ReadingChanged {
		s.start()
	}
}

// undecided reports whether a second model is wanted and not chosen yet. Until then the first one
// ranks alone.
func (s *session) undecided() bool { return len(s.judges) == 2 && s.judges[1].model == "" }

// beside adds a second model, or takes it away.
func (s *session) beside(on bool) {
	s.judges = s.judges[:1]
	if on {
		s.judges = append(s.judges, judge{model: s.other(1)})
	}
	s.keepJudges()
	s.changed()
}

// open is the judge that waits for a model; the first, if none does.
func (s *session) open() int {
	return max(0, slices.IndexFunc(s.judges, func(j judge) bool { return j.model == "" }))
}

func (s *session) keepJudges() {
	ids := make([]string, len(s.judges))
	for i, j := range s.judges {
		ids[i] = j.model
	}
	s.Keep(func(kept *base.Settings) { kept.Rerank.Models = ids })
}

// request is what a run would be asked now.
func (s *session) request() request {
	judges := slices.Clone(s.judges)
	if s.undecided() {
		judges = judges[:1]
	}
	return request{strings.TrimSpace(s.query), s.texts.IDs(), judges, s.device()}
}

// changedSince says how r differs from a later request; "": it does not.
func (r request) changedSince(now request) string {
	switch {
	case r.query != now.query && !slices.Equal(r.ids, now.ids):
		return "Question and texts have changed"
	case r.query != now.query:
		return "The question has changed"
	case !slices.Equal(r.ids, now.ids):
		return "The texts have changed"
	case len(r.judges) < len(now.judges):
		return "A second model was added"
	case len(r.judges) > len(now.judges):
		return "The second model was removed"
	case !slices.EqualFunc(r.judges, now.judges, func(a, b judge) bool { return a.model == b.model && a.pooling == b.pooling }):
		return "The model has changed"
	case !slices.Equal(r.judges, now.judges):
		return panel.ReadingChanged
	case r.device != now.device:
		return "The device has changed"
	}
	return ""
}

// missing says what is missing before texts can be ranked; "": nothing.
func (s *session) missing() (title, why string) {
	if s.models == nil {
		return "Looking for models…", ""
	}
	if len(s.models) == 0 {
		return "No model", "Find one to download, open one of your own, or drop its folder on this window."
	}
	for i := range s.judges {
		m, ok := s.model(i)
		if i == 1 && s.undecided() {
			continue
		}
		if !ok {
			return "No model chosen", "Choose a model above."
		}
		if why, ok := Fits(m); !ok {
			return "This model cannot rank texts", why
		}
	}
	switch {
	case strings.TrimSpace(s.query) == "":
		return "No question", "Write what the texts should answer, then press Sort by relevance."
	case s.texts.Len() == 0:
		return "No texts", "Type, paste or drop the texts that may answer the question."
	}
	return "", ""
}

// pick marks text i of the outcome; -1: none.
func (s *session) pick(i int) {
	s.picked = i
	s.changed()
}
