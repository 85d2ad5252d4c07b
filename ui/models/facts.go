package models

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/base"
	"inglenook/app/pool"
	"inglenook/ui/kit"
	"inglenook/ui/panel"

	"github.com/dustin/go-humanize"
)

// facts is what people ask about the model in view first, as names and values.
func (p *modelPage) facts() [][2]string {
	var list facts
	m := *p.item
	switch {
	case m.installed != nil:
		i := m.installed
		list.put("Made for", taskName(i.Kind))
		if i.Elsewhere() {
			list.put("Server", i.Server)
			list.put("Texts", i.SentInWords())
		} else {
			list.put("Size", bytesText(i.Bytes))
		}
		list.put("Reads at once", wordsText(i.MaxLength))
		list.put("Licence", i.Licence)
		list.put("Last used", usedText(*i))
		for _, text := range inMemory(i.Open) {
			list.put("In memory", text)
		}
	default:
		if e := m.entry; e != nil {
			list.put("Made for", taskName(e.Task))
			list.put("Reads at once", wordsText(e.Context))
			list.put("Licence", e.Licence)
		}
		if f := m.found; f != nil && m.entry == nil {
			list.put("Made for", taskName(f.Task))
			list.put("Licence", f.Licence)
			list.put("Downloads", humanize.Comma(f.Downloads)+" in 30 days")
		}
		if p.hasTerms() {
			list.put("Access", "accept its terms on its page, then add your Hugging Face token in Settings")
		}
	}
	return list
}

// technical is what else is known of it.
func (p *modelPage) technical() [][2]string {
	var list facts
	m := *p.item
	switch {
	case m.installed != nil:
		i := m.installed
		list.put("Architecture", i.Architecture)
		list.put("Parameters", shortParameters(i.Parameters))
		list.put("Weights", strings.TrimSpace(i.Format+" "+i.DType))
		list.put("Context", tokensText(i.MaxLength))
		if !i.Writes() {
			list.put("Vectors of", numberText(i.Dimension))
		}
		list.put("Revision", i.Revision)
		if i.Path != "" {
			list.put("Lies in", base.ShortPath(i.Path))
		}
	default:
		if e := m.entry; e != nil {
			list.put("Architecture", e.Architecture)
			list.put("Parameters", shortParameters(e.Parameters))
			list.put("Context", tokensText(e.Context))
			list.put("Vectors of", numberText(e.Dimension))
		}
		if f := m.found; f != nil && m.entry == nil {
			list.put("Parameters", shortParameters(f.Parameters))
		}
		if v := p.preview; v != nil {
			if m.entry == nil {
				list.put("Architecture", v.Compat.Architecture)
			}
			list.put("Repository", v.ID)
			list.put("Revision", v.Commit)
		}
	}
	return list
}

// facts are names and values.
type facts [][2]string

// put adds one that is known.
func (f *facts) put(name, value string) {
	if value != "" {
		*f = append(*f, [2]string{name, value})
	}
}

// gated reports whether the terms of the model in view must be accepted on its page first.
func (p *modelPage) gated() bool { return p.refused || p.hasTerms() }

// hasTerms reports whether the model is known to be gated: a refusal alone may be about the token.
func (p *modelPage) hasTerms() bool {
	m := *p.item
	return m.entry != nil && m.entry.Gated || m.found != nil && m.found.Gated || p.preview != nil && p.preview.Gated
}

func bytesText(n int64) string {
	if n <= 0 {
		return ""
	}
	return humanize.Bytes(uint64(n))
}

func numberText(n int) string {
	if n <= 0 {
		return ""
	}
	return humanize.Comma(int64(n)) + " numbers"
}

func tokensText(n int) string {
	if n <= 0 {
		return ""
	}
	return humanize.Comma(int64(n)) + " tokens"
}

func wordsText(tokens int) string {
	if tokens <= 0 {
		return ""
	}
	return kit.Words(tokens)
}

