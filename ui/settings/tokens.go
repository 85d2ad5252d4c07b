package settings

import (
	"context"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/tokens"
	"inglenook/plain"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// tokenList shows the tokens of other programs, makes and removes them.
type tokenList struct {
	panel.Host
	store  *tokens.Store
	made   func() // hears of a new one
	view   *fyne.Container
	list   *fyne.Container
	name   *kit.Entry
	add    *kit.Button
	result *kit.Paragraph
	secret *kit.Line // the newest one, until another panel is entered
	shown  *fyne.Container
}

func newTokenList(d panel.Host, store *tokens.Store, made func()) *tokenList {
	t := &tokenList{Host: d, store: store, made: made, list: kit.Column(0), result: kit.NewParagraph("", theme.ColorNameWarning)}
	t.name = kit.NewEntry(d.Keys)
	t.name.SetPlaceHolder("Name of the program that will use it")
	t.name.Submit = t.make
	t.add = kit.NewButton(d.Keys, "New key", theme.ContentAddIcon(), t.make)
	t.secret = kit.NewLine("", kit.TextBody, theme.ColorNameForeground)
	t.secret.Style.Monospace = true
	copySecret := kit.NewQuietButton(d.Keys, "Copy", theme.ContentCopyIcon(), func() {
		if t.Copy(t.secret.Text, "token.txt") {
			t.Tell("Copied the access key.")
		}
	})
	t.shown = kit.Column(2, container.NewBorder(nil, nil, nil, copySecret, t.secret),
		kit.NewParagraph("Copy it now: it is shown this once, and kept only as a fingerprint.", theme.ColorNameWarning).Small().Flat)
	t.view = kit.Column(kit.GapSmall, t.list, container.NewBorder(nil, nil, nil, t.add, t.name), t.shown, t.result.Flat)
	t.hide()
	t.fill()
	return t
}

// hide takes the secret out of view.
func (t *tokenList) hide() {
	t.secret.Set("")
	kit.Show(t.shown, false)
	kit.Show(t.result.Flat, false)
	t.view.Refresh()
}

func (t *tokenList) fill() {
	list, err := t.store.List()
	t.list.Objects = nil
	for _, x := range list {
		name := kit.NewLine(plain.Line(x.Name, 40), kit.TextBody, theme.ColorNameForeground)
		remove := kit.NewQuietButton(t.Keys, "Remove", theme.DeleteIcon(), func() { t.remove(x.Name) })
		made := kit.NewCaption("made on " + x.Made.Local().Format(time.DateOnly))
		made.Whole = true
		t.list.Add(container.NewBorder(nil, nil, nil, kit.Row(kit.Gap, container.NewCenter(made), remove), name))
	}
	if len(list) == 0 {
		t.list.Add(kit.NewCaption("None. Programs send this key as a password."))
	}
	if err != nil {
		t.fail(err)
	}
	t.list.Refresh()
}

func (t *tokenList) make() {
	name := t.name.Text
	t.Work(func(context.Context) {
		secret, err := t.store.Add(name)
		t.Do(func() {
			t.hide()
			if err != nil {
				t.fail(err)
				return
			}
			t.name.SetText("")
			t.secret.Set(secret)
			kit.Show(t.shown, true)
			t.fill()
			t.view.Refresh()
			t.made()
		})
	})
}

func (t *tokenList) remove(name string) {
	t.Work(func(context.Context) {
		back, err := t.store.Take(name)
		t.Do(func() {
			t.hide()
			if err != nil {
				t.fail(err)
				return
			}
			t.fill()
			t.Offer("Removed the access key “"+plain.Line(name, 40)+"”. Its program is refused now.", "Undo", func() { t.putBack(back) })
		})
	})
}

// putBack lets the program ask again that had a key which was removed.
func (t *tokenList) putBack(back func() error) {
	t.Work(func(context.Context) {
		err := back()
		t.Do(func() {
			t.fill()
			if err != nil {
				t.fail(err)
				return
			}
			t.Tell("The access key is back, and its program may ask again.")
		})
	})
}

func (t *tokenList) fail(err error) {
	t.result.Set(plain.Text(kit.Sentence(err.Error()), 600))
	kit.Show(t.result.Flat, true)
	t.result.Refresh()
	t.view.Refresh()
}
