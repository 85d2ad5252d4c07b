package documents

import (
	"context"
	"fmt"
	"path"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/base"
	"inglenook/app/documents"
	"inglenook/app/library"
	"inglenook/ui/kit"
)

// readingPause is how long somebody has not typed before a model begins to read. Each
// key begins a search of its own, and reading for it would be in vain.
const readingPause = 250 * time.Millisecond

// reader is the model that is to read the passages that a search finds.
type reader struct {
	id     string          // "": none
	models []library.Model // that can
	known  bool            // models were listed once
	reads  bool            // it does so now
}

// wanted is the model that is to read; "": none, or it is gone.
func (r reader) wanted() string {
	if r.known && !slices.ContainsFunc(r.models, func(m library.Model) bool { return m.ID == r.id }) {
		return ""
	}
	return r.id
}

// readers are the models that can read passages beside a question: rerankers, then
// embedders, which compare vectors.
func readers(all []library.Model) []library.Model {
	list := slices.DeleteFunc(slices.Clone(all), func(m library.Model) bool {
		return !m.Usable || m.Kind != library.KindReranker && m.Kind != library.KindEmbedding
	})
	slices.SortStableFunc(list, func(a, b library.Model) int { return place(a) - place(b) })
	return list
}

func place(m library.Model) int {
	return slices.Index([]string{library.KindReranker, library.KindEmbedding}, m.Kind)
}

// offered are the models that can read, without an embedder that finds the passages
// anyway: it would say the same once more.
func (s *session) offered() []library.Model {
	return slices.DeleteFunc(slices.Clone(s.reader.models), func(m library.Model) bool {
		other := func(c documents.Collection) bool { return c.Model != m.ID }
		return m.ID != s.reader.id && len(s.collections) > 0 && m.Kind == library.KindEmbedding && !slices.ContainsFunc(s.collections, other)
	})
}

// listReaders asks which models there are.
func (s *session) listReaders() {
	s.Work(func(ctx context.Context) {
		all, err := s.App.Models(ctx)
		s.Do(func() {
			if err != nil {
				s.fail(err)
				return
			}
			s.reader.models, s.reader.known = readers(all), true
			s.changed(lists)
			s.readersListed(s.reader.models)
		})
	})
}

// readWith chooses the model that reads; "": none. It is kept for the next time.
func (s *session) readWith(id string) {
	s.reader.id = id
	s.Keep(func(settings *base.Settings) { settings.Documents.Reranker = id })
	s.changed(lists)
	if s.query != "" {
		s.again()
	}
}

// sort has the model read what search number found, and shows it in the new order. The
// next search ends it.
func (s *session) sort(ctx context.Context, end func(), number int, found documents.SearchResult) {
	s.reader.reads = true
	r := documents.RerankRequest{Model: s.reader.wanted()}
	s.Work(func(context.Context) {
		defer end()
		select {
		case <-ctx.Done():
			return
		case <-time.After(readingPause):
		}
		sorted, err := s.library.Rerank(ctx, found, r, nil)
		s.Do(func() {
			if number != s.number {
				return
			}
			s.reader.reads = false
			if err != nil {
				s.fail(err)
				s.changed(finds)
				return
			}
			if sorted.Reranked != nil {
				s.Ran(sorted.Reranked.Device)
			}
			sorted.Far, sorted.Unsettled = s.result.Far, s.result.Unsettled // it may have been settled meanwhile
			s.show(sorted)
		})
	})
}

// sorting is the row with which a person chooses the model that reads. It is hidden
// until the button is pressed.
type sorting struct {
	*session
	button *kit.Button
	row    *fyne.Container
	choice *kit.Choice
	some   *fyne.Container // the choice with its name
	getter *getReader      // in its place, where no model can read
	models []library.Model // that are offered
	open   bool
	opens  func() // what else stands there is to close
}

// The first and the last choice of a model that reads.
const (
	noReader   = "Off"
	findReader = "Get a model for this…"
)

func newSorting(s *session, m Models) *sorting {
	r := &sorting{session: s, opens: func() {}}
	r.button = kit.NewQuietButton(s.Keys, "", theme.MenuDropDownIcon(), r.toggle)
	r.choice = kit.NewChoice(s.Keys, nil, func(string) { r.choose() })
	about := kit.NewParagraph(fmt.Sprintf("A model reads the best passages together with your question and puts the best answers first. That takes at most %s.",
		kit.Duration(documents.RerankBudget)), kit.ColorMuted).Small()
	r.some = kit.Row(kit.GapSmall, container.NewCenter(kit.NewName("Closer reading with")), container.New(&kit.FixedWidth{Width: readerWidth}, r.choice))
	r.getter = newGetReader(s, m)
	r.row = container.New(&asideLayout{}, container.NewStack(r.some, r.getter.view), kit.Inset(about.Flat, 4, 0))
	r.refresh()
	return r
}

// Widths of the choice of a model, and of its name in the button.
const (
	readerWidth float32 = 220
	orderWidth  float32 = 100
)

// toggle shows or hides the row.
func (r *sorting) toggle() {
	if r.open = !r.open; r.open {
		r.opens()
	}
	r.changed(lists)
}

// close hides the row; false: it was hidden.
func (r *sorting) close() bool {
	if !r.open {
		return false
	}
	r.toggle()
	return true
}

func (r *sorting) choose() {
	switch i := r.choice.SelectedIndex(); {
	case i == len(r.models)+1:
		r.refresh() // what was chosen stays
		r.FindReranker()
	case i > 0:
		r.readWith(r.models[i-1].ID)
	case i == 0:
		r.readWith("")
	}
}

// refresh offers the models that there are.
func (r *sorting) refresh() {
	names, chosen := []string{noReader}, 0
	r.models = r.offered()
	for i, m := range r.models {
		name := m.Title()
		if m.Kind == library.KindEmbedding {
			name += " (by meaning)"
		}
		names = append(names, name)
		if m.ID == r.reader.wanted() {
			chosen = i + 1
		}
	}
	r.choice.Offer(append(names, findReader), chosen)
	kit.Show(r.row, r.open)
	kit.Show(r.getter.view, len(r.models) == 0)
	kit.Show(r.some, len(r.models) > 0)
	order := "off"
	if chosen > 0 {
		order = kit.Ellipsize(path.Base(r.models[chosen-1].Title()), orderWidth, kit.TextBody, fyne.TextStyle{Bold: true})
	}
	r.button.SetText("Closer reading: " + order)
	r.button.SetIcon(theme.MenuDropDownIcon())
	if r.open {
		r.button.SetIcon(theme.MenuDropUpIcon())
	}
}

// readBy says in the end of a line what the model that reads did; "": there is none.
func (s *session) readBy() string {
	if s.reader.reads {
		return " · reading…"
	}
	did := s.result.Reranked
	if did == nil {
		return ""
	}
	return fmt.Sprintf(" · %s read %d of %d in %s (at most %s)", path.Base(did.Model.Title()), did.Read, did.Of, kit.Duration(did.Took), kit.Duration(documents.RerankBudget))
}

// doubts are sentences about a model that read and is not to be relied on.
func doubts(did *documents.Reranked) []string {
	if did == nil || did.Untrusted == "" {
		return nil
	}
	return []string{"The order may be wrong: " + did.Model.Title() + " was tested with an obvious question, and " + did.Untrusted + "."}
}
