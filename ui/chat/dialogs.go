package chat

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"github.com/dustin/go-humanize"

	"inglenook/app/chat"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// attachmentShown is how many bytes of an attachment are drawn at most.
const attachmentShown = 20_000

// askOverflow says what would be left out of a conversation that does not fit,
// and asks whether it may be; again asks for the answer once more.
func (p *Panel) askOverflow(over *chat.OverflowError, again func()) {
	conversation := p.conversation.ID
	all := textLength(over.Needed, p.tree.upTo(over.Asked), p.systemSent())
	text := fmt.Sprintf("The conversation has %s. The model can read %s at once", all, all.room(over.Context))
	if over.Room > 0 {
		text += ", and " + all.room(over.Room) + " of these are kept free for its answer"
	}
	var dropped []chat.Message
	for _, id := range over.Dropped {
		if m := p.tree.message(id); m != nil {
			dropped = append(dropped, *m)
		}
	}
	slices.SortStableFunc(dropped, func(a, b chat.Message) int { return cmp.Compare(min(1, len(b.Files())), min(1, len(a.Files()))) })
	list := kit.Column(kit.GapSmall)
	for i, m := range dropped {
		switch {
		case i == 6 && len(dropped) > 7:
			list.Add(kit.NewCaption(fmt.Sprintf("… and %d more", len(dropped)-i)))
		case i < 6 || len(dropped) == 7:
			list.Add(kit.NewLine(leftOutLine(m), kit.TextBody, kit.ColorMuted))
		}
	}
	text += ". So it has to leave out " + filesOf(dropped) + kit.Count(len(over.Dropped), "message")
	p.notice.Say(unanswered, "Answer", again) // for those who do not choose now
	body := kit.Column(12, kit.NewParagraph(text+":", theme.ColorNameForeground).Flat, list,
		kit.NewParagraph("They stay in the chat, but the model will not read them. You'll be asked once per chat. The meter and each answer keep showing what was left out.", kit.ColorMuted).Small().Flat)
	more := kit.SheetButton{Name: "Give it more room…", Run: func() { p.moreRoom(again) }}
	if most := p.modelChoice(p.choices.Model).Model.MaxLength; most > 0 && over.Context >= most {
		more = kit.SheetButton{Name: "Choose another model", Run: p.chooseModel}
	}
	p.sheet.Open("This chat has become too long for the model", body, true,
		kit.SheetButton{Name: "Cancel"}, more,
		kit.SheetButton{Name: "Forget and answer", Main: true, Run: func() {
			p.mayDrop[conversation] = true
			again()
		}})
}

// filesOf names the files of messages, before the messages are counted; "": they have none.
func filesOf(list []chat.Message) string {
	var names []string
	for _, m := range list {
		for _, f := range m.Files() {
			names = append(names, "“"+kit.Brief(f.Name)+"”")
		}
	}
	switch len(names) {
	case 0:
		return ""
	case 1:
		return "the file " + names[0] + ", in "
	case 2:
		return "the files " + names[0] + " and " + names[1] + ", in "
	}
	return kit.Count(len(names), "file") + " that you attached, in "
}

// leftOutLine names a message that is left out, with the files in it.
func leftOutLine(m chat.Message) string {
	who := "You: "
	if m.Role == chat.RoleAssistant {
		who = "Answer: "
	}
	said := kit.Brief(chat.Preview(m.Text()))
	switch files := m.Files(); {
	case len(files) == 1:
		said = joined(" · ", said, kit.Brief(files[0].Name))
	case len(files) > 1:
		said = joined(" · ", said, kit.Count(len(files), "file"))
	}
	return who + said
}

// largerContext leads to the field that says how much the model reads at once.
func (p *Panel) largerContext() {
	p.panes.options = false
	p.toggleOptions()
	p.options.showAdvanced(true)
	p.options.reveal(p.options.context)
	p.Focus(p.options.context)
}

// explainContext tells what takes how much of the context.
func (p *Panel) explainContext() {
	m, d := p.composer.meter.last, p.composer.draft()
	sent, draft := p.lengthToSend(d, m), p.meter(d).Draft
	facts := kit.Column(kit.GapSmall)
	add := func(name, value string) { facts.Add(factRow(name, value)) }
	if m.Context > 0 {
		full, _, _ := strings.Cut(meterText(m), " · ")
		add("This chat", full)
		add("The model reads", sent.roomInBoth(m.Context)+" at once")
	}
	add("Would be sent", sent.both())
	add("of it this message", textLength(m.Draft, []chat.Message{{Role: chat.RoleUser, Parts: draft}}).both())
	if n := passageTokens(m); n > 0 {
		add("of that, passages", textLength(n, []chat.Message{{Role: chat.RoleUser, Parts: chat.Passages(draft)}}).both()+" from your documents")
	}
	if m.Context > 0 {
		add("Room for the answer", sent.roomInBoth(max(0, m.Room)))
	}
	if m.LeftOut > 0 {
		add("Not sent again", "the passages of "+kit.Count(m.LeftOut, "earlier question"))
	}
	if n := len(m.Dropped); n > 0 {
		add("Would be left out", kit.Count(n, "message")+", oldest first. You will be asked first.")
	}
	if p.kindOfBlank() == guides {
		facts.Add(kit.NewParagraph(guideReads, kit.ColorMuted).Small().Flat)
	}
	if !m.Exact {
		facts.Add(kit.NewParagraph("The model is not loaded yet, so these are estimates from the length of the text.", kit.ColorMuted).Small().Flat)
	}
	p.sheet.Open("How full this chat is", facts, false, kit.SheetButton{Name: "Close"})
}

