package panel

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/ui/kit"
)

// Explained is what stands below a result: in a line what it took, remarks that a reader must know,
// and details that are in view once a person wants them.
type Explained struct {
	View             *fyne.Container
	Took             *kit.Line
	Remarks, Details *kit.Paragraph
	More             *kit.TextButton // shows and hides the details
	Room             *kit.Capped     // of remarks and details; more of them is scrolled

	rest, details *fyne.Container
}

// NewExplained is one with nothing in it. Remarks and details are so far apart, and have a height of
// most; changed hears when a person shows or hides the details.
func NewExplained(k *kit.Keyboard, gap, most float32, changed func()) *Explained {
	e := &Explained{Took: kit.NewCaption(""), Remarks: kit.NewParagraph("", theme.ColorNameWarning).Small(), Details: kit.NewParagraph("", kit.ColorMuted).Small(), Room: &kit.Capped{Most: most}}
	e.Took.Whole = false
	e.details = kit.Column(0, e.Details.Flat)
	e.details.Hide()
	e.More = kit.NewTextButton(k, "Details", func() {
		kit.Show(e.details, !e.details.Visible())
		e.arrange()
		changed()
	})
	e.rest = container.New(e.Room, container.NewVScroll(kit.Column(gap, e.Remarks.Flat, e.details)))
	e.View = kit.Column(kit.GapSmall, container.NewBorder(nil, nil, nil, e.More, e.Took), e.rest)
	return e
}

// Set shows something else; "": there are no remarks, or no details.
func (e *Explained) Set(took, remarks, details string) {
	e.Took.Set(took)
	e.Remarks.Set(remarks)
	kit.Show(e.Remarks.Flat, remarks != "")
	e.Details.Set(details)
	kit.Show(e.More, details != "")
	if details == "" {
		e.details.Hide()
	}
	e.arrange()
}

// Open reports whether the details are in view.
func (e *Explained) Open() bool { return e.details.Visible() }

// Below is what stands below the line, if anything does: remarks and details.
func (e *Explained) Below() *fyne.Container { return e.rest }

// arrange takes no room for remarks and details where neither is in view.
func (e *Explained) arrange() { kit.Show(e.rest, e.Remarks.Flat.Visible() || e.Open()) }
