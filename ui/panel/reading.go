package panel

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"inglenook/app/base"
	"inglenook/app/held"
	"inglenook/app/texts"
	"inglenook/ui/kit"
)

// ReadingApp is what Reading asks of the application.
type ReadingApp interface {
	CheckReading(ctx context.Context, r texts.ReadingRequest, report func(base.Progress)) (held.Held, error)
	ReadAs(ctx context.Context, model, work string, h held.Held) error
}

// tipReading is the name of the offer among the tips that a person closed for good.
const tipReading = "read in 8 bits"

// longReading is how long a model has to read before 8 bits are offered: for less, nobody
// waits.
const longReading = 20 * time.Second

// ReadingChanged says that a model reads in 8 bits now, or no longer.
const ReadingChanged = "Reading in 8 bits was switched on or off"

// Reading offers that a model reads in 8 bits where it took long, after a check on the
// person's own texts. Once that was made, a box shows and changes how the model reads.
type Reading struct {
	Host
	Offer *kit.Notice
	Check *kit.Check

	app     ReadingApp
	changed func()
	again   func()
	asked   texts.ReadingRequest // of the result in view
	held    held.Held
	cancel  context.CancelFunc // of a check under way
	away    bool               // another model is chosen, or none
}

// NewReading shows nothing yet. changed follows each change of how the model reads, and again is what
// comes after a check that found 8 bits good.
func NewReading(h Host, a ReadingApp, changed, again func()) *Reading {
	r := &Reading{Host: h, Offer: kit.NewNotice(h.Keys), app: a, changed: changed, again: again, cancel: func() {}}
	r.Check = kit.NewCheck(h.Keys, "", r.choose)
	r.Check.Hide()
	return r
}

// Show follows a result: what was read, by the model of that name, how, where, and how long that took.
func (r *Reading) Show(name string, asked texts.ReadingRequest, h held.Held, device string, took time.Duration) {
	r.cancel()
	r.asked = asked
	r.Offer.Hide()
	if !r.TipClosed(tipReading) && device == "cpu" && h.Weights == "" && took >= longReading && (asked.Work == held.Embed || len(asked.Texts) >= held.FewestScores) {
		r.Offer.Say(fmt.Sprintf("%s read for %s. In 8 bits it may be faster.", name, kit.Duration(took)), "Try it", r.try)
		r.Offer.Closes(func() { r.CloseTip(tipReading) })
	}
	r.show(h)
}

// For shows the box and the offer only while the model of the result is the chosen one; "": none is.
// For another one a check under way ends.
func (r *Reading) For(model string) {
	r.away = model != r.asked.Model
	kit.Show(r.Check, r.held.Checked > 0 && !r.away)
	if r.away {
		r.cancel()
		r.Offer.Hide()
	}
}

// ComputedBy names the device of a result, and that its model read in 8 bits.
func ComputedBy(device string, h held.Held) string {
	if h.Weights == held.EightBits {
		return DeviceName(device) + " in 8 bits"
	}
	return DeviceName(device)
}

// EightBits reports whether the model reads in 8 bits from now on.
func (r *Reading) EightBits() bool { return r.held.Weights == held.EightBits }

// show puts the box in view where a check was made.
func (r *Reading) show(h held.Held) {
	r.held = h
	r.Check.Text = fmt.Sprintf("Read in 8 bits (%.2f %% alike)", math.Floor(h.Alike*1e4)/100)
	if h.Times > 1 && h.Timed() {
		r.Check.Text = fmt.Sprintf("Read in 8 bits (%.1f times as fast, %.2f %% alike)", h.Times, math.Floor(h.Alike*1e4)/100)
	}
	r.Check.Checked = r.EightBits()
	r.For(r.asked.Model)
	r.Check.Refresh()
}

// try compares both ways on the texts of the result.
func (r *Reading) try() {
	ctx, cancel := context.WithCancel(r.Life)
	asked := r.asked
	r.cancel = cancel
	r.Offer.Say("Reading some of these texts in both ways…", "Cancel", func() { cancel(); r.Offer.Hide() })
	r.Work(func(context.Context) {
		defer cancel()
		h, err := r.app.CheckReading(ctx, asked, func(base.Progress) {})
		r.Do(func() {
			switch {
			case r.away:
			case ctx.Err() != nil && errors.Is(err, context.Canceled):
			case err != nil:
				r.Offer.Fail(kit.Sentence(err.Error()))
			default:
				r.tell(h)
			}
		})
	})
}

// tell takes what a check found from now on. Good 8 bits are used at once, and the box says how good;
// else a sentence says that nothing changes.
func (r *Reading) tell(h held.Held) {
	if h.Weights != held.EightBits {
		r.Offer.Say(h.About("text"), "Close", r.Offer.Hide)
		r.show(h)
		r.changed()
		return
	}
	r.Offer.Hide()
	r.show(h)
	r.changed()
	r.again()
}

// choose has the model read in 8 bits, or as in its file.
func (r *Reading) choose(eight bool) {
	h := r.held
	h.Weights = held.AsInFile
	if eight {
		h.Weights = held.EightBits
	}
	if h == r.held {
		return
	}
	asked := r.asked
	r.show(h)
	r.changed()
	r.Work(func(ctx context.Context) {
		if err := r.app.ReadAs(ctx, asked.Model, asked.Work, h); err != nil {
			r.Do(func() { r.Offer.Fail(kit.Sentence(err.Error())) })
		}
	})
}
