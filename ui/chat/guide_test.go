package chat

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/app/chat"
	"inglenook/app/downloads"
	"inglenook/app/fit"
	"inglenook/app/library"
	"inglenook/chats"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
	"inglenook/ui/uitest"
)

// tiny is the language model that comes with the program.
func tiny() chat.ModelChoice {
	return chat.ModelChoice{
		Model: library.Model{ID: library.StarterChat, Name: library.StarterChat, Source: library.SourceBundled, Kind: library.KindChat, Usable: true, Parameters: 17_300_000},
		Fits:  fit.FitsWell, NeedsBytes: 40 << 20, FreeBytes: 8 << 30,
	}
}

// guide removes all models from the window except the bundled one.
func (b *bench) guide(t *testing.T) {
	t.Helper()
	b.conversations.SetModels([]chat.ModelChoice{tiny()})
	b.chat.ModelsChanged()
	b.Loop.Until(t, "the bundled model alone", func() bool { return b.chat.blank.filled == guides })
	b.Idle()
	b.chat.ShowError(nil) // the notice of the model that is gone
}

// guided returns a window on a computer whose only language model is the bundled one.
func guided(t *testing.T) (*bench, *Panel) {
	t.Helper()
	b, p := chatting(t)
	b.guide(t)
	return b, p
}

// The first page greets, says what the model is, and leads to four panels.
func TestTheGuideGreets(t *testing.T) {
	_, p := guided(t)
	if m, ok := p.picker.Model(); !ok || m.ID != library.StarterChat {
		t.Fatalf("the model is %v", m)
	}
	shown := uitest.AllText(p.blank.view)
	for _, wanted := range []string{"I am the Inglenook guide", "What can I do with this app?", "Search three sample documents", "Compare sentences by their meaning", "See how fast this computer is", "Get a larger model", alsoDoes, "Recommended: Small 1B, 600 MB, writes about 15 words a second here."} {
		if !strings.Contains(shown, wanted) {
			t.Errorf("the first page lacks %q: %q", wanted, shown)
		}
	}
	if p.blank.card.View.Visible() {
		t.Error("the card of larger models is there unasked")
	}
	if label := p.describeModel(tiny().Model); !strings.Contains(label, library.TinyInWords) {
		t.Errorf("the model is described as %q", label)
	}
}

// What else the program does is said where the window has room for it, and gives way where it has not.
func TestTheGuideSaysWhatElse(t *testing.T) {
	b, p := guided(t)
	for _, c := range []struct {
		width, height float32
		said          bool
	}{{1240, 800, true}, {640, 400, false}, {900, 700, true}} {
		b.Window.Resize(fyne.NewSize(c.width, c.height))
		also := p.blank.also
		at, low := fyne.CurrentApp().Driver().AbsolutePositionForObject(also), p.blank.view
		if got := also.Size().Width > 0; got != c.said {
			t.Errorf("at %v x %v it is said: %v", c.width, c.height, got)
		}
		if end := fyne.CurrentApp().Driver().AbsolutePositionForObject(low).Y + low.Size().Height; c.said && at.Y+also.Size().Height > end {
			t.Errorf("at %v x %v it ends at %v of %v", c.width, c.height, at.Y+also.Size().Height, end)
		}
	}
}

// The card of models scrolls in a low window: what is below its edge can be reached.
func TestTheCardScrollsInALowWindow(t *testing.T) {
	b, p := guided(t)
	test.Tap(uitest.FindButton(t, p.blank.get, "Get a larger model"))
	b.Idle()
	for _, height := range []float32{360, 800} {
		b.Window.Resize(fyne.NewSize(640, height))
		page, card := p.blank.page, p.blank.card.View
		if !page.Visible() || page.Position().Y+page.Size().Height > p.blank.view.Size().Height {
			t.Errorf("at a height of %v the card stands at %v, %v, in %v", height, page.Position(), page.Size(), p.blank.view.Size())
		}
		if low := page.Size().Height < card.MinSize().Height; low != (height == 360) {
			t.Errorf("at a height of %v the card has %v of %v", height, page.Size().Height, card.MinSize().Height)
		}
	}
	test.Tap(uitest.FindButton(t, p.blank.card.View, "Back"))
	b.Idle()
	if p.blank.page.Visible() {
		t.Error("after Back the card's place is still there")
	}
}

