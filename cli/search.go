package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"inglenook/app/base"
	"inglenook/app/documents"
	"inglenook/plain"
)

func searchCommand() command {
	return command{
		name: "search", args: "QUERY", about: "Find passages in files that were indexed, by meaning and by words",
		examples: []string{
			`inglenook search "when does the lease end"`,
			`inglenook search --collection Notes "the plan for June" --top 5 --type md`,
			`inglenook search '"blue door"' --mode keyword         # these words, just so`,
			`inglenook search "invoices for the boat" --in ~/Letters/2025 --since 2025-06-01 --explain`,
			`inglenook search "who pays for repairs" --rerank ~/models/ms-marco-MiniLM-L6-v2`,
		},
		setup: func(f *flags) action {
			var r documents.SearchRequest
			var collections patterns
			var since, reranker string
			f.Var(&collections, "collection", "search the collection `NAME`, not all (can be given again)")
			f.IntVar(&r.Limit, "top", 10, "print the best `N` passages")
			f.oneOf(&r.Mode, "mode", documents.Modes()[0], documents.Modes(), "search by `MODE`")
			f.StringVar(&r.Folder, "in", "", "search the files in `FOLDER` and below it alone")
			f.StringVar(&r.Type, "type", "", "search the files that end in `EXT` alone, such as pdf")
			f.StringVar(&since, "since", "", "search the files that were changed on `DATE` or later alone, such as 2026-03-31")
			f.StringVar(&reranker, "rerank", "", fmt.Sprintf("sort the best passages by what `MODEL` reads in them, for up to %d ms", documents.RerankBudget.Milliseconds()))
			f.withStore()
			explain := f.Bool("explain", false, "print the ranks and scores that a passage got by meaning, by words and by reading")
			f.require(func(args []string) (err error) {
				if plain.IsBlank(strings.Join(args, "")) {
					return errors.New("QUERY is missing; give a question or some words")
				}
				if r.Limit < 1 || r.Limit > 1000 {
					return fmt.Errorf("--top is %d; give a number from 1 to 1000", r.Limit)
				}
				r.Since, err = dateOf(since)
				return err
			})
			return func(ctx context.Context, c *call) error {
				r.Text, r.Collections, r.ToRerank = strings.Join(c.args, " "), collections, reranker != ""
				if err := f.useStore(c); err != nil {
					return err
				}
				return searchFiles(ctx, c, r, reranker, *explain)
			}
		},
	}
}

