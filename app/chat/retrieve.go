package chat

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"inglenook/app/base"
	"inglenook/app/documents"
	"inglenook/documents/support"
)

// Documents are the collections that questions are answered from. documents.Service is
// one.
type Documents interface {
	Collections(ctx context.Context) ([]documents.Collection, error)
	Collection(ctx context.Context, name string) (documents.Collection, error)
	Search(ctx context.Context, r documents.SearchRequest) (documents.SearchResult, error)
	Settle(ctx context.Context, found documents.SearchResult) (documents.SearchResult, error)
	Rerank(ctx context.Context, found documents.SearchResult, r documents.RerankRequest, report func(base.Progress)) (documents.SearchResult, error)
	Passage(ctx context.Context, p documents.Place) (documents.Result, error)
	Pinpoint(ctx context.Context, question string, passages []documents.Result) ([]documents.Result, error)
	Meaning(ctx context.Context, collection string) (m support.Vectors, release func(), err error)
}

// RetrieveRequest asks for the passages that would go with a question.
type RetrieveRequest struct {
	MeterRequest
	Question string // "": the text of the draft
}

// Retrieved is what was found for a question.
type Retrieved struct {
	Passages []Part   // that go with the question, the best first: they fit the context beside the conversation
	Others   []Part   // found too, and left out for room or rank
	Missing  string   // why there are none: a sentence that nothing found answers the question; "": something may
	Notes    []string // sentences about what the search went without
	Took     time.Duration
}

// Retrieve finds the passages that would go with a question, in the collection of the
// conversation; nothing where it has none. It may be called at each pause in typing.
func (s *Service) Retrieve(ctx context.Context, r RetrieveRequest) (Retrieved, error) {
	ctx, done, err := s.life.Begin(ctx)
	if err != nil {
		return Retrieved{}, err
	}
	defer done()
	c, x, err := s.metered(r.MeterRequest)
	if err != nil || x.Collection == "" {
		return Retrieved{}, err
	}
	c.Leaf = r.After
	preset := s.Preset(x.Preset)
	draft := Message{Role: RoleUser, Parts: r.Draft}
	if r.Question != "" {
		draft.Parts = draft.WithText(r.Question)
	}
	find := retrieval{Service: s, collection: x.Collection, context: cmp.Or(s.contextOf(ctx, x), usualContext)}
	find.talk = Talk{System: systemOf(c, preset), Messages: append(c.Path(), draft), Documents: true}
	find.quoted = s.isGuide(ctx, x.Model)
	h, release := s.use()
	if release != nil {
		defer release()
	}
	if h != nil && (x.Model == "" || h.options == x.chatOptions()) {
		find.talk.Tools = h.teachesTools()
		find.with(h.chat, h.replyOptions(x, preset))
	} else if model, err := s.library.Find(ctx, x.Model); err == nil {
		find.small = isSmall(model.Model)
	}
	return find.run(ctx)
}

// RetrieveFor finds the passages that go with the last message of a talk with an open
// model.
func (s *Service) RetrieveFor(ctx context.Context, w *Writer, t Talk, collection string, o ReplyOptions) (Retrieved, error) {
	ctx, done, err := s.life.Begin(ctx)
	if err != nil {
		return Retrieved{}, err
	}
	defer done()
	find := retrieval{Service: s, collection: collection, talk: t}
	find.with(w, o)
	return find.run(ctx)
}

// A retrieval finds the passages of one question, which is the last message of the talk.
type retrieval struct {
	*Service
	collection string
	asked      []documents.Collection // what collection stands for
	talk       Talk
	writer     *Writer // nil: no model is loaded, so tokens are estimated
	options    ReplyOptions
	context    int
	small      bool
	quoted     bool // the passages are the answer
}

func (r *retrieval) with(w *Writer, o ReplyOptions) {
	r.writer, r.options, r.context, r.small = w, o, w.Info().Context, w.small()
}

// Limits of what is found. A model reads no more in reasonable time, and small ones lose
// the thread.
const (
	mostCandidates    = 12
	mostPassages      = 5
	mostPassageTokens = 1500 // of all passages
	leastShare        = 0.5  // of the best score, below which a passage does not go along
	mostQuestionBytes = 2000 // of a question, for the search

	mostShort      = 1   // passages in their short form
	mostQuoted     = 3   // of them where they are the answer
	mostShortBytes = 320 // of each
)

