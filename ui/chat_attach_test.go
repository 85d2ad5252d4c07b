package ui

import (
	"strings"
	"testing"

	"inglenook/app"
)

func TestAttach(t *testing.T) {
	b, p := chatting(t)
	path := tempFile(t, "recipe.txt", "unused")
	b.double.files[path] = app.Texts{Lines: []string{"Flour, water.", "Salt."}}
	p.drop([]string{path})
	b.loop.until(t, "the file and its tokens", func() bool { return len(p.composer.files) == 1 && p.composer.files[0].Tokens > 0 })
	if a := p.composer.files[0]; a.Text != "Flour, water.\nSalt." || a.Tokens != 5 || !strings.Contains(allText(p.composer.view), "recipe.txt\n5 tokens") {
		t.Errorf("attached %+v, shown %q", a, allText(p.composer.view))
	}
	p.drop([]string{tempFile(t, "noise.bin", "x")})
	b.loop.until(t, "a refusal", func() bool { return p.notice.message() != "" })
	if got := p.notice.message(); got != "noise.bin is not a text file: it holds binary data." {
		t.Errorf("a binary file: %q", got)
	}
	if !p.composer.pasted(strings.Repeat("words ", pasteLimit)) || p.composer.pasted("short") {
		t.Error("a long paste does not become an attachment, or a short one does")
	}
	p.send()
	b.await(t)
	m := p.tree.last(app.RoleUser)
	if len(m.Attachments) != 2 || m.Attachments[0].Name != "recipe.txt" || p.composer.holds() {
		t.Errorf("sent %+v", m.Attachments)
	}
	p.showAttachment(m.Attachments[0])
	if p.sheet.title != "recipe.txt" {
		t.Errorf("a click on it opens %q", p.sheet.title)
	}
	b.panel.escape()
	p.askLink("javascript:alert(1)")
	if found := p.sheet.title; found != "Open a link?" || search(p.sheet.popup.Content, "Open") != nil {
		t.Error("an address that is none of the web can be opened")
	}
	p.askLink("https://example.org/a?b=c")
	if search(p.sheet.popup.Content, "Open") == nil || !strings.Contains(allText(p.sheet.popup.Content), "https://example.org/a?b=c") {
		t.Error("a link of the web is not offered with its whole address")
	}
	if !b.chat.sheet.close() {
		t.Error("no sheet was open")
	}
}
