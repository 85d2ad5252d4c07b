package settings

import (
	"context"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/base"
	"inglenook/app/library"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// Folders is what Settings asks of the application about where files lie.
type Folders interface {
	ModelFolder() string // to which models are downloaded
	UseModelFolder(folder string) error
}

// folderNameWidth is that of the names of folders, which leaves room for their paths.
const folderNameWidth float32 = 70

// foldersCard shows and opens the folders of the program, and chooses that of models.
type foldersCard struct {
	panel.Host
	app    App
	open   func(path string)
	view   *fyne.Container
	rows   *fyne.Container
	change *kit.Button
	usual  *kit.Button // goes back to the usual folder of models
	result *kit.Paragraph
}

func newFoldersCard(d panel.Host, a App, open func(string)) *foldersCard {
	c := &foldersCard{Host: d, app: a, open: open, rows: kit.Column(0), result: kit.NewParagraph("", kit.ColorMuted)}
	c.change = kit.NewButton(d.Keys, "Other folder for models…", theme.FolderIcon(), func() { c.Files().OpenFolder(c.use) })
	c.usual = kit.NewQuietButton(d.Keys, "Use the usual one", theme.ContentUndoIcon(), func() { c.use(base.HubCache()) })
	c.result.Flat.Hide()
	c.view = kit.Column(kit.Gap, c.rows, container.New(&kit.Wrap{Gap: kit.GapSmall}, c.change, c.usual),
		kit.NewParagraph("Choosing another folder moves nothing. Models in the usual folder always stay on the list, those in another folder only while it is the one chosen here.", kit.ColorMuted).Small().Flat,
		c.result.Flat)
	c.fill()
	return c
}

// fill lists the folders.
func (c *foldersCard) fill() {
	paths := c.app.Paths()
	c.rows.Objects = nil
	for _, f := range []struct{ name, path string }{
		{"Models", c.app.ModelFolder()}, {"Data", paths.Data}, {"Settings", paths.Config}, {"Cache", paths.Cache}, {"Log", paths.Log},
	} {
		label := kit.NewLine(f.name, kit.TextBody, theme.ColorNameForeground)
		label.Whole = true
		buttons := kit.Row(0, kit.NewIconButton(c.Keys, theme.ContentCopyIcon(), "Copy the path", func() {
			if c.Copy(f.path, "path.txt") {
				c.Tell("Copied the path of the " + strings.ToLower(f.name) + ".")
			}
		}), kit.NewIconButton(c.Keys, theme.FolderOpenIcon(), "Open", func() { c.open(f.path) }))
		path := kit.NewTold(c.Keys, kit.NewLine(base.ShortPath(f.path), kit.TextBody, kit.ColorMuted))
		c.rows.Add(marked(f.name, container.NewBorder(nil, nil, container.New(&kit.FixedWidth{Width: folderNameWidth}, label), buttons, path)))
	}
	kit.Show(c.usual, c.app.ModelFolder() != base.HubCache())
	c.view.Refresh()
}

// use has models downloaded to another folder from now on.
func (c *foldersCard) use(folder string) {
	c.Work(func(ctx context.Context) {
		err := c.app.UseModelFolder(folder)
		models, unread := c.App.Models(ctx)
		c.Do(func() {
			text, color := "New models go to "+base.ShortPath(folder)+" from now on.", fyne.ThemeColorName(kit.ColorMuted)
			if unread == nil {
				text += " " + modelsIn(folder, models)
			}
			if err != nil {
				text, color = kit.Sentence(err.Error()), theme.ColorNameWarning
			}
			c.result.Say(text, color)
			c.fill()
			if err == nil {
				c.AnnounceModels()
			}
		})
	})
}

// modelsIn says how many models lie in a folder for models.
func modelsIn(folder string, models []library.Model) string {
	n := 0
	for _, m := range models {
		if below, err := filepath.Rel(folder, m.Path); err == nil && m.Source == library.SourceHubCache && filepath.IsLocal(below) {
			n++
		}
	}
	switch n {
	case 0:
		return "There are no models in it yet."
	case 1:
		return "It has 1 model, which is on the list."
	}
	return "It has " + kit.Count(n, "model") + ", which are on the list."
}
