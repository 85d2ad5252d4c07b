package chat

import (
	"context"
	"fmt"
	"reflect"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"github.com/dustin/go-humanize"

	"inglenook/app/chat"
	"inglenook/ui/kit"
)

// dial is a slider between two words, with a sentence about where it stands.
type dial struct {
	view   *fyne.Container
	slider *kit.Slider
	says   *kit.Paragraph
}

func newDial(k *kit.Keyboard, name, low, high string, last int, chosen func(step int)) *dial {
	d := &dial{slider: kit.NewSlider(k, last, 0, chosen), says: kit.NewParagraph("", kit.ColorMuted).Small()}
	left, right := kit.NewCaption(low), kit.NewCaption(high)
	left.Whole, right.Whole = true, true
	ends := container.NewBorder(nil, nil, left, right)
	d.view = kit.Column(0, kit.NewName(name), d.slider, ends, d.says.Flat)
	return d
}

// stand puts the slider at a step, without telling anybody, and says what that means.
func (d *dial) stand(step int, text string) {
	if d.slider.Value != float64(step) {
		d.slider.Value = float64(step)
		d.slider.Refresh()
	}
	d.says.Set(text)
}

// usualVariety is the step at which the model's own temperature holds.
const usualVariety = 2

// varieties are the steps between exact and inventive: which part of the model's own
// temperature they take, and what that means.
var varieties = []struct {
	times float64
	says  string
}{
	{0, "Always the likeliest words: the same question gets the same answer."},
	{0.5, "Mostly the likeliest words. Good for facts and code."},
	{1, "As the makers of the model suggest."},
	{1.3, "More varied words. Good for ideas."},
	{1.7, "Surprising words. It may lose the thread."},
}

// temperatureAt is the temperature of a step, where the model's own is base.
func temperatureAt(step int, base float64) float64 {
	if base <= 0 {
		base = 0.7 // the model's own answer is always the likeliest one
	}
	return float64(int(varieties[step].times*base*100+0.5)) / 100
}

// varietyOf is the step nearest to a temperature.
func varietyOf(temperature, base float64) int {
	best := 0
	for i := range varieties {
		if abs(temperatureAt(i, base)-temperature) < abs(temperatureAt(best, base)-temperature) {
			best = i
		}
	}
	return best
}

func abs(v float64) float64 { return max(v, -v) }

// lengths are how many tokens an answer may have, by step; 0: as many as there is room for.
var lengths = []int{128, 320, 640, 1280, 2560, 0}

// lengthOf is the step of a limit; one between two steps stands at the longer one.
func lengthOf(tokens int) int {
	for i, n := range lengths {
		if n == 0 || tokens > 0 && tokens <= n {
			return i
		}
	}
	return len(lengths) - 1
}

func lengthText(tokens int) string {
	if tokens == 0 {
		return "Answers end by themselves."
	}
	return "Answers end after " + kit.Words(tokens) + " at the latest."
}

// buildDials makes the three sliders of the drawer.
func (d *options) buildDials() {
	d.variety = newDial(d.Keys, "Choice of words", "Precise", "Creative", len(varieties)-1, func(step int) {
		if !d.filling {
			d.setVariety(step)
		}
	})
	d.length = newDial(d.Keys, "Length of answers", "Short", "No limit", len(lengths)-1, func(step int) {
		if !d.filling {
			d.change(func(x *chat.Choices) { x.MaxTokens = lengths[step] })
			d.show()
		}
	})
	d.reads = newDial(d.Keys, "Memory", "Automatic", "Most", 1, func(step int) {
		if !d.filling {
			d.setRoom(step)
		}
	})
	d.reads.view.Hide()
}

// setVariety takes the temperature of a step.
func (d *options) setVariety(step int) {
	base := d.session.base()
	d.change(func(x *chat.Choices) {
		own := base
		if x.Sampling != nil {
			own = *x.Sampling
		}
		own.Temperature = temperatureAt(step, base.Temperature)
		if step == usualVariety {
			own.Temperature = base.Temperature
		}
		x.Sampling = &own
		if reflect.DeepEqual(own, base) {
			x.Sampling = nil
		}
	})
	d.show()
}

// setRoom has the model read as much as a step says; the first one leaves that to the program.
func (d *options) setRoom(step int) {
	n := 0
	if step > 0 && step <= len(d.rooms) {
		n = d.rooms[step-1].Context
	}
	d.change(func(x *chat.Choices) { x.Context = n })
	d.show()
}

// showDials shows where the sliders stand.
func (d *options) showDials() {
	x, base := d.session.choices, d.session.base()
	at := usualVariety
	if x.Sampling != nil && x.Sampling.Temperature != base.Temperature {
		at = varietyOf(x.Sampling.Temperature, base.Temperature)
	}
	d.variety.stand(at, varieties[at].says)
	d.length.stand(lengthOf(x.MaxTokens), lengthText(x.MaxTokens))
	d.askRooms()
	d.showRoom()
}

// askRooms asks how much the chosen model can read, once for a model and the way it is held.
func (d *options) askRooms() {
	x := d.session.choices
	x.Context = 0
	of := fmt.Sprint(x.Model, x.Target)
	if !d.host.open() || of == d.roomsOf {
		return
	}
	d.roomsOf, d.rooms = of, nil
	d.reads.view.Hide()
	if x.Model == "" {
		return
	}
	d.Work(func(ctx context.Context) {
		rooms, err := d.session.conversations.Rooms(ctx, x)
		d.Do(func() {
			if err == nil && d.roomsOf == of && len(rooms) > 0 {
				d.rooms = rooms
				d.reads.slider.Max = float64(len(rooms))
				d.showRoom()
				d.view.Refresh()
			}
		})
	})
}

// showRoom says how much the model reads at once, and what memory that takes.
func (d *options) showRoom() {
	if len(d.rooms) == 0 {
		return
	}
	tokens, at, text := d.session.choices.Context, 0, "As much as suits the model and this computer."
	if tokens > 0 {
		at = len(d.rooms)
		for i, r := range d.rooms {
			if tokens <= r.Context {
				at = i + 1
				break
			}
		}
		text = "The model reads " + kit.Words(tokens) + " of a chat at once"
		if bytes := d.rooms[at-1].Bytes; bytes > 0 && d.rooms[at-1].Context == tokens {
			text += " and takes " + humanize.Bytes(uint64(bytes)) + " of memory"
			if free := d.session.modelChoice(d.session.choices.Model).FreeBytes; free > 0 && bytes > free {
				text += ", more than is free"
			}
		}
		text += "."
	}
	d.reads.stand(at, text)
	d.reads.view.Show()
}

// toggleAdvanced opens or closes the numbers below the sliders.
func (d *options) toggleAdvanced() {
	d.showAdvanced(!d.advanced.Visible())
}

func (d *options) showAdvanced(on bool) {
	kit.Show(d.advanced, on)
	icon := theme.MenuDropDownIcon()
	if on {
		icon = theme.MenuDropUpIcon()
	}
	d.more.SetIcon(icon)
	d.view.Refresh()
}
