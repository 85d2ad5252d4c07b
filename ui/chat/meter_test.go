package chat

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/chat"
	"inglenook/ui/kit"
	"inglenook/ui/uitest"
)

// Where there is no room for the whole line, what counts most stands there, uncut.
func TestMeterInLittleRoom(t *testing.T) {
	test.NewTempApp(t)
	m := newContextMeter(&kit.Keyboard{}, func() {})
	for short, at := range map[string]chat.Meter{
		"100 % full": {Context: 512, Prompt: 400, Room: 112, Dropped: []int64{1}, Exact: true},
		"59 % full":  {Context: 512, Prompt: 300, Room: 212, Passages: []int{200, 80}, Exact: true},
		"too long":   {Context: 512, Prompt: 900, Draft: 900, Room: -388, Exact: true},
	} {
		m.show(at, nil)
		for width, want := range map[float32]string{600: meterText(at), 90: short} {
			if m.Resize(fyne.NewSize(width, 30)); m.text.Line.Text != want || m.text.Natural() > width {
				t.Errorf("in %v: %q, %v wide, want %q", width, m.text.Line.Text, m.text.Natural(), want)
			}
		}
	}
}

func TestMeterText(t *testing.T) {
	test.NewTempApp(t)
	m := newContextMeter(&kit.Keyboard{}, func() {})
	m.Resize(fyne.NewSize(600, 30))
	for want, at := range map[string]chat.Meter{
		"about 8 % full":                           {Context: 512, Prompt: 40, Draft: 12, Room: 472},
		"about 30 words":                           {Prompt: 40, Draft: 12}, // nobody knows what the model will read
		"176 % full · too long to send":            {Context: 512, Prompt: 900, Draft: 900, Room: -388, Exact: true},
		"100 % full · 1 message would be left out": {Context: 512, Prompt: 400, Room: 112, Dropped: []int64{1}, Exact: true},
		"59 % full · 55 % from documents":          {Context: 512, Prompt: 300, Room: 212, Passages: []int{200, 80}, Exact: true},
		"122 % full · too long to send":            {Context: 4096, Prompt: 5000, Draft: 5000, Room: -904},
		"100 % full":                               {Context: 512, Prompt: 900, Room: -388, Exact: true}, // and nothing is written
		"about 750,000 words":                      {Prompt: 1_000_000, Draft: 5},
		"about 50 % full":                          {Context: 2_000_000, Prompt: 1_000_000, Draft: 5, Room: 1_000_000},
		"24,719 times too long to send":            {Context: 2048, Prompt: 50_625_000, Draft: 50_625_000, Room: -50_000_000},
		"98 % full":                                {Context: 4096, Prompt: 4000, Draft: 5, Room: 96, Exact: true},
		"49 % full · 10 % from documents":          {Context: 4096, Prompt: 2000, Draft: 5, Room: 2096, Passages: []int{400}, Exact: true},
	} {
		m.show(at, nil)
		if m.text.Line.Text != want || m.bar.Visible() != (at.Context > 0) {
			t.Errorf("%+v: %q, want %q; the bar is in view: %v", at, m.text.Line.Text, want, m.bar.Visible())
		}
	}
}

// A full chat is no error: the meter is red only where what is written cannot be sent.
func TestMeterColors(t *testing.T) {
	test.NewTempApp(t)
	m := newContextMeter(&kit.Keyboard{}, func() {})
	for _, c := range []struct {
		at   chat.Meter
		want fyne.ThemeColorName
	}{
		{chat.Meter{Context: 512, Prompt: 100, Draft: 5, Room: 412, Exact: true}, kit.ColorMuted},
		{chat.Meter{Context: 512, Prompt: 500, Draft: 5, Room: 12, Dropped: []int64{1}, Exact: true}, theme.ColorNameWarning},
		{chat.Meter{Context: 512, Prompt: 900, Room: -388, Exact: true}, theme.ColorNameWarning},
		{chat.Meter{Context: 512, Prompt: 900, Draft: 900, Room: -388, Exact: true}, theme.ColorNameError},
	} {
		m.show(c.at, nil)
		if m.text.Color != c.want {
			t.Errorf("%+v is shown in %s", c.at, m.text.Color)
		}
	}
}

