package documents

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"inglenook/app/base"
	"inglenook/app/documents"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// caption is what a collection holds, in a line: how many files, or what is done before they are
// known or all are there.
func (s *session) caption(c documents.Collection) string {
	state := s.state(c)
	if counts := c.Counts(); state == "" || counts != "" && !s.remade(c) {
		return cmp.Or(counts, "No files")
	}
	return state
}

// coversNothing reports whether a collection has no files and gets none until some are added.
func coversNothing(c documents.Collection) bool { return len(c.Folders) == 0 && c.Counts() == "" }

// allCaption is what all collections hold together, in a line.
func (s *session) allCaption() string {
	return cmp.Or(documents.Together(s.collections).Counts(), "No files")
}

// remade reports whether a collection gets ready for another model.
func (s *session) remade(c documents.Collection) bool {
	l := s.runs[c.ID].loading
	return l.Total > 0 && l.Unit == "passages" || c.Next != "" && c.Missing > 0
}

// unreadable says how many files cannot be read.
func unreadable(n int) string {
	if n == 1 {
		return "1 file cannot be read"
	}
	return fmt.Sprintf("%d files cannot be read", n)
}

// state is what a collection is doing, in a line; "": nothing.
func (s *session) state(c documents.Collection) string {
	p, runs := s.runs[c.ID]
	switch {
	case c.Paused || p.paused:
		return "Paused"
	case p.loading.Total > 0 && p.loading.Unit == "passages":
		return fmt.Sprintf("Getting ready for another model: %d of %d passages", p.loading.Done, p.loading.Total) + timeLeft(p.loading.Left)
	case p.loading.Stage == base.StageServer:
		return panel.WaitingFor(p.loading)
	case p.loading.Total > 0:
		return "Opening the model…"
	case c.Next != "" && c.Missing > 0:
		return fmt.Sprintf("Getting ready for another model: %d of %d passages", c.Passages-c.Missing, c.Passages)
	case !runs:
		return ""
	case p.Progress.Files == 0:
		return "Looking for files…"
	case p.Progress.FilesDone >= p.Progress.Files:
		return "Finishing…"
	}
	return "Reading files" + timeLeft(p.Progress.Left)
}

// timeLeft is the end of a line about something that takes a while; 0: it is not known.
func timeLeft(left time.Duration) string {
	if left <= 0 {
		return ""
	}
	return " · " + roughly(left) + " left"
}

// roughly is a time to come as well as it can be known.
func roughly(d time.Duration) string {
	switch {
	case d < 20*time.Second:
		return "a few seconds"
	case d < 50*time.Second:
		return "less than a minute"
	case d < 90*time.Second:
		return "about a minute"
	case d < 55*time.Minute:
		return fmt.Sprintf("about %d minutes", int(d.Round(time.Minute)/time.Minute))
	case d < 90*time.Minute:
		return "about an hour"
	}
	return fmt.Sprintf("about %d hours", int(d.Round(time.Hour)/time.Hour))
}

// share is how much of the files is read, or of the vectors of another model made, from 0 to 1.
func (p progress) share() float64 {
	if p.loading.Total > 0 && p.loading.Unit == "passages" {
		return float64(p.loading.Done) / float64(p.loading.Total)
	}
	return p.Progress.Share
}

// nameOf is the name of a file, without its folder.
func nameOf(f documents.File) string { return filepath.Base(f.Path) }

// placeOf says where in its file a passage is, with what else is to be said of it before the heading above it.
func placeOf(r documents.Result, also ...string) string {
	var parts []string
	for _, part := range append([]string{spot(r)}, also...) {
		if part != "" {
			parts = append(parts, part)
		}
	}
	if below := r.HeadingsAt(r.Best.Start); len(below) > 0 {
		parts = append(parts, below[len(below)-1])
	}
	return strings.Join(parts, " · ")
}

// spot is the page or line of a passage, where its file has one.
func spot(r documents.Result) string {
	path := ""
	if len(r.Files) > 0 {
		path = r.Files[0].Path
	}
	return documents.PlaceInWords(path, r.Page, r.MarkedLine())
}

// alsoIn names other files that have a passage, or nearly; "": there are none.
func alsoIn(h hit) string {
	var files []documents.File
	if h.first {
		files = append(files, h.file.Also...)
	}
	files = append(files, h.result.Twins...)
	if len(files) == 0 {
		return ""
	}
	name := nameOf(files[0])
	if name == nameOf(h.file.File) {
		name = filepath.Join(filepath.Base(filepath.Dir(files[0].Path)), name)
	}
	switch name = kit.Brief(name); len(files) {
	case 1:
		return "also in " + name
	case 2:
		return "also in " + name + " and 1 other file"
	}
	return "also in " + name + " and " + humanize.Comma(int64(len(files)-1)) + " other files"
}

// sameText says how many more passages have the text of one, in files that alsoIn does not name.
func sameText(r documents.Result) string {
	if n := r.Copies - len(r.Twins); n > 0 {
		return "the same text in " + kit.Count(n, "more passage")
	}
	return ""
}

// whyOf says what found a passage.
func whyOf(r documents.Result) string {
	var parts []string
	if r.Why.MeaningRank > 0 {
		parts = append(parts, rankInWords(r.Why.MeaningRank)+" by meaning")
	}
	if r.Why.WordsRank > 0 {
		parts = append(parts, rankInWords(r.Why.WordsRank)+" by words")
	}
	if len(parts) == 0 {
		return ""
	}
	why := strings.Join(parts, " and ")
	why = strings.ToUpper(why[:1]) + why[1:]
	if r.Why.MeaningRank == 0 && r.Why.Meaning != 0 {
		why += ", but not close by meaning"
	}
	if r.Why.Reranked {
		why += fmt.Sprintf(". It was %s before a model read it", humanize.Ordinal(r.Why.RankBefore))
	}
	return why + "."
}

// rankInWords is a place among all passages: "best match", "2nd best match".
func rankInWords(rank int) string {
	if rank == 1 {
		return "best match"
	}
	return humanize.Ordinal(rank) + " best match"
}

// nothingFound says what was searched without success.
// narrow is what the filter leaves.
func nothingFound(s documents.Searched, narrow filtered) string {
	if s.Passages == 0 {
		return "There is nothing to search yet. Add files or a folder."
	}
	where := "all collections"
	if len(s.Collections) == 1 {
		where = "“" + s.Collections[0] + "”"
	}
	text := fmt.Sprintf("Searched %s in %s. Try other words, or fewer.", kit.Count(s.Files, "file"), where)
	if narrow != (filtered{}) {
		text = narrow.missed(where)
	}
	if s.LeftOut > 0 {
		text += " " + unreadable(s.LeftOut) + "."
	}
	return text
}
