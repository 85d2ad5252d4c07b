package ui

import (
	"fmt"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/app"

	"github.com/dustin/go-humanize"
)

// attachmentShown is how many bytes of an attachment are drawn at most.
const attachmentShown = 20_000

// askOverflow says what would be left out of a conversation that does not fit,
// and asks whether it may be.
func (p *chat) askOverflow(r app.AnswerRequest, over *app.OverflowError) {
	text := fmt.Sprintf("The conversation has %s and the model sees %s at once. Nothing was left out yet. To answer, it would do without %s:",
		count(over.Needed, "token"), humanize.Comma(int64(over.Context)), count(len(over.Dropped), "message"))
	list := column(gapSmall)
	for i, id := range over.Dropped {
		if i == 6 && len(over.Dropped) > 7 {
			list.Add(newCaption(fmt.Sprintf("… and %d more", len(over.Dropped)-i)))
			break
		}
		if m := p.tree.message(id); m != nil {
			who := "You: "
			if m.Role == app.RoleAssistant {
				who = "Answer: "
			}
			list.Add(newLine(who+brief(m.Text), textBody, colorMuted))
		}
	}
	body := column(12, newParagraph(text, theme.ColorNameForeground).flat, list,
		newParagraph("They stay in the conversation; only the model does not see them. You are asked once for each chat; the meter and the answers go on telling what was left out.", colorMuted).small().flat)
	p.sheet.open("This does not fit the context", body, true,
		sheetButton{name: "Cancel"},
		sheetButton{name: "A larger context…", run: func() {
			p.panes.drawer = false
			p.toggleDrawer()
			p.focus(p.drawer.context)
		}},
		sheetButton{name: "Leave them out", main: true, run: func() {
			p.mayDrop[r.Conversation] = true
			p.answer(app.AnswerRequest{Conversation: r.Conversation, After: over.Asked, Continue: r.Continue}, "", "")
		}})
}

// explainContext tells what takes how much of the context.
func (p *chat) explainContext() {
	m := p.composer.meter.last
	facts := column(gapSmall)
	add := func(name, value string) { facts.Add(factRow(name, value)) }
	about := ""
	if !m.Exact {
		about = "about "
	}
	if m.Context > 0 {
		add("The model sees", count(m.Context, "token")+" at once")
	}
	add("Would be sent", about+count(m.Prompt, "token"))
	add("of it this message", about+count(m.Draft, "token"))
	if m.Context > 0 {
		add("Left for the answer", about+count(max(0, m.Room), "token"))
	}
	if n := len(m.Dropped); n > 0 {
		add("Would be left out", count(n, "message")+", the oldest first. You are asked before that happens.")
	}
	if !m.Exact {
		facts.Add(newParagraph("No model is loaded, so this is an estimate from the length of the text.", colorMuted).small().flat)
	}
	p.sheet.open("Context", facts, false, sheetButton{name: "Close"})
}

// factRow is a name with a value beside it.
func factRow(name, value string) fyne.CanvasObject {
	return container.NewBorder(nil, nil, container.New(&fixedWidth{140}, newLine(name, textBody, colorMuted)), nil, selectable(value))
}

// showReply tells all that is known of how an answer was made.
func (p *chat) showReply(m app.ChatMessage) {
	r := m.Reply
	if r == nil {
		return
	}
	facts := column(gapSmall)
	var text strings.Builder
	add := func(name, value string) {
		if value != "" {
			facts.Add(factRow(name, value))
			fmt.Fprintf(&text, "%s: %s\n", name, value)
		}
	}
	add("Model", r.ModelName)
	add("Device", deviceName(r.Device))
	for i, f := range r.Fallbacks {
		if i == 8 {
			add("", fmt.Sprintf("and %d more", len(r.Fallbacks)-i))
			break
		}
		add("Fallback", f.Op+": "+sentence(f.Reason))
	}
	for _, n := range r.Notices {
		add("Notice", n)
	}
	prompt := count(r.PromptTokens, "token")
	if r.Reused > 0 {
		prompt += fmt.Sprintf(", %s of them reused from before", humanize.Comma(int64(r.Reused)))
	}
	add("Prompt", prompt)
	if r.Dropped > 0 {
		add("Left out", count(r.Dropped, "message")+" that did not fit the context")
	}
	add("Answer", count(r.Tokens, "token"))
	if r.FirstToken > 0 {
		add("First token after", duration(r.FirstToken))
	}
	if r.Rate > 0 {
		add("Speed", rate(r.Rate)+" tokens a second")
	}
	if r.Took > 0 {
		add("Took", duration(r.Took))
	}
	add("Ended", sentence(reasonInWords(m)))
	add("Seed", strconv.FormatUint(r.Seed, 10))
	add("Time", m.Time.Local().Format("2 January 2006, 15:04:05"))
	p.sheet.open("How this answer was made", facts, true,
		sheetButton{name: "Devices", run: func() { p.enterRoom(roomDevices) }},
		sheetButton{name: "Copy", run: func() { p.copy(text.String()) }},
		sheetButton{name: "Close", main: true})
}

// showAttachment shows the text of an attached file.
func (p *chat) showAttachment(a app.Attachment) {
	text := a.Text
	note := humanize.Bytes(uint64(len(text)))
	if a.Tokens > 0 {
		note = count(a.Tokens, "token") + " · " + note
	}
	if len(text) > attachmentShown {
		text = strings.ToValidUTF8(text[:attachmentShown], "") + "…"
		note += "; its beginning"
	}
	body := column(gapSmall, newCaption(note))
	for _, piece := range pieces(text, pieceBytes) {
		body.Add(selectable(piece))
	}
	p.sheet.open(brief(a.Name), body, true, sheetButton{name: "Copy", run: func() { p.copy(a.Text) }}, sheetButton{name: "Close", main: true})
}

// showLink shows the whole address of a link; open is nil where it cannot be
// opened from here.
func (p *chat) showLink(address string, open func()) {
	body := column(gap, newParagraph("This link leads to:", colorMuted).flat, selectable(address))
	buttons := []sheetButton{{name: "Cancel"}, {name: "Copy", run: func() { p.copy(address) }}}
	if open != nil {
		buttons = append(buttons, sheetButton{name: "Open", run: open})
	} else {
		body.Add(newParagraph("Only http and https links can be opened from here.", colorMuted).small().flat)
	}
	p.sheet.open("Open a link?", body, true, buttons...)
}