// While a model of the card is downloaded the first page says how far that is, and leads to it.
func TestTheGuideTellsOfTheDownload(t *testing.T) {
	b, p := guided(t)
	test.Tap(uitest.FindButton(t, p.blank.get, "Get a larger model"))
	b.Idle()
	test.Tap(uitest.FindButton(t, p.blank.card.View, "Download 600 MB"))
	b.Idle()
	test.Tap(uitest.FindButton(t, p.blank.card.View, "Back"))
	b.Double.SetDownload("org/small-GGUF", func(d *downloads.Download) {
		d.State, d.Done, d.Total = "downloading", 150e6, 600e6
	})
	p.FollowDownloads(b.Double.Downloads())
	if shown := uitest.AllText(p.blank.get); !strings.Contains(shown, "Downloading 25 %") || strings.Contains(shown, "Recommended") {
		t.Errorf("while it comes the first page says %q", shown)
	}
	test.Tap(uitest.FindButton(t, p.blank.get, "Show the download"))
	if !strings.Contains(uitest.AllText(p.blank.card.View), "150 MB of 600 MB") {
		t.Errorf("the button leads to %q", uitest.AllText(p.blank.card.View))
	}
	p.blank.want(false)
	p.FollowDownloads(nil)
	if shown := uitest.AllText(p.blank.get); !strings.Contains(shown, "Get a larger model") || !strings.Contains(shown, "Recommended") {
		t.Errorf("after the end it says %q", shown)
	}
}

// Who leaves the card is back at the first page, with the cursor where a message is written.
func TestBackFromTheCard(t *testing.T) {
	b, p := guided(t)
	get := uitest.FindButton(t, p.blank.get, "Get a larger model")
	b.Window.Canvas().Focus(get)
	test.Tap(get)
	b.Idle()
	back := uitest.FindButton(t, p.blank.card.View, "Back")
	b.Window.Canvas().Focus(back)
	test.Tap(back)
	if p.blank.card.View.Visible() || b.Window.Canvas().Focused() != p.composer.entry {
		t.Errorf("the card is there: %v, and %T has the keyboard", p.blank.card.View.Visible(), b.Window.Canvas().Focused())
	}
}

// A new chat begins with the greeting, also where the card was opened before.
func TestANewChatGreetsAgain(t *testing.T) {
	b, p := guided(t)
	test.Tap(uitest.FindButton(t, p.blank.get, "Get a larger model"))
	b.Idle()
	if !p.blank.card.View.Visible() {
		t.Fatal("there is no card")
	}
	p.newChat()
	if p.blank.card.View.Visible() || !p.blank.hint.View.Visible() || !p.blank.get.Visible() {
		t.Error("a new chat begins with the card")
	}
}

// The button of the guide opens the card of larger models. The one that arrives answers from
// then on, unless the person has begun something else meanwhile.
func TestALargerModelArrives(t *testing.T) {
	for name, c := range map[string]struct {
		meanwhile func(b *bench)
		answers   string
	}{
		"nothing else": {func(*bench) {}, "org/small-GGUF"},
		"a chat":       {func(b *bench) { b.say(t, "one two") }, library.StarterChat},
		"another model": {func(b *bench) {
			b.chat.kept(b.chat.setModel("org/talker"))
		}, "org/talker"},
	} {
		b, p := guided(t)
		test.Tap(uitest.FindButton(t, p.blank.get, "Get a larger model"))
		b.Idle()
		if !p.blank.card.View.Visible() || p.blank.examples.Visible() || p.blank.hint.View.Visible() {
			t.Fatal("the card is not alone")
		}
		test.Tap(uitest.FindButton(t, p.blank.card.View, "Download 600 MB"))
		b.Idle()
		arrived := library.Model{ID: "org/small-GGUF", Name: "small", Kind: library.KindChat, Usable: true}
		other := library.Model{ID: "org/talker", Name: "talker", Kind: library.KindChat, Usable: true}
		b.conversations.SetModels([]chat.ModelChoice{{Model: arrived, Fits: fit.FitsWell}, tiny(), {Model: other, Fits: fit.FitsWell}})
		c.meanwhile(b)
		b.Double.SetDownload("org/small-GGUF", func(d *downloads.Download) { d.State = downloads.DownloadDone })
		p.FollowDownloads(b.Double.Downloads())
		b.Idle()
		if p.choices.Model != c.answers || !p.Took("org/small-GGUF") {
			t.Errorf("%s: %s answers", name, p.choices.Model)
		}
		if p.blank.card.View.Visible() {
			t.Errorf("%s: the card is still there", name)
		}
		if name == "a chat" { // with the guide, where the one that came is offered
			if p.notice.Message() != "small is ready." {
				t.Fatalf("it says %q", p.notice.Message())
			}
			test.Tap(p.notice.Act)
			if p.choices.Model != arrived.ID || len(p.tree.path) == 0 {
				t.Errorf("after Use it here %s answers", p.choices.Model)
			}
		}
	}
}