func usedText(m pool.Installed) string {
	switch {
	case m.LastUsed.IsZero() && len(m.Open) > 0: // as for a conversation that is in view
		return "it is loaded, and waits for its first work"
	case m.LastUsed.IsZero():
		return "never"
	}
	return humanize.Time(m.LastUsed)
}

// jobName is the work that a model is open for.
func jobName(job string) string {
	switch job {
	case "chat":
		return "for chats"
	case "embed":
		return "for comparing texts"
	case "embed pictures":
		return "for comparing pictures"
	case "rerank":
		return "for ranking texts"
	}
	if task, is := strings.CutPrefix(job, "embed "); is {
		return "for comparing texts (" + task + ")"
	}
	return "for measuring"
}

// inMemory says what of a model is in memory: a line for each work and device, which tells the
// ways that it is open in where there are several.
func inMemory(open []pool.OpenModel) []string {
	var list []pool.OpenModel
	var ways [][]string
	for _, o := range open {
		i := slices.IndexFunc(list, func(l pool.OpenModel) bool { return l.Job == o.Job && l.Device == o.Device })
		if i < 0 {
			list, ways = append(list, o), append(ways, []string{panel.WeightsInWords(o.Weights)})
			continue
		}
		list[i].Bytes += o.Bytes
		list[i].InUse = list[i].InUse || o.InUse
		if way := panel.WeightsInWords(o.Weights); !slices.Contains(ways[i], way) {
			ways[i] = append(ways[i], way)
		}
	}
	texts := make([]string, len(list))
	for i, o := range list {
		parts := []string{jobName(o.Job) + " on " + panel.DeviceName(o.Device)}
		if len(ways[i]) > 1 {
			parts = append(parts, strings.Join(ways[i], " and "))
		}
		if size := bytesText(o.Bytes); size != "" {
			parts = append(parts, size)
		}
		texts[i] = strings.Join(append(parts, useText(o)), ", ")
	}
	return texts
}

func useText(o pool.OpenModel) string {
	if o.InUse {
		return "in use"
	}
	return "idle"
}

// mostFiles is how many files a page lists of each kind.
const mostFiles = 40

// drawFiles lists the files of the model, or those of the repository with what would
// be fetched and why; nil: they are not known.
func (p *modelPage) drawFiles() fyne.CanvasObject {
	if i := p.item.installed; i != nil {
		box := kit.Column(2)
		for k, f := range i.Files {
			if k == mostFiles {
				box.Add(kit.NewCaption("and " + kit.Count(len(i.Files)-k, "more file")))
				break
			}
			box.Add(fileRow(f.Path, f.Bytes, "", true))
		}
		return kit.Column(6, kit.NewSection("Files"), box)
	}
	v, ok := p.variant()
	if !ok {
		return nil
	}
	taken, left := kit.Column(2), kit.Column(2)
	rest := 0
	for _, f := range v.Files {
		switch {
		case f.Fetched && len(taken.Objects) < mostFiles:
			taken.Add(fileRow(f.Path, f.Bytes, f.Why, true))
		case f.Fetched:
		case len(left.Objects) < mostFiles:
			left.Add(fileRow(f.Path, f.Bytes, f.Why, false))
		default:
			rest++
		}
	}
	if rest > 0 {
		left.Add(kit.NewCaption("and " + kit.Count(rest, "more file")))
	}
	box := kit.Column(6, kit.Section("What will be downloaded", bytesText(v.Bytes), taken))
	if len(left.Objects) > 0 {
		box.Add(kit.Section("Not needed", "", left))
	}
	return box
}

// fileRow is a file with its size and why it is taken or not.
func fileRow(path string, bytes int64, why string, taken bool) fyne.CanvasObject {
	color := fyne.ThemeColorName(theme.ColorNameForeground)
	if !taken {
		color = kit.ColorMuted
	}
	name := kit.NewLine(path, kit.TextSmall, color)
	size := kit.NewCaption(humanize.Bytes(uint64(max(0, bytes))))
	size.Align = fyne.TextAlignTrailing
	if why == "" {
		return kit.WithTail(name, nil, size)
	}
	return kit.WithTail(name, kit.NewCaption(why), size)
}