// most is how many passages go with a question.
func (r *retrieval) most() int {
	switch {
	case r.quoted:
		return mostQuoted
	case r.small:
		return mostShort
	}
	return mostPassages
}

// size is how many tokens the passages of a question may have together, whatever the conversation leaves of that.
func (r *retrieval) size() int {
	switch {
	case r.quoted:
		return mostQuoted * mostShortBytes / bytesPerToken
	case r.small:
		return min(mostPassageTokens, r.context/2, r.most()*mostShortBytes/bytesPerToken)
	}
	return min(mostPassageTokens, r.context/2)
}

func (r *retrieval) run(ctx context.Context) (Retrieved, error) {
	start := time.Now()
	questions := r.questions()
	if len(questions) == 0 {
		return Retrieved{}, nil
	}
	c, err := r.gather(ctx)
	if err != nil {
		return Retrieved{}, err
	}
	if c.Files == 0 {
		return Retrieved{}, nothingToSearch(c)
	}
	var out Retrieved
	for i, question := range questions {
		found, err := r.find(ctx, c, question)
		if err != nil {
			return Retrieved{}, err
		}
		if i == 0 || found.Missing == "" {
			out = found
		}
		if found.Missing == "" {
			break
		}
	}
	out.Took = time.Since(start)
	return out, ctx.Err()
}

// gather finds what is asked, and returns it as one collection, whose ID is empty where it is all
// of them.
func (r *retrieval) gather(ctx context.Context) (documents.Collection, error) {
	if r.collection != AllCollections {
		c, err := r.papers.Collection(ctx, r.collection)
		r.asked = []documents.Collection{c}
		return c, err
	}
	all, err := r.papers.Collections(ctx)
	if err != nil {
		return documents.Collection{}, err
	}
	removed := r.settings.Settings().Documents.Removing
	r.asked = slices.DeleteFunc(all, func(c documents.Collection) bool { return slices.Contains(removed, c.ID) })
	if len(r.asked) == 0 {
		return documents.Collection{}, errors.New("there are no documents to ask; add a folder in Documents")
	}
	return documents.Together(r.asked), nil
}

// nameOf is the name of the collection that something was found in.
func (r *retrieval) nameOf(found documents.Result) string {
	for _, c := range r.asked {
		if c.ID == found.Collection {
			return c.Name
		}
	}
	return documents.AllName
}

// find finds the passages for one form of the question: for each of its parts.
func (r *retrieval) find(ctx context.Context, c documents.Collection, question string) (Retrieved, error) {
	var out Retrieved
	var all []findings
	sure := false
	for _, part := range partsOf(question) {
		results, found, err := r.search(ctx, part)
		if err != nil {
			return Retrieved{}, err
		}
		answers, err := r.pointOut(ctx, c, part, results)
		if err != nil {
			return Retrieved{}, err
		}
		notes := found.Notes
		sure = sure || answers
		if !answers && r.close(ctx, found, results) {
			answers, notes = true, append(slices.Clone(notes), noneSure)
		}
		all = append(all, findings{part, results, answers})
		for _, n := range notes {
			if !slices.Contains(out.Notes, n) {
				out.Notes = append(out.Notes, n)
			}
		}
	}
	results, best := together(all)
	missing := len(results) == 0
	if missing {
		results, best = all[0].results, 1 // what was found all the same; a person may add it
	} else {
		out.Notes = append(out.Notes, unanswered(all, c.Name)...)
	}
	if len(results) > 0 {
		if err := r.fit(ctx, results, best, &out); err != nil {
			return Retrieved{}, err
		}
	}
	size := r.size()
	note(out.Passages, func(s *Source) { s.Unsure, s.Room = !sure, size })
	note(out.Others, func(s *Source) { s.Room = size })
	if missing {
		out.Missing = nothingAnswers(c)
		out.Passages, out.Others = nil, slices.Concat(out.Passages, out.Others)
	}
	out.Notes = append(out.Notes, aged(ctx, r.nameOf, out.Passages, results)...)
	return out, nil
}

