package settings

import (
	"context"
	"errors"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/plain"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// Store is where the collections of documents are kept.
type Store interface {
	StoreAddress() string // of a database; "": this computer
	UseStore(ctx context.Context, address, password string) (where string, err error)
}

// storeCard chooses between this computer and a database that a team shares.
type storeCard struct {
	panel.Host
	app      Store
	view     *fyne.Container
	now      *kit.Paragraph
	address  *kit.Entry
	password *kit.Entry
	use      *kit.Button
	back     *kit.Button
	discard  *kit.Button
	result   *kit.Paragraph
	pending  *kit.Paragraph // what is not applied
	marked   func()         // hears when what is not applied may have changed
}

func newStoreCard(d panel.Host, a Store) *storeCard {
	c := &storeCard{Host: d, app: a, now: kit.NewParagraph("", theme.ColorNameForeground), marked: func() {}, result: kit.NewParagraph("", kit.ColorMuted), pending: newPending()}
	c.address = kit.NewEntry(d.Keys)
	c.address.SetPlaceHolder("postgres://USER@HOST/DATABASE")
	c.password = kit.NewSecret(d.Keys, "Of that user, where the database asks for one")
	for _, e := range []*kit.Entry{c.address, c.password} {
		e.Submit = c.apply
		e.OnChanged = func(string) { c.mark() }
	}
	c.use = kit.NewButton(d.Keys, "Use this database", theme.StorageIcon(), c.apply)
	c.back = kit.NewQuietButton(d.Keys, "Use this computer", theme.ComputerIcon(), func() { c.choose("", "") })
	c.discard = kit.NewQuietButton(d.Keys, "Discard", theme.ContentUndoIcon(), func() { c.reset(); c.say("", kit.ColorMuted) })
	c.result.Flat.Hide()
	c.view = kit.Column(10,
		kit.NewParagraph("Collections of documents lie on this computer, or in a PostgreSQL database with pgvector that a team shares. Then the texts of what you index are sent there, and everyone with access can search them. Your existing collections stay where they are.", kit.ColorMuted).Flat,
		c.now.Flat,
		wide("Database address", c.address),
		wide("Database password", c.password),
		wide("", container.NewHBox(c.use, c.back, c.discard)),
		c.pending.Flat,
		c.result.Flat,
	)
	c.fill()
	return c
}

// fill says where the collections are.
func (c *storeCard) fill() {
	address := c.app.StoreAddress()
	text := "They are on this computer."
	if address != "" {
		text = "They are in " + plain.Line(address, 200) + "."
	}
	c.now.Set(text)
	kit.Show(c.back, address != "")
	c.reset()
}

// reset puts what is in force into the fields.
func (c *storeCard) reset() {
	c.address.SetText(c.app.StoreAddress())
	c.password.SetText("")
	c.mark()
}

// unapplied names the fields that say something else than what is in force.
func (c *storeCard) unapplied() []string {
	if strings.TrimSpace(c.address.Text) == c.app.StoreAddress() && c.password.Text == "" {
		return nil
	}
	return []string{"the database"}
}

// mark says whether the fields are applied.
func (c *storeCard) mark() {
	names := c.unapplied()
	kit.Show(c.discard, len(names) > 0)
	showPending(c.pending, names)
	c.view.Refresh()
	c.marked()
}

// apply uses the database of the fields.
func (c *storeCard) apply() { c.choose(strings.TrimSpace(c.address.Text), c.password.Text) }

func (c *storeCard) choose(address, password string) {
	if address == "" && c.app.StoreAddress() == "" {
		c.say("Give the address of a database, such as postgres://USER@HOST/DATABASE.", theme.ColorNameWarning)
		return
	}
	c.use.SetEnabled(false)
	c.say("Opening it…", kit.ColorMuted)
	c.Work(func(ctx context.Context) {
		where, err := c.app.UseStore(ctx, address, password)
		c.Do(func() {
			c.use.SetEnabled(true)
			switch {
			case errors.Is(err, context.Canceled):
				return
			case err != nil:
				c.say(kit.Sentence(err.Error()), theme.ColorNameWarning)
				return
			}
			text := "Documents shows its collections now."
			if where != "" {
				text += " The password is kept " + where + "."
			}
			c.say(text, kit.ColorSuccess)
			c.fill()
		})
	})
}

func (c *storeCard) say(text string, color fyne.ThemeColorName) {
	c.result.Say(plain.Text(text, 1000), color)
	c.view.Refresh()
}