// dateOf reads a date, or a date and a time, of this place.
func dateOf(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	for _, form := range []string{time.DateOnly, "2006-01-02 15:04", time.RFC3339} {
		if t, err := time.ParseInLocation(form, text, time.Local); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("--since is %q; give a date such as 2026-03-31", text)
}

type foundPassage struct {
	Path     string   `json:"path"`
	Also     []string `json:"also,omitempty"` // files with the same content
	Page     int      `json:"page,omitempty"`
	Line     int      `json:"line"`  // of what answers best in it, as the page is
	Start    int      `json:"start"` // bytes of the document's text
	End      int      `json:"end"`
	Headings []string `json:"headings,omitempty"`
	Text     string   `json:"text"`
	Copies   int      `json:"copies,omitempty"` // further passages with the same text
	Score    float64  `json:"score"`
	Scores   scores   `json:"scores"`

	best int // byte of Text that is printed first
}

// scores are nil where a stage has none for the passage. One that only the words found
// has the score of its vector, without a rank.
type scores struct {
	Vector      *float64 `json:"vector"`
	VectorRank  int      `json:"vector_rank,omitempty"`
	Keyword     *float64 `json:"keyword"`
	KeywordRank int      `json:"keyword_rank,omitempty"`
	Rerank      *float64 `json:"rerank"`
	RankBefore  int      `json:"rank_before,omitempty"` // before reranking
}

type searchJSON struct {
	Results []foundPassage `json:"results"`
	Notes   []string       `json:"notes,omitempty"`
	Far     bool           `json:"far,omitempty"` // nothing of it is close to what was asked
	Rerank  *rerankingJSON `json:"rerank,omitempty"`
	Timings struct {
		SearchMS float64 `json:"search_ms"` // opening the model included
		RerankMS float64 `json:"rerank_ms,omitempty"`
	} `json:"timings"`
}

// rerankingJSON is how a model that read the passages ordered them.
type rerankingJSON struct {
	Model     string  `json:"model"`
	Method    string  `json:"method"`
	Untrusted string  `json:"untrusted"` // why its scores are not to be relied on
	Read      int     `json:"read"`      // passages, within the budget
	Of        int     `json:"of"`
	BudgetMS  float64 `json:"budget_ms"`
	Device    string  `json:"device"`
}

func searchFiles(ctx context.Context, c *call, r documents.SearchRequest, reranker string, explain bool) error {
	r.Loading = c.progress
	got, err := c.Documents().Search(ctx, r)
	if errors.Is(err, documents.ErrEmptySearch) {
		return usageError{err}
	}
	if err == nil {
		got, err = c.Documents().Settle(ctx, got)
	}
	if err == nil && reranker != "" {
		got, err = c.Documents().Rerank(ctx, got, documents.RerankRequest{Model: reranker}, c.progress)
		c.clearBar()
	}
	if err != nil {
		return err
	}
	passages := ranked(got.Files)
	if did := got.Reranked; did != nil {
		c.note(did.Notices...)
		if did.Untrusted != "" {
			c.note("scores of " + did.Model.Name + " untrusted: " + did.Untrusted)
		}
	}
	if c.json {
		out := searchJSON{Results: passages, Notes: got.Notes, Far: got.Far}
		out.Timings.SearchMS = milliseconds(got.Took)
		if did := got.Reranked; did != nil {
			out.Rerank = &rerankingJSON{did.Model.ID, did.Method, did.Untrusted, did.Read, did.Of, milliseconds(documents.RerankBudget), did.Device}
			out.Timings.RerankMS = milliseconds(did.Took)
		}
		return c.printJSON(out)
	}
	c.note(got.Notes...)
	if got.Far {
		c.note(documents.AboutFar)
	}
	if did := got.Reranked; did != nil {
		c.note(fmt.Sprintf("%s read %d of the best %s in %s (at most %s)", did.Model.Name, did.Read, plural(did.Of, "passage"),
			did.Took.Round(time.Millisecond), documents.RerankBudget))
	}
	if len(passages) == 0 {
		c.printf("%s\n", nothingFound(got.Searched))
	}
	for i, p := range passages {
		c.printPassage(i, p, explain)
	}
	return nil
}

// ranked are the passages of all files, the best first.
func ranked(files []documents.FileResult) []foundPassage {
	list := []foundPassage{}
	for _, f := range files {
		for _, r := range f.Passages {
			p := foundPassage{
				Path: f.File.Path, Page: r.Page, Line: r.MarkedLine(), Start: r.Start, End: r.End, Headings: r.HeadingsAt(r.Best.Start), Text: r.Text, Copies: r.Copies, Score: r.Score,
				Scores: scores{VectorRank: r.Why.MeaningRank, KeywordRank: r.Why.WordsRank},
			}
			if r.LineAt(0) != p.Line { // what is printed is what stands in that line
				p.best = r.Marked().Start
			}
			for _, o := range f.Also {
				p.Also = append(p.Also, o.Path)
			}
			if r.Why.MeaningRank > 0 || r.Why.Meaning != 0 {
				p.Scores.Vector = &r.Why.Meaning
			}
			if r.Why.WordsRank > 0 {
				p.Scores.Keyword = &r.Why.Words
			}
			if r.Why.Reranked {
				p.Scores.Rerank, p.Scores.RankBefore = &r.Why.RerankScore, r.Why.RankBefore
			}
			list = append(list, p)
		}
	}
	slices.SortStableFunc(list, func(a, b foundPassage) int { return cmp.Compare(b.Score, a.Score) })
	return list
}

func nothingFound(s documents.Searched) string {
	if len(s.Collections) == 0 {
		return "There is nothing to search yet; index a folder first: inglenook index FOLDER."
	}
	line := fmt.Sprintf("Nothing was found in %s of %s (%s).", plural(s.Passages, "passage"), plural(s.Files, "file"), strings.Join(s.Collections, ", "))
	switch {
	case s.LeftOut == 1:
		line += " 1 file is not searched; inglenook collections list says why."
	case s.LeftOut > 1:
		line += fmt.Sprintf(" %d files are not searched; inglenook collections list says why.", s.LeftOut)
	}
	return line
}

// shown is the text of a passage from what answers best on.
func (p foundPassage) shown() string {
	if p.best > 0 {
		return "… " + p.Text[p.best:]
	}
	return p.Text
}

// passageLines is how much of a passage is printed.
const passageLines = 6

func (c *call) printPassage(i int, p foundPassage, explain bool) {
	c.printf("%d. %s", i+1, base.ShortPath(p.Path))
	if place := documents.PlaceInWords(p.Path, p.Page, p.Line); place != "" {
		c.printf(", %s", place)
	}
	if len(p.Headings) > 0 {
		c.printf("  (%s)", strings.Join(p.Headings, " › "))
	}
	c.printf("\n")
	for _, path := range p.Also {
		c.printf("   also as %s\n", base.ShortPath(path))
	}
	if p.Copies > 0 {
		c.printf("   and in %s with the same text\n", plural(p.Copies, "more passage"))
	}
	if explain {
		line := fmt.Sprintf("score %.4f; by meaning %s; by words %s", p.Score, rankText(p.Scores.VectorRank, p.Scores.Vector), rankText(p.Scores.KeywordRank, p.Scores.Keyword))
		if s := p.Scores; s.Rerank != nil {
			line += fmt.Sprintf("; by reading %.4f (rank %d before)", *s.Rerank, s.RankBefore)
		}
		c.printf("   %s\n", line)
	}
	for _, line := range wrapped(p.shown(), 100, passageLines) {
		c.printf("   %s\n", line)
	}
	c.printf("\n")
}

func rankText(rank int, score *float64) string {
	if score == nil {
		return "not found"
	}
	if rank == 0 {
		return fmt.Sprintf("not among the nearest (%.3f)", *score)
	}
	return fmt.Sprintf("rank %d (%.3f)", rank, *score)
}

// wrapped breaks a text into at most a number of lines of a width.
func wrapped(text string, width, most int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len([]rune(line))+1+len([]rune(word)) > width {
			lines = append(lines, line)
			line = ""
			if len(lines) == most {
				lines[most-1] += " …"
				return lines
			}
		}
		line = strings.TrimSpace(line + " " + word)
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// shortFolders are paths for people.
func shortFolders(folders []documents.Folder) string {
	var list []string
	for _, f := range folders {
		list = append(list, base.ShortPath(filepath.Clean(f.Path)))
	}
	return strings.Join(list, ", ")
}