// pointOut reports whether what was found answers a question, and sets the best sentence of
// each result where one is nearer in meaning than the one with the most of its words.
func (r *retrieval) pointOut(ctx context.Context, c documents.Collection, question string, results []documents.Result) (bool, error) {
	if len(results) == 0 {
		return false, nil
	}
	texts := make([]support.Passage, len(results))
	for i, found := range results {
		texts[i] = support.Passage{Heading: headingOf(found), Text: found.Text}
	}
	meaning, release := r.meaning(ctx, cmp.Or(c.ID, results[0].Collection))
	defer release()
	answers, best, err := support.Answerable(ctx, question, texts, meaning)
	if err != nil && ctx.Err() == nil && meaning != nil {
		answers, best, err = support.Answerable(ctx, question, texts, nil)
	}
	if err != nil {
		return false, err
	}
	scores := make([]float64, len(results))
	for _, e := range slices.Backward(best) {
		results[e.Passage].Best = e.Span
		results[e.Passage].TurnTo(e.Span.Start)
		scores[e.Passage] = e.Score
	}
	if r.quoted {
		return answers, r.pinpoint(ctx, question, results)
	}
	if r.small { // which sees little beside these sentences
		order := map[int64]float64{}
		for i, found := range results {
			order[found.ID] = scores[i]
		}
		slices.SortStableFunc(results, func(a, b documents.Result) int { return cmp.Compare(order[b.ID], order[a.ID]) })
	}
	return answers, nil
}

// pinpoint sets the best sentence of what is quoted to the one that the room of documents marks, or
// to a row. The passages stay as they were found: no sentence stands for a passage here.
func (r *retrieval) pinpoint(ctx context.Context, question string, results []documents.Result) error {
	pointed, err := r.papers.Pinpoint(ctx, question, results)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		r.log.Info("the best sentences are those by words", "error", err)
	default:
		copy(results, pointed)
	}
	for i := range results {
		results[i].Best = namedIn(question, results[i].Text, results[i].Best)
		bestRow(question, &results[i])
		results[i].TurnTo(results[i].Best.Start)
	}
	return nil
}

// noneSure is said of passages that are close to a question and may not answer it.
const noneSure = "No passage is sure to answer this. These are the closest."

// close reports whether something that was found is close to the question, by what the room of documents goes by too:
// what is shown as a match there is not said to be absent here.
func (r *retrieval) close(ctx context.Context, found documents.SearchResult, results []documents.Result) bool {
	if len(results) == 0 {
		return false
	}
	settled, err := r.papers.Settle(ctx, found)
	if err != nil && ctx.Err() == nil {
		r.log.Warn("it is not known whether passages are close", "error", err)
	}
	return err == nil && settled.Near()
}

// search returns what is found, the best first, and the search with sentences about what was missing.
func (r *retrieval) search(ctx context.Context, question string) ([]documents.Result, documents.SearchResult, error) {
	reranker := r.settings.Settings().Documents.Reranker
	ids := make([]string, len(r.asked))
	for i, c := range r.asked {
		ids[i] = c.ID
	}
	found, err := r.papers.Search(ctx, documents.SearchRequest{Text: question, Collections: ids, Limit: mostCandidates, ToRerank: reranker != ""})
	if errors.Is(err, documents.ErrEmptySearch) {
		return nil, documents.SearchResult{}, nil
	}
	if err != nil {
		return nil, documents.SearchResult{}, err
	}
	if reranker != "" {
		ranked, err := r.papers.Rerank(ctx, found, documents.RerankRequest{Model: reranker}, nil)
		switch {
		case ctx.Err() != nil:
			return nil, documents.SearchResult{}, ctx.Err()
		case err != nil:
			found.Notes = append(found.Notes, "The passages were not sorted by reading: "+err.Error()+".")
		default:
			found = ranked
		}
	}
	var results []documents.Result
	for _, f := range found.Files {
		results = append(results, f.Passages...)
	}
	results = slices.DeleteFunc(results, func(r documents.Result) bool { return len(r.Files) == 0 || strings.TrimSpace(r.Text) == "" })
	slices.SortStableFunc(results, func(a, b documents.Result) int { return cmp.Compare(b.Score, a.Score) })
	return results, found, nil
}

func nothingToSearch(c documents.Collection) error {
	switch {
	case c.Unread > 0 || c.Indexing:
		return fmt.Errorf("none of the files of “%s” is read yet; wait until it is indexed, and ask again", c.Name)
	case c.Failed > 0:
		return fmt.Errorf("none of the %s of “%s” could be read; Documents says why", countOf(c.Failed, "file"), c.Name)
	}
	return fmt.Errorf("“%s” has no files; add a folder to it in Documents", c.Name)
}

func nothingAnswers(c documents.Collection) string {
	return fmt.Sprintf("Nothing in “%s” answers this. Searched: %s.", c.Name, countOf(c.Files, "file"))
}

func countOf(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
