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
)

func searchCommand() command {
	return command{
		name: "search", args: "QUERY", about: "Find passages in files that were indexed, by meaning and by words",
		examples: []string{
			`inglenook search "when does the lease end"`,
			`inglenook search --collection Notes "the plan for June" --top 5 --type md`,
			`inglenook search '"blue door"' --mode keyword         # these words, just so`,
			`inglenook search "invoices for the boat" --in ~/Letters/2025 --since 2025-06-01 --explain`,
		},
		setup: func(f *flags) action {
			var r documents.SearchRequest
			var collections patterns
			var since string
			f.Var(&collections, "collection", "search the collection `NAME`, not all (can be given again)")
			f.IntVar(&r.Limit, "top", 10, "print the best `N` passages")
			f.oneOf(&r.Mode, "mode", documents.Modes()[0], documents.Modes(), "search by `MODE`")
			f.StringVar(&r.Folder, "in", "", "search the files in `FOLDER` and below it alone")
			f.StringVar(&r.Type, "type", "", "search the files that end in `EXT` alone, such as pdf")
			f.StringVar(&since, "since", "", "search the files that were changed on `DATE` or later alone, such as 2026-03-31")
			explain := f.Bool("explain", false, "print the ranks and scores that a passage got by meaning and by words")
			f.require(func(args []string) (err error) {
				if strings.TrimSpace(strings.Join(args, "")) == "" {
					return errors.New("QUERY is missing; give a question or some words")
				}
				if r.Limit < 1 || r.Limit > 1000 {
					return fmt.Errorf("--top is %d; give a number from 1 to 1000", r.Limit)
				}
				r.Since, err = dateOf(since)
				return err
			})
			return func(ctx context.Context, c *call) error {
				r.Text, r.Collections = strings.Join(c.args, " "), collections
				return searchFiles(ctx, c, r, *explain)
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
	Line     int      `json:"line"`
	Start    int      `json:"start"` // bytes of the document's text
	End      int      `json:"end"`
	Headings []string `json:"headings,omitempty"`
	Text     string   `json:"text"`
	Score    float64  `json:"score"`
	Scores   scores   `json:"scores"`
}

// scores are nil where a stage did not find the passage.
type scores struct {
	Vector      *float64 `json:"vector"`
	VectorRank  int      `json:"vector_rank,omitempty"`
	Keyword     *float64 `json:"keyword"`
	KeywordRank int      `json:"keyword_rank,omitempty"`
}

type searchJSON struct {
	Results []foundPassage `json:"results"`
	Notes   []string       `json:"notes,omitempty"`
	Timings struct {
		SearchMS float64 `json:"search_ms"` // opening the model included
	} `json:"timings"`
}

func searchFiles(ctx context.Context, c *call, r documents.SearchRequest, explain bool) error {
	got, err := c.Documents().Search(ctx, r)
	if err != nil {
		return err
	}
	passages := ranked(got.Files)
	if c.json {
		out := searchJSON{Results: passages, Notes: got.Notes}
		out.Timings.SearchMS = milliseconds(got.Took)
		return c.printJSON(out)
	}
	c.note(got.Notes...)
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
				Path: f.File.Path, Page: r.Page, Line: r.Line, Start: r.Start, End: r.End, Headings: r.Headings, Text: r.Text, Score: r.Score,
				Scores: scores{VectorRank: r.Why.MeaningRank, KeywordRank: r.Why.WordsRank},
			}
			for _, o := range f.Also {
				p.Also = append(p.Also, o.Path)
			}
			if r.Why.MeaningRank > 0 {
				p.Scores.Vector = &r.Why.Meaning
			}
			if r.Why.WordsRank > 0 {
				p.Scores.Keyword = &r.Why.Words
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
	if s.Failed > 0 {
		line += fmt.Sprintf(" %s not read; inglenook collections list says why.", couldNot(s.Failed))
	}
	return line
}

func couldNot(n int) string {
	if n == 1 {
		return "1 file could"
	}
	return fmt.Sprintf("%d files could", n)
}

// passageLines is how much of a passage is printed.
const passageLines = 6

func (c *call) printPassage(i int, p foundPassage, explain bool) {
	place := fmt.Sprintf("line %d", p.Line)
	if p.Page > 0 {
		place = fmt.Sprintf("page %d", p.Page)
	}
	c.printf("%d. %s, %s", i+1, base.ShortPath(p.Path), place)
	if len(p.Headings) > 0 {
		c.printf("  (%s)", strings.Join(p.Headings, " › "))
	}
	c.printf("\n")
	for _, path := range p.Also {
		c.printf("   also as %s\n", base.ShortPath(path))
	}
	if explain {
		c.printf("   score %.4f; by meaning %s; by words %s\n", p.Score, rankText(p.Scores.VectorRank, p.Scores.Vector), rankText(p.Scores.KeywordRank, p.Scores.Keyword))
	}
	for _, line := range wrapped(p.Text, 100, passageLines) {
		c.printf("   %s\n", line)
	}
	c.printf("\n")
}

func rankText(rank int, score *float64) string {
	if score == nil {
		return "not found"
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