func TestWhatTheGuideOffers(t *testing.T) {
	for i, leads := range []func(b *bench) bool{
		func(b *bench) bool {
			b.await(t)
			return strings.HasPrefix(b.chat.said(), "What can I do with this app?|")
		},
		func(b *bench) bool { return b.Sampled },
		func(b *bench) bool { return b.Entered == panel.Similarity },
		func(b *bench) bool { return b.Entered == panel.Performance },
	} {
		b, p := guided(t)
		test.Tap(p.blank.examples.Objects[i].(*fyne.Container).Objects[0].(*kit.Chip))
		if !leads(b) {
			t.Errorf("offer %d leads nowhere; it leads to %q, the chat is %q", i+1, b.Entered, p.said())
		}
	}
}

// A downloaded model is chosen before the tiny one, wherever it stands in the list.
func TestTheTinyModelComesLast(t *testing.T) {
	_, p := chatting(t)
	others := p.models
	for _, list := range [][]chat.ModelChoice{append([]chat.ModelChoice{tiny()}, others...), append(others[:len(others):len(others)], tiny())} {
		p.session.models = list
		if id := p.likelyModel(); id != "org/talker" {
			t.Errorf("%s is chosen", id)
		}
	}
}

// A reply of the tiny model that names larger ones leads to them.
func TestTheGuideLeadsToModels(t *testing.T) {
	for text, leads := range map[string]bool{"I am too small. Open Models, choose Discover.": true, "Press Send.": false} {
		b, p := guided(t)
		b.conversations.Put(chat.Conversation{Summary: chat.Summary{ID: "x", Title: "A question"}, Leaf: 2, Messages: []chat.Message{
			{ID: 1, Role: chat.RoleUser, Parts: chat.Content("Why?")},
			{ID: 2, Parent: 1, Role: chat.RoleAssistant, Parts: chat.Content(text), Reply: &chats.Reply{Model: library.StarterChat}},
		}})
		p.openChat("x", 0)
		b.Idle()
		actions := p.actionsOf(*p.tree.message(2))
		if first := actions[0].name == "Find a model"; first != leads {
			t.Errorf("%q: the first action is %q", text, actions[0].name)
			continue
		}
		advice := "Recommended: Small 1B"
		if leads {
			b.Loop.Until(t, "the advice", func() bool {
				return p.bubbles[2] != nil && strings.Contains(uitest.AllText(p.bubbles[2].after), advice)
			})
			if line := p.bubbles[2].foot.view; p.bubbles[2].after.Position().Y < line.Position().Y+line.Size().Height {
				t.Error("the advice stands between the answer and its line")
			}
			test.Tap(uitest.FindButton(t, p.bubbles[2].after, "Get a larger model"))
			b.Idle()
			if p.conversation.ID != "x" || !p.blank.view.Visible() || !p.blank.card.View.Visible() || p.flow.Visible() {
				t.Error("the advice does not lead to the card in the chat's place")
			}
			test.Tap(uitest.FindButton(t, p.blank.card.View, "Back"))
			if p.conversation.ID != "x" || p.blank.view.Visible() || !p.flow.Visible() {
				t.Error("the card does not lead back to the chat")
			}
			p.getModel()
			p.newChat()
			if p.blank.card.View.Visible() || !p.flow.Visible() {
				t.Error("a new chat begins with the card of the last one")
			}
			p.openChat("x", 0)
			actions[0].run()
		} else if strings.Contains(uitest.AllText(p.bubbles[2].after), advice) {
			t.Error("a model is recommended below an answer that names none")
		}
		if b.Found != leads {
			t.Errorf("%q: it leads to models: %v", text, b.Found)
		}
	}
}

