package documents

import (
	"context"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"github.com/dustin/go-humanize"

	"inglenook/app/downloads"
	"inglenook/app/library"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// Models are what the room asks of the models that can be had.
type Models interface {
	Catalogue() []library.CatalogueEntry
	Downloads() []downloads.Download
	StartDownload(ctx context.Context, r downloads.DownloadRequest) error
	ResumeDownload(id, revision string) error
}

// getReader gets a small model that reads what was found, where there is none: one button, in the
// place of which stands how far the download is.
type getReader struct {
	*session
	models Models
	view   *fyne.Container
	get    *kit.Button
	says   *kit.Line // why, or how far the download is
	why    *panel.Trouble

	list   []downloads.Download // as they were heard of last
	reason string               // why the download failed, as it is shown

	repo  string // that is got; "": none is known
	bytes int64
	asked bool // the person asked for it in this room: it reads once it is here
}

// needsReader is said where no model can read closer.
const needsReader = "Closer reading needs a small model"

// usualReader is the size in bytes of what is got: the largest that is not larger. It reads a dozen
// passages within a second on any computer.
const usualReader = 100e6

func newGetReader(s *session, m Models) *getReader {
	g := &getReader{session: s, models: m, says: kit.NewName(needsReader)}
	for _, e := range m.Catalogue() {
		if e.Task != library.KindReranker || len(e.Downloads) == 0 {
			continue
		}
		if d := e.Downloads[0]; d.Bytes <= usualReader && d.Bytes > g.bytes {
			g.repo, g.bytes = d.Repo, d.Bytes
		}
	}
	g.get = kit.NewButton(s.Keys, g.offer(), theme.DownloadIcon(), g.start)
	g.get.Tip = g.repo
	g.says.Whole = true
	g.why = panel.NewTrouble(s.Keys, func() { g.view.Refresh(); s.changed(finds) })
	g.view = kit.Column(2, kit.Row(kit.Gap, container.NewCenter(g.says), g.get), g.why.View)
	return g
}

// offer is what the button says while nothing is on its way.
func (g *getReader) offer() string {
	if g.repo == "" {
		return "Find one in Models"
	}
	return "Download one, " + humanize.Bytes(uint64(g.bytes))
}

// start downloads the model, or leads to where it goes on.
func (g *getReader) start() {
	coming := g.coming()
	if again := coming != nil && coming.State == downloads.DownloadFailed; g.repo == "" || coming != nil && !again {
		g.FindReranker()
		return
	}
	g.asked = true
	g.Work(func(ctx context.Context) {
		var err error
		if coming != nil {
			err = g.models.ResumeDownload(coming.ID, coming.Revision)
		} else {
			err = g.models.StartDownload(ctx, downloads.DownloadRequest{ID: g.repo})
		}
		g.Do(func() {
			if err != nil {
				g.asked = false
				g.fail(err)
				return
			}
			g.follow(g.models.Downloads())
			g.WatchDownloads()
		})
	})
}

// coming is the download under way; nil: none is.
func (g *getReader) coming() *downloads.Download {
	i := slices.IndexFunc(g.list, func(d downloads.Download) bool {
		return g.repo != "" && strings.EqualFold(d.ID, g.repo) && d.State != downloads.DownloadDone
	})
	if i < 0 {
		return nil
	}
	return &g.list[i]
}

// follow shows how far the download is.
func (g *getReader) follow(list []downloads.Download) {
	g.list = list
	says, name, why := needsReader, g.offer(), ""
	if d := g.coming(); d != nil {
		says, name = panel.DownloadBrief(*d), "Show the download"
		if d.State == downloads.DownloadFailed {
			says, name, why = panel.DownloadState(*d), "Try again", d.Why
		}
	}
	if g.says.Text == says && g.get.Text == name && g.reason == why {
		return
	}
	g.reason = why
	g.why.Set(why, "")
	g.says.Set(says)
	g.get.SetText(name)
	g.view.Refresh()
}

// arrived has the model read from now on, where the person got it here for that.
func (g *getReader) arrived(all []library.Model) {
	i := slices.IndexFunc(all, func(m library.Model) bool { return g.repo != "" && strings.EqualFold(m.ID, g.repo) })
	if i < 0 || !g.asked {
		return
	}
	if g.asked = false; g.reader.wanted() == "" {
		g.readWith(all[i].ID)
		g.Tell(all[i].Title() + " reads what is found from now on.")
	}
}

// FollowDownloads shows how far the download of a model for closer reading is.
func (p *Panel) FollowDownloads(list []downloads.Download) { p.sorting.getter.follow(list) }
