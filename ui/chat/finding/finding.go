// Package finding finds words in the chat in view: in what the messages say, and in the files that they
// have.
package finding

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"inglenook/markdown"
	"inglenook/ui/find"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
	"inglenook/ui/prose"
)

// Message is what is looked through of a message.
type Message struct {
	ID    int64
	Text  string
	Read  func() []markdown.Block // Text as it is shown
	Files []File
}

// File is one that a message has.
type File struct{ Name, Text string }

// Host is what finding asks of the panel around it.
type Host struct {
	panel.Host
	Messages func() []Message                                  // those of the branch in view, from the first on
	First    func() int64                                      // the first that is in sight; 0: none is
	Shown    func(id int64) *prose.Text                        // where a message is drawn; nil: it is not
	Each     func(func(id int64, text *prose.Text))            // all that are drawn
	Reveal   func(id int64)                                    // brings a message into sight
	Sees     func(text fyne.CanvasObject, top, bottom float32) // brings a part of it into sight
	Closed   func()                                            // the keyboard is free
	Turned   func()                                            // the field came or went, or has another width
}

// Finding looks for words in a chat.
type Finding struct {
	*find.Bar
	host Host

	sought string // what places are of
	places []place
	here   int   // of places; -1: none
	wanted int64 // the message whose first place is gone to; 0: the first that is in sight
	late   int64 // the message that has to be read before its place comes into sight; 0: none
	number int   // of the last search
	cancel context.CancelFunc
	texts  map[int64]shown // what was read of messages
}

// place is where a message has what is sought.
type place struct {
	message int64
	number  int    // among those of its text; -1: a file has it
	file    string // the name of that
}

// shown is a message that was read.
type shown struct {
	text  string
	parts []string // of each block, as it is shown
}

// New looks for nothing yet.
func New(h Host) *Finding {
	f := &Finding{host: h, here: -1, cancel: func() {}, texts: map[int64]shown{}}
	f.Bar = find.NewBar(find.BarHost{Keys: h.Keys, Hint: "Find in this chat", Changed: func() { f.renew(true) }, Step: f.step, Close: f.Close})
	return f
}

// Open shows the field and gives it the keyboard, with what was sought before selected.
func (f *Finding) Open() {
	if !f.View.Visible() {
		f.View.Show()
		f.host.Turned()
		f.renew(true)
	}
	f.host.Focus(f.Field)
	f.Field.TypedShortcut(&fyne.ShortcutSelectAll{})
}

// At shows the first place of a message that has some words, as a search of all chats found it.
func (f *Finding) At(message int64, words string) {
	f.wanted = message
	f.View.Show()
	f.host.Turned()
	if f.Field.Text == words {
		f.renew(true)
		return
	}
	f.Field.SetText(words)
}

// Close hides the field and what it found; false: it was hidden.
func (f *Finding) Close() bool {
	if !f.View.Visible() {
		return false
	}
	had := f.Has()
	f.View.Hide()
	f.host.Turned()
	f.renew(false)
	if had {
		f.host.Closed()
	}
	return true
}

// Leave ends finding where another chat comes into view, and forgets what was read of the last one.
func (f *Finding) Leave() {
	f.Close()
	f.wanted, f.late = 0, 0
	clear(f.texts)
}

// Changed looks anew, since messages came or went, and stays where it is.
func (f *Finding) Changed() {
	if f.View.Visible() {
		f.renew(false)
	}
}