// What the guide recommends stands once in a chat, below the first answer that names models.
func TestTheGuideRecommendsOnce(t *testing.T) {
	b, p := guided(t)
	b.conversations.Put(chat.Conversation{Summary: chat.Summary{ID: "x", Title: "Questions"}, Leaf: 4, Messages: []chat.Message{
		{ID: 1, Role: chat.RoleUser, Parts: chat.Content("Why?")},
		{ID: 2, Parent: 1, Role: chat.RoleAssistant, Parts: chat.Content("I am too small. Open Models, choose Discover."), Reply: &chats.Reply{Model: library.StarterChat}},
		{ID: 3, Parent: 2, Role: chat.RoleUser, Parts: chat.Content("And who?")},
		{ID: 4, Parent: 3, Role: chat.RoleAssistant, Parts: chat.Content("That is beyond me. Open Models, choose Discover."), Reply: &chats.Reply{Model: library.StarterChat}},
	}})
	p.openChat("x", 0)
	said := func(id int64) bool {
		return p.bubbles[id] != nil && strings.Contains(uitest.AllText(p.bubbles[id].after), "Recommended: Small 1B")
	}
	b.Loop.Until(t, "the advice", func() bool { return said(2) })
	b.Idle()
	if p.bubbles[4] == nil || said(4) {
		t.Error("the second answer recommends the same model again")
	}
}

// A recommended model that was downloaded is not offered again where it does not say how it converses.
func TestADownloadedModelIsNotOfferedAgain(t *testing.T) {
	here := library.Model{ID: "org/small-GGUF", Name: "small", Kind: library.KindChat, Usable: true}
	b, p := guided(t)
	b.conversations.SetModels([]chat.ModelChoice{tiny(), {Model: here, Fits: fit.FitsWell, Plain: true}})
	p.ModelsChanged()
	b.Idle()
	if shown := uitest.AllText(p.blank.get); strings.Contains(shown, "Recommended") || !strings.Contains(shown, "Use ") {
		t.Errorf("the first page says %q", shown)
	}
}

// How full a chat with the guide is, is not told in words of messages that the guide does not read.
func TestTheGuidesFillIsInOneMeasure(t *testing.T) {
	b, p := guided(t)
	b.conversations.Put(chat.Conversation{Summary: chat.Summary{ID: "x", Title: "A question"}, Leaf: 2, Messages: []chat.Message{
		{ID: 1, Role: chat.RoleUser, Parts: chat.Content(strings.Repeat("word ", 200))},
		{ID: 2, Parent: 1, Role: chat.RoleAssistant, Parts: chat.Content("Press Send."), Reply: &chats.Reply{Model: library.StarterChat}},
	}})
	p.openChat("x", 0)
	b.Idle()
	m := chat.Meter{Context: 1024, Prompt: 30, Room: 994, Exact: true}
	p.composer.showMeter(m, nil)
	p.explainContext()
	shown := uitest.AllText(p.sheet.Popup.Content)
	for _, wanted := range []string{"about 770 words (1,024 tokens) at once", "about 23 words (30 tokens)", "about 750 words (994 tokens)", guideReads} {
		if !strings.Contains(shown, wanted) {
			t.Errorf("the sheet lacks %q: %q", wanted, shown)
		}
	}
}

// A recommended model that is here already is not offered as a download: the guide leads to it.
func TestTheRecommendedModelIsHere(t *testing.T) {
	here := library.Model{ID: "org/small-GGUF", Name: "small", Kind: library.KindChat, Usable: true}
	b, p := guided(t)
	b.conversations.Put(chat.Conversation{Summary: chat.Summary{ID: "x", Title: "A question"}, Leaf: 2, Messages: []chat.Message{
		{ID: 1, Role: chat.RoleUser, Parts: chat.Content("Why?")},
		{ID: 2, Parent: 1, Role: chat.RoleAssistant, Parts: chat.Content("I am too small. Open Models, choose Discover."), Reply: &chats.Reply{Model: library.StarterChat}},
	}})
	b.conversations.SetModels([]chat.ModelChoice{tiny(), {Model: here, Fits: fit.FitsWell}})
	p.ModelsChanged()
	b.Loop.Until(t, "the model", func() bool { return p.blank.here.ID == here.ID })
	if shown := uitest.AllText(p.blank.get); !strings.Contains(shown, "Use small") || strings.Contains(shown, "Get a larger") || strings.Contains(shown, "Recommended") {
		t.Errorf("the first page says %q", shown)
	}
	p.openChat("x", 0)
	if err := p.session.change(func(x *chat.Choices) { x.Model = library.StarterChat }); err != nil {
		t.Fatal(err)
	}
	b.Idle()
	if shown := uitest.AllText(p.bubbles[2].after); !strings.Contains(shown, "small is on this computer already.") {
		t.Errorf("below the answer stands %q", shown)
	}
	test.Tap(uitest.FindButton(t, p.bubbles[2].after, "Use small"))
	if p.choices.Model != here.ID || p.conversation.ID != "x" {
		t.Errorf("%s answers in %q", p.choices.Model, p.conversation.ID)
	}
}