// Another chat never shows the figure of the one before, not even until it is counted; a count that
// comes late is dropped. The sheet says the figure of the meter.
func TestMeterOfAnotherChat(t *testing.T) {
	b, p := chatting(t)
	b.say(t, "three four")
	other := p.conversation.ID
	p.newChat()
	b.say(t, "one two")
	first, late, held := p.conversation.ID, make(chan struct{}), atomic.Bool{}
	b.conversations.Model.Counts = func(r chat.MeterRequest) int {
		if r.Conversation != first {
			return 1000
		}
		if held.Load() {
			<-late
		}
		return 3000
	}
	p.composer.measure()
	b.Loop.Until(t, "a count", func() bool { return p.composer.meter.last.Prompt == 3000 })
	full := p.composer.meter.text.Line.Text
	p.explainContext()
	if says := uitest.AllText(p.sheet.Popup.Content); !strings.Contains(says, full) || full != "73 % full" {
		t.Errorf("the meter says %q, the sheet %q", full, says)
	}
	p.sheet.Close()
	held.Store(true)
	p.composer.count() // comes when the next chat is in view
	p.openChat(other, 0)
	if text := p.composer.meter.text.Line.Text; text != "" || p.composer.meter.bar.Visible() || p.composer.meter.last.Prompt != 0 {
		t.Errorf("another chat says %q, %+v", text, p.composer.meter.last)
	}
	close(late)
	b.Idle()
	if m := p.composer.meter; m.last.Prompt != 0 && m.last.Prompt != 1000 {
		t.Errorf("then it says %q", m.text.Line.Text)
	}
	b.Loop.Until(t, "a count of its own", func() bool { return p.composer.meter.text.Line.Text == "24 % full" })
}

// A draft of the last start is counted by the model that is chosen once the models are known.
func TestMeterFollowsTheModel(t *testing.T) {
	b, p := chatting(t)
	test.Type(p.composer.entry, "a draft")
	var last atomic.Value
	b.conversations.Model.Counts = func(r chat.MeterRequest) int {
		last.Store(r.Choices.Model)
		return 0
	}
	b = b.reopened(t)
	b.Loop.Until(t, "a count for the model", func() bool { return last.Load() == b.chat.choices.Model && b.chat.choices.Model != "" })
}

// Before the model is loaded a message that is far too long is not sent either. More room is
// offered with its memory, and never more than the model has.
func TestMoreRoom(t *testing.T) {
	b, p := chatting(t)
	b.conversations.Model.Most, b.conversations.Model.Context = 5000, 1024
	p.composer.attach(chat.File("long.txt", strings.Repeat("word ", 3000)))
	b.Loop.Until(t, "the count", func() bool { return p.composer.tooLong() })
	if p.composer.meter.last.Exact || p.composer.send.Text != "Too long…" || p.composer.send.Tip == "" {
		t.Errorf("the meter is %+v; Send can be pressed", p.composer.meter.last)
	}
	p.send()
	test.Tap(uitest.FindButton(t, p.sheet.Popup.Content, "Give it more room…"))
	b.Loop.Until(t, "the rooms", func() bool { return p.sheet.Title == "More room" })
	slider, ok := uitest.Find(p.sheet.Popup.Content, func(*kit.Slider) bool { return true })
	if says := uitest.AllText(p.sheet.Popup.Content); !ok || slider.Value != 2 || !strings.Contains(says, "about 1,540 words (2,048 tokens) at once") || !strings.Contains(says, "takes 1.1 GB of memory of the 8.6 GB") {
		t.Fatalf("it says %q", says)
	}
	for range 9 {
		slider.TypedKey(uitest.Key(fyne.KeyRight))
	}
	if says := uitest.AllText(p.sheet.Popup.Content); !strings.Contains(says, "(5,000 tokens)") {
		t.Errorf("the most is %q", says)
	}
	b.Idle()
	b.conversations.Model.Context = 5000
	test.Tap(uitest.FindButton(t, p.sheet.Popup.Content, "Give it this room"))
	if p.choices.Context != 5000 || p.loading == nil {
		t.Errorf("the context is %d", p.choices.Context)
	}
	b.Idle()
	p.composer.meter.last.Context = 5000
	p.moreRoom(nil)
	b.Loop.Until(t, "an answer", func() bool { return p.sheet.Title != "" })
	if p.sheet.Title != "There is no more room" {
		t.Errorf("it asks %q", p.sheet.Title)
	}
	p.sheet.Close()
	at := slices.IndexFunc(p.session.models, func(c chat.ModelChoice) bool { return c.Model.ID == p.choices.Model })
	p.session.models[at].Model.MaxLength = 5000
	p.askTooLong()
	if uitest.Search(p.sheet.Popup.Content, "Give it more room…") != nil || uitest.Search(p.sheet.Popup.Content, "Choose another model") == nil || uitest.Search(p.sheet.Popup.Content, "Cancel") == nil {
		t.Errorf("where there is no more room, it offers %q", uitest.AllText(p.sheet.Popup.Content))
	}
}