// guideReads says why the fill does not grow with the chat, and may fall.
const guideReads = "The guide reads the new question and what it wrote by itself before. Files, quotations and other answers of this chat are not sent to it, so a longer chat need not be fuller."

// factRow is a name with a value beside it.
func factRow(name, value string) fyne.CanvasObject {
	return container.NewBorder(nil, nil, container.New(&kit.FixedWidth{Width: 140}, kit.NewLine(name, kit.TextBody, kit.ColorMuted)), nil, selectable(value))
}

// showReply tells all that is known of how an answer was made.
func (p *Panel) showReply(m chat.Message) {
	r := m.Reply
	if r == nil {
		return
	}
	facts := kit.Column(kit.GapSmall)
	var text strings.Builder
	add := func(name, value string) {
		if value != "" {
			facts.Add(factRow(name, value))
			fmt.Fprintf(&text, "%s: %s\n", name, value)
		}
	}
	add("Model", writerOf(r))
	if r.Reason == chat.FinishEdited {
		add("Then", "You changed the words of this answer.")
		p.sheet.Open("How this answer was made", facts, false, kit.SheetButton{Name: "Close", Main: true})
		return
	}
	add("Device", panel.DeviceName(r.Device))
	for i, f := range r.Fallbacks {
		if i == 8 {
			add("", fmt.Sprintf("and %d more", len(r.Fallbacks)-i))
			break
		}
		add("Fallback", f.Op+": "+kit.Sentence(f.Reason))
	}
	for _, n := range r.Notices {
		add("Notice", n)
	}
	prompt := kit.Count(r.PromptTokens, "token")
	if r.Reused > 0 {
		prompt += fmt.Sprintf(", %s of them reused from before", humanize.Comma(int64(r.Reused)))
	}
	add("Prompt", prompt)
	if r.Dropped > 0 {
		add("Left out", kit.Count(r.Dropped, "message")+" that did not fit")
	}
	add("Answer", kit.Count(r.Tokens, "token"))
	if r.FirstToken > 0 {
		add("First token after", kit.Duration(r.FirstToken))
	}
	if rate := chat.Speed(r); rate > 0 {
		speed := kit.Rate(rate) + " tokens a second"
		if note := chat.DraftNote(r.DraftGain); note != "" {
			speed += ", " + note + " by guessing what was said before"
		}
		add("Speed", speed)
	}
	if r.Took > 0 {
		add("Took", kit.Duration(r.Took))
	}
	add("Ended", kit.Sentence(reasonInWords(m)))
	add("Seed", strconv.FormatUint(r.Seed, 10))
	add("Time", m.Time.Local().Format("2 January 2006, 15:04:05"))
	p.sheet.Open("How this answer was made", facts, true,
		kit.SheetButton{Name: "Devices", Run: func() { p.GoTo(panel.Devices) }},
		kit.SheetButton{Name: "Copy", Run: func() { p.Copy(text.String(), "answer.txt") }},
		kit.SheetButton{Name: "Close", Main: true})
}

// showFile shows the text of an attached file.
func (p *Panel) showFile(a chat.Part) {
	text := a.Text
	note := humanize.Bytes(uint64(len(text)))
	if words := lengthInWords(a); words != "" {
		note = words + " · " + note
	}
	if len(text) > attachmentShown {
		text = strings.ToValidUTF8(text[:attachmentShown], "") + "…"
		note += "; its beginning"
	}
	body := kit.Column(kit.GapSmall, kit.NewCaption(note))
	lines := kit.Column(0)
	for _, piece := range pieces(text, pieceBytes) {
		lines.Add(selectable(piece))
	}
	body.Add(lines)
	p.sheet.Open(kit.Brief(a.Name), body, true, kit.SheetButton{Name: "Copy", Run: func() { p.Copy(a.Text, a.Name) }}, kit.SheetButton{Name: "Close", Main: true})
}

// showLink shows the whole address of a link; open is nil where it cannot be
// opened from here.
func (p *Panel) showLink(address string, open func()) {
	body := kit.Column(kit.Gap, kit.NewParagraph("This link leads to:", kit.ColorMuted).Flat, selectable(address))
	buttons := []kit.SheetButton{{Name: "Cancel"}, {Name: "Copy", Run: func() { p.Copy(address, "address.txt") }}}
	if open != nil {
		buttons = append(buttons, kit.SheetButton{Name: "Open", Run: open})
	} else {
		body.Add(kit.NewParagraph("Only http and https links can be opened from here.", kit.ColorMuted).Small().Flat)
	}
	p.sheet.Open("Open a link?", body, true, buttons...)
}

// askLink shows where a link leads before anything opens it.
func (p *Panel) askLink(address string) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		p.showLink(address, nil)
		return
	}
	p.showLink(address, func() { p.Browse(u) })
}

// askBefore asks before something that cannot be undone.
func (p *Panel) askBefore(title, text, yes string, do func()) {
	p.sheet.Open(title, kit.NewParagraph(text, theme.ColorNameForeground).Flat, false,
		kit.SheetButton{Name: "Cancel", Main: true}, kit.SheetButton{Name: yes, Run: do})
}