// A larger model that a person has is led to, though another one is recommended.
func TestAnotherModelIsHere(t *testing.T) {
	b, p := guided(t)
	b.conversations.SetModels([]chat.ModelChoice{tiny(), {Model: library.Model{ID: "org/own", Name: "own", Kind: library.KindChat, Usable: true}, Fits: fit.FitsWell}})
	p.ModelsChanged()
	b.Loop.Until(t, "the model", func() bool { return p.blank.here.ID == "org/own" })
	if shown := uitest.AllText(p.blank.get); !strings.Contains(shown, "Use own") || strings.Contains(shown, "Recommended") {
		t.Errorf("the first page says %q", shown)
	}
}

// A chat of the guide that asks documents offers no questions that those do not answer.
func TestTheGuideAsksDocuments(t *testing.T) {
	b, p := guided(t)
	b.documents.Put("Papers", map[string]string{"/papers/boats.pdf": boats})
	if !p.blank.examples.Visible() {
		t.Fatal("the guide offers nothing to ask")
	}
	b.ask(t)
	if p.blank.examples.Visible() || !p.blank.get.Visible() {
		t.Error("beside documents it offers what they do not answer")
	}
}

// Who presses Download on the card goes on writing.
func TestTheCursorStaysWhileAModelComes(t *testing.T) {
	b, p := guided(t)
	test.Tap(uitest.FindButton(t, p.blank.get, "Get a larger model"))
	b.Idle()
	get := uitest.FindButton(t, p.blank.card.View, "Download 600 MB")
	b.Window.Canvas().Focus(get)
	test.Tap(get)
	b.Idle()
	if b.Window.Canvas().Focused() != p.composer.entry {
		t.Errorf("%T has the keyboard", b.Window.Canvas().Focused())
	}
}

// The guide is not asked what the documents do not answer: a larger model is offered, and asked once
// it answers.
func TestTheGuideIsNotAskedAnyway(t *testing.T) {
	b, p := guided(t)
	b.conversations.Put(chat.Conversation{Summary: chat.Summary{ID: "x", Title: "A question"}, Leaf: 2, Messages: []chat.Message{
		{ID: 1, Role: chat.RoleUser, Parts: chat.Content("Why?")},
		{ID: 2, Parent: 1, Role: chat.RoleAssistant, Parts: chat.Content("This is not in your documents."), Reply: &chats.Reply{Reason: chat.FinishNotFound}},
	}})
	larger := library.Model{ID: "org/small-GGUF", Name: "small", Kind: library.KindChat, Usable: true}
	p.openChat("x", 0)
	p.kept(p.setModel(library.StarterChat))
	p.refresh()
	b.Idle()
	text := func() string { return uitest.AllText(p.bubbles[2].body) }
	if shown := text(); strings.Contains(shown, "anyway") || !strings.Contains(shown, "tiny guide would only guess") || !strings.Contains(shown, "Get a larger model") {
		t.Errorf("to the guide this is offered: %q", shown)
	}
	b.conversations.SetModels([]chat.ModelChoice{tiny(), {Model: larger, Fits: fit.FitsWell}})
	p.ModelsChanged()
	b.Loop.Until(t, "the larger one", func() bool { return p.bubbles[2] != nil && strings.Contains(text(), "Use small") })
	test.Tap(uitest.FindButton(t, p.bubbles[2].body, "Use small"))
	b.Loop.Until(t, "the question", func() bool { return p.bubbles[2] != nil && strings.Contains(text(), "Ask the model anyway") })
}

// What a toast says was deleted is about the view that it stands over.
func TestTheOfferToUndoGoesWithTheView(t *testing.T) {
	for name, turn := range map[string]func(b *bench){
		"the trash": func(b *bench) { b.chat.list.EnterTrash() }, "another chat": func(b *bench) { b.chat.newChat() }, "another room": func(b *bench) { b.chat.Leave() },
	} {
		b, p := chatting(t)
		b.say(t, "one two")
		p.deleted("Deleted the message.", func() error { return nil })
		if !p.toast.View.Visible() {
			t.Fatal("no undo is offered")
		}
		if turn(b); p.toast.View.Visible() || len(p.undos) != 1 {
			t.Errorf("%s: the offer is there: %v; %d deletions can be taken back", name, p.toast.View.Visible(), len(p.undos))
		}
	}
}