// renew looks for what stands in the field now. goes: a place comes into sight.
func (f *Finding) renew(goes bool) {
	f.cancel()
	f.number++
	before, soughtBefore := f.at(), f.sought
	f.sought = ""
	if f.View.Visible() {
		f.sought = strings.TrimSpace(f.Field.Text)
	}
	if f.sought != soughtBefore {
		f.places, f.here = nil, -1
		f.Count.Set("")
	}
	if f.sought == "" {
		f.Say(0, -1)
		f.Count.Set("")
		f.mark()
		return
	}
	ctx, cancel := context.WithCancel(f.host.Life)
	f.cancel = cancel
	number, sought, known := f.number, f.sought, map[int64]shown{}
	messages := f.host.Messages()
	for _, m := range messages {
		if have, ok := f.texts[m.ID]; ok && have.text == m.Text {
			known[m.ID] = have
		}
	}
	f.host.Work(func(context.Context) {
		defer cancel()
		var places []place
		for _, m := range messages {
			if ctx.Err() != nil {
				return
			}
			if _, ok := known[m.ID]; !ok {
				known[m.ID] = shown{m.Text, prose.Texts(m.Read())}
			}
			places = append(places, placesIn(m, known[m.ID].parts, sought)...)
		}
		f.host.Do(func() {
			if number == f.number {
				f.texts = known
				f.found(places, before, goes)
			}
		})
	})
}

// placesIn are the places of a message: those of its text, and its files, of which each counts once.
func placesIn(m Message, parts []string, sought string) (places []place) {
	n := 0
	for _, text := range parts {
		for range find.In(text, sought) {
			places = append(places, place{message: m.ID, number: n})
			n++
		}
	}
	for _, file := range m.Files {
		if len(find.In(file.Name, sought))+len(find.In(file.Text, sought)) > 0 {
			places = append(places, place{m.ID, -1, file.Name})
		}
	}
	return places
}

// at is the place that was gone to.
func (f *Finding) at() place {
	if f.here < 0 {
		return place{}
	}
	return f.places[f.here]
}

// Place is the message of the place that was gone to; 0: none was.
func (f *Finding) Place() int64 { return f.at().message }

// found shows what there is, and goes to a place: the first one from the message that is wanted on, or from where the
// last place was, or from what is in sight. Where none follows, it is the last of all.
func (f *Finding) found(places []place, before place, goes bool) {
	f.places, f.here = places, slices.Index(places, before)
	if goes && len(places) > 0 {
		from := cmp.Or(f.wanted, before.message, f.host.First())
		f.here = slices.IndexFunc(places, func(p place) bool { return p.message >= from })
		if f.here < 0 {
			f.here = len(places) - 1
		}
		f.wanted = 0
	}
	f.say()
	f.mark()
	if goes {
		f.reveal()
	}
}

// step goes to the next place, or with -1 to the one before.
func (f *Finding) step(by int) {
	if n := len(f.places); n > 0 {
		f.here = find.Step(f.here, by, n)
		f.say()
		f.mark()
		f.reveal()
	}
}

// say tells how many places there are, and of one that a file has which file it is.
func (f *Finding) say() {
	f.Say(len(f.places), f.here)
	if name := f.at().file; name != "" {
		f.Count.Set(f.Count.Text + ", in " + kit.Ellipsize(kit.Brief(name), 160, kit.TextSmall, fyne.TextStyle{}))
	}
	f.host.Turned() // the count takes another width
}

// reveal brings the place that was gone to into sight, within a long message too.
func (f *Finding) reveal() {
	if f.here < 0 {
		return
	}
	id := f.at().message
	f.host.Reveal(id)
	text := f.host.Shown(id)
	if text == nil {
		return
	}
	f.late = 0
	if top, bottom, ok := text.FoundAt(); ok {
		f.host.Sees(text, top, bottom)
	} else if f.at().number >= 0 {
		f.late = id
	}
}

// Grown follows that a message has another height: a long one is read while the window goes on, and what was
// found in it comes into sight then.
func (f *Finding) Grown(id int64) {
	if f.late == id && f.at().message == id {
		f.reveal()
	}
}

// mark marks what was found in the messages that are drawn.
func (f *Finding) mark() { f.host.Each(f.markIn) }

// Mark marks what was found in a message that is drawn anew.
func (f *Finding) Mark(id int64) {
	if text := f.host.Shown(id); text != nil && f.sought != "" {
		f.markIn(id, text)
	}
}

func (f *Finding) markIn(id int64, text *prose.Text) {
	if f.sought == "" {
		text.ShowFound(nil, -1)
		return
	}
	here, sought := -1, f.sought
	if p := f.at(); p.message == id {
		here = p.number
	}
	text.ShowFound(func(text string) [][2]int { return find.In(text, sought) }, here)
}