// A message that is longer than it was guessed to be is counted by the model before it is sent:
// it stays in the field. One that is short enough is sent as soon as the model is loaded.
func TestCountedBeforeItIsSent(t *testing.T) {
	b, p := chatting(t)
	model := &b.conversations.Model
	model.Context, model.Denser = 512, 2
	text := strings.TrimSpace(strings.Repeat("word ", 220)) // 275 tokens by a guess
	write := func(text string) {
		p.composer.entry.SetText(text)
		b.Loop.Until(t, "the guess", func() bool {
			return p.composer.meter.last.Draft == (len(text)+3)/4 && !p.composer.meter.last.Exact
		})
		p.composer.entry.TypedKey(uitest.Key(fyne.KeyReturn))
	}
	write(text)
	b.Loop.Until(t, "the sheet", func() bool { return p.sheet.Title != "" })
	if _, loaded := b.conversations.Loaded(); p.sheet.Title != "This message is too long" || !loaded || p.composer.entry.Text != text || p.said() != "" || p.running != nil {
		t.Errorf("the sheet is %q, the field has %d bytes, the chat says %q", p.sheet.Title, len(p.composer.entry.Text), p.said())
	}
	p.sheet.Close()
	b.conversations.Unload()
	text = text[:len("word ")*100-1]
	write(text)
	b.Loop.Until(t, "the answer", func() bool { return strings.Count(p.said(), "word") == 200 && p.running == nil })

	p.newChat()
	b.conversations.Unload()
	asked := 0
	model.Asked = func(chat.AnswerRequest) { asked++ }
	model.Opening = time.Second
	write(text)
	p.composer.entry.SetText("another text") // what is changed meanwhile is not sent
	b.Loop.Until(t, "the model", func() bool { return p.loading == nil })
	b.Idle()
	if asked != 0 || p.composer.entry.Text != "another text" {
		t.Errorf("%d messages were sent; the field has %q", asked, p.composer.entry.Text)
	}
}

// How long texts are is told in the words that a person sees, whatever tokens a model makes of them; what the
// model can read then is told in words like these.
func TestLengthInWords(t *testing.T) {
	said := []chat.Message{{Role: chat.RoleUser, Parts: chat.Content("Who pays?", chat.File("a.txt", strings.Repeat("word ", 198)))}}
	for want, l := range map[string]length{
		"200 words (1,000 tokens), about 100 words":       textLength(1000, said),
		"203 words (1,000 tokens), about 100 words":       textLength(1000, said, "Be kind, please."),
		"2 words (30 tokens), about 380 words":            textLength(30, said[:0], "Who pays?"), // too few to go by
		"about 750 words (1,000 tokens), about 380 words": textLength(1000, said, strings.Repeat("長", 100)),
		"about 75 words (100 tokens), about 380 words":    textLength(100, said), // not all of it is sent
	} {
		if got := l.both() + ", " + l.room(500); got != want {
			t.Errorf("it is %q, not %q", got, want)
		}
	}
	test.NewTempApp(t)
	m := newContextMeter(&kit.Keyboard{}, func() {})
	m.Resize(fyne.NewSize(600, 30))
	m.length = textLength(1000, said)
	if m.show(chat.Meter{Prompt: 1000}, nil); m.text.Line.Text != "200 words" {
		t.Errorf("the meter says %q", m.text.Line.Text)
	}
}
