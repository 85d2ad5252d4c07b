package panel

import (
	"time"

	"fyne.io/fyne/v2/theme"

	"inglenook/ui/kit"
)

// Complaint says below a field what is wrong with what is typed into it, once the person
// pauses or leaves the field.
type Complaint struct {
	Text  *kit.Paragraph
	why   string // "": nothing is wrong
	grown func()
	do    func(func())
	pause *time.Timer
}

// complaintPause is how long a person pauses before a complaint: what is half typed is often
// wrong.
const complaintPause = time.Second

// NewComplaint makes one for a field, to stand below it. Grown follows that it comes or goes.
func NewComplaint(of *kit.Entry, do func(func()), grown func()) *Complaint {
	c := &Complaint{Text: kit.NewParagraph("", theme.ColorNameError).Small(), do: do, grown: grown}
	c.Text.Flat.Hide()
	lost := of.Lost
	of.Lost = func() {
		if c.show(); lost != nil {
			lost()
		}
	}
	return c
}

// Say takes note of what is wrong; "": nothing is.
func (c *Complaint) Say(why string) {
	if c.pause != nil {
		c.pause.Stop()
	}
	if c.why = why; why == "" || c.Text.Flat.Visible() {
		c.show()
		return
	}
	c.pause = time.AfterFunc(complaintPause, func() { c.do(c.show) })
}

func (c *Complaint) show() {
	if c.why == "" && !c.Text.Flat.Visible() {
		return
	}
	c.Text.Set(c.why)
	kit.Show(c.Text.Flat, c.why != "")
	c.grown()
}
