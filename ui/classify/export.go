package classify

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"

	"inglenook/app/texts"
	"inglenook/ui/kit"
)

// exports are the ways to take the result elsewhere, each with what it holds.
func (p *Page) exports() []*fyne.MenuItem {
	out := p.inView()
	if out == nil {
		return []*fyne.MenuItem{p.compareItem()}
	}
	all := out.items()
	if texts.FromSheet(out.from) {
		all = "the whole table"
	}
	items := []*fyne.MenuItem{
		fyne.NewMenuItem(fmt.Sprintf("Copy %s with %s (CSV)", all, out.what()), p.CopyCSV),
		fyne.NewMenuItem(fmt.Sprintf("Save %s with %s (CSV)…", all, out.what()), p.SaveCSV),
	}
	h := p.results.filter.chosen()
	if h == nil {
		return append(items, fyne.NewMenuItemSeparator(), p.compareItem())
	}
	only := out.only(h.texts)
	which := fmt.Sprintf("only “%s”: %s", kit.Brief(h.name), only.items())
	return append(items, fyne.NewMenuItemSeparator(),
		fyne.NewMenuItem("Copy "+which, func() { p.copyOf(only) }), fyne.NewMenuItem("Save "+which+"…", func() { p.saveOf(only) }),
		fyne.NewMenuItemSeparator(), p.compareItem())
}

// what names what was found in the texts, besides themselves.
func (f *found) what() string {
	switch {
	case f.Entities != nil:
		return "the names in them"
	case f.Words != nil:
		return "the words for their gaps"
	case f.Kind == "values":
		return "their numbers"
	}
	return "their labels"
}

// only is what was found in some of the texts.
func (f *found) only(some []int) *found {
	now := *f
	now.part = true
	now.lines, now.from, now.small, now.own = nil, nil, nil, map[int]string{}
	now.Labels, now.Entities, now.Words, now.NoneFits = nil, nil, nil, nil
	now.Numbers = nil
	for k, i := range some {
		now.Numbers = append(now.Numbers, i+1)
		now.lines, now.from, now.small = append(now.lines, f.lines[i]), append(now.from, f.from[i]), append(now.small, f.small[i])
		if name, ok := f.own[i]; ok {
			now.own[k] = name
		}
		now.Labels, now.Entities = append(now.Labels, at(f.Labels, i)...), append(now.Entities, at(f.Entities, i)...)
		now.Words, now.NoneFits = append(now.Words, at(f.Words, i)...), append(now.NoneFits, at(f.NoneFits, i)...)
	}
	return &now
}

// at is element i of a list alone; none where it has fewer.
func at[T any](list []T, i int) []T {
	if i >= len(list) {
		return nil
	}
	return list[i : i+1]
}

// CopyCSV puts what was found on the clipboard.
func (p *Page) CopyCSV() { p.copyOf(p.inView()) }

// SaveCSV asks for a file for it.
func (p *Page) SaveCSV() { p.saveOf(p.inView()) }

func (p *Page) copyOf(out *found) {
	if out == nil {
		return
	}
	var b bytes.Buffer
	if err := out.WriteSheet(&b, out.lines, out.given(), out.from, !out.part); err != nil {
		p.ShowError(err)
		return
	}
	if p.Copy(b.String(), out.fileName()) {
		p.Tell(fmt.Sprintf("Copied %s with %s.", out.items(), out.what()))
	}
}

func (p *Page) saveOf(out *found) {
	if out == nil {
		return
	}
	p.Files().Save(out.fileName(), func(w fyne.URIWriteCloser) {
		p.Write(w, func(f fyne.URIWriteCloser) error {
			return out.WriteSheet(f, out.lines, out.given(), out.from, !out.part)
		}, p.ShowError)
	})
}

// fileName is what the file of the result is called, in the folder of the file that the texts came from: by that file,
// where there is one.
func (f *found) fileName() string {
	path := ""
	for _, o := range f.from {
		if path = cmp.Or(path, o.File); o.File != path {
			return "labels.csv"
		}
	}
	name := "labels.csv"
	if f.part {
		name = "some labels.csv"
	}
	if path == "" {
		return name
	}
	base := filepath.Base(path)
	return filepath.Join(filepath.Dir(path), strings.TrimSuffix(base, filepath.Ext(base))+" "+name)
}
