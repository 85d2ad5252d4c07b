package models

import (
	"maps"
	"slices"

	"inglenook/app/downloads"
	"inglenook/ui/kit"
)

// comingOf is what rows say of the downloads, by repository.
func comingOf(list []downloads.Download) map[string]string {
	said := map[string]string{}
	for _, d := range list {
		if text := comingText(d); text != "" {
			said[d.ID] = text
		}
	}
	return said
}

// comingText is how far a download is, in a word or two; "": it has ended.
func comingText(d downloads.Download) string {
	switch d.State {
	case downloads.DownloadDone:
		return ""
	case downloads.DownloadPaused:
		return "paused"
	case downloads.DownloadFailed:
		return "download failed"
	case downloads.DownloadQueued:
		return "in line"
	}
	if d.Total > 0 {
		return "downloading " + kit.Percent(float64(d.Done)/float64(d.Total))
	}
	return "downloading"
}

// comingIn is what the row of a model that is not here says of its download; "": there is none.
func (m modelItem) comingIn(coming map[string]string) string {
	switch {
	case m.installed != nil:
		return ""
	case m.found != nil:
		return coming[m.found.ID]
	}
	for _, d := range m.entry.Downloads {
		if said := coming[d.Repo]; said != "" {
			return said
		}
	}
	return ""
}

// markComing has the rows in view say how far the downloads are.
func (p *Panel) markComing(list []downloads.Download) {
	coming := comingOf(list)
	if maps.Equal(coming, p.coming) {
		return
	}
	p.coming = coming
	for i, m := range p.items {
		m.coming = m.comingIn(coming)
		p.items[i] = measured(m)
	}
	p.list.Refresh()
}

// isLanding reports whether a download has ended, and its model is not on the list yet: that has not
// been seen here, or the installed models are being read. One of an earlier start is not.
func (p *Panel) isLanding(d downloads.Download) bool {
	before, seen := p.states[keyOf(d)]
	return d.State == downloads.DownloadDone && (seen && before != downloads.DownloadDone || slices.Contains(p.landed, keyOf(d)))
}
