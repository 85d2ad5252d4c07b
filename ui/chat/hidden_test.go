package chat

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode"

	"fyne.io/fyne/v2/widget"

	"inglenook/app/base"
	"inglenook/documents/support/supporttest"
	"inglenook/ui/uitest"
)

// Orders that hide in documents are shown as text: before the question is sent and in the
// message, they make no link, lead nowhere, and change no setting.
func TestHiddenOrdersAreText(t *testing.T) {
	b, p := chatting(t)
	asked := b.requests()
	hidden := supporttest.Hidden()
	const atOnce = 3 // passages that go with a question
	for first := 0; first < len(hidden); first += atOnce {
		name := fmt.Sprint("Papers ", first)
		papers := map[string]string{}
		some := hidden[first:min(first+atOnce, len(hidden))]
		for i, d := range some {
			papers[fmt.Sprintf("/papers/%d/hours-%d.txt", first, i)] = strings.ReplaceAll(d.Text, "\n\n", "\n") // one passage
		}
		b.documents.Put(name, papers)
		p.Enter()
		b.Idle()
		p.composer.asks.choose(name)
		b.Loop.Until(t, "the collection", func() bool { return p.choices.Collection == name })
		before := settingsOf(t, b)
		b.write(t, "Tuesdays")
		tapText(t, p.composer.asks.shelf.View, "▸")
		shown := p.shelf()
		b.enter()
		b.await(t)
		own := p.bubbles[p.tree.path[len(p.tree.path)-2]]
		tapText(t, own.body, "▸")
		for where, shown := range map[string]string{"before it is sent": shown, "in the message": uitest.AllText(own.body)} {
			for i := range some {
				if !strings.Contains(shown, fmt.Sprintf("hours-%d.txt", i)) {
					t.Errorf("%s, %s: it is not shown in %.300q", some[i].Name, where, shown)
				}
			}
			unseen := func(r rune) bool { return r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) }
			if at := strings.IndexFunc(shown, unseen); at >= 0 {
				t.Errorf("%s and after, %s: something cannot be seen in %.40q", some[0].Name, where, shown[at:])
			}
		}
		if link, ok := uitest.Find(own.body, func(*widget.Hyperlink) bool { return true }); ok {
			t.Errorf("%s and after: there is a link to %v", some[0].Name, link.URL)
		}
		if after := settingsOf(t, b); after != before {
			t.Errorf("%s and after: the settings were %s and are %s", some[0].Name, before, after)
		}
		if n := len(*asked); n == 0 || len(names((*asked)[n-1].Parts)) == 0 || len(b.Shown) > 0 {
			t.Errorf("%s and after: the model was asked %d times; %d passages were opened", some[0].Name, n, len(b.Shown))
		}
	}
}

// settingsOf are the settings that are kept, but for what is in view in Chat.
func settingsOf(t *testing.T, b *bench) string {
	t.Helper()
	b.Saver.Flush()
	kept := b.Double.Settings()
	kept.Chat = base.ChatSettings{}
	data, err := json.Marshal(kept)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
