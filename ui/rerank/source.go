package rerank

import (
	"net/url"
	"path/filepath"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"inglenook/app/base"
	"inglenook/app/documents"
	"inglenook/app/texts"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// source says below a selected text which file it is from, and leads there.
type source struct {
	*session
	view *fyne.Container
	says *kit.Line
	open *kit.TextButton
	of   base.Source
	id   int // of the text
}

func newSource(s *session) *source {
	o := &source{session: s, says: kit.NewCaption("")}
	o.open = kit.NewTextButton(s.Keys, "", func() { o.show(o.id, o.of) })
	o.view = container.NewBorder(nil, nil, nil, o.open, kit.NewTold(s.Keys, o.says))
	o.view.Hide()
	return o
}

// set is about the text with that id.
func (o *source) set(id int, of base.Source) {
	o.id, o.of = id, of
	o.says.Set(panel.FromInWords(of))
	o.open.Tip = base.ShortPath(of.File)
	o.open.Line.Set(leadsTo(of))
	o.view.Refresh()
}

// leadsTo names the way back to a source.
func leadsTo(of base.Source) string {
	if of.Collection != "" {
		return "Show in its document"
	}
	return "Open the file"
}

// show leads to where the text with that id came from: a passage in its document, or a file in its own app.
func (s *session) show(id int, of base.Source) {
	if of.Collection == "" {
		s.Browse(&url.URL{Scheme: "file", Path: filepath.ToSlash(of.File)})
		return
	}
	r := documents.Whole(documents.File{Path: of.File, Format: documents.FormatNamed(of.File)}, of.Collection, passageIDs-int64(id))
	r.Text, r.Start, r.End, r.Page, r.Line = of.Written, of.Start, of.Start+len(of.Written), of.Page, of.Line
	if from, to := of.BestFrom, of.BestTo; from >= 0 && to > from && to <= len(of.Written) {
		r.Best = documents.Span{Start: from, End: to}
		r.Matches = []documents.Span{r.Best}
	}
	s.ShowPassage(r)
}

// passageIDs are beyond those that Documents gives to passages and to whole files.
const passageIDs = int64(-1 << 32)

// sourcesOf are those of texts with these ids; nil: a person wrote all of them.
func (s *session) sourcesOf(ids []int) []base.Source {
	from, some := s.texts.Sources(), false
	list := make([]base.Source, len(ids))
	for i, id := range ids {
		one, is := from[id]
		list[i], some = one, some || is
	}
	if !some {
		return nil
	}
	return list
}

// knowSources notes where the texts that were kept came from.
func (s *session) knowSources(kept []base.Source) {
	from := make([]texts.Origin, len(kept))
	for i, one := range kept {
		from[i] = texts.FromSource(one)
	}
	s.texts.CameFrom(from)
}

// RankSent puts texts that another room hands over in the place of those that are there, as Rank does.
func (p *Panel) RankSent(query string, some []panel.Sent) {
	lines, from := make([]string, len(some)), make([]texts.Origin, len(some))
	for i, one := range some {
		lines[i], from[i] = one.Text, texts.FromSource(one.From)
	}
	p.rankFrom(query, lines, from)
}
