package chatlist

import (
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"inglenook/app/chat"
	"inglenook/ui/kit"
	"inglenook/ui/uitest"
)

// A time in the list is as short as it can be understood, and stands under the heading of its day.
func TestWhen(t *testing.T) {
	now := time.Date(2026, 3, 4, 9, 30, 0, 0, time.Local) // a Wednesday
	for _, c := range []struct {
		at            time.Time
		text, heading string
	}{
		{now.Add(-time.Minute), "09:29", "Today"},
		{now.Add(time.Hour), "10:30", "Today"}, // a clock that was set back
		{time.Date(2026, 3, 4, 0, 0, 0, 0, time.Local), "00:00", "Today"},
		{time.Date(2026, 3, 3, 23, 59, 0, 0, time.Local), "Tue 23:59", "Yesterday"},
		{time.Date(2026, 2, 27, 12, 0, 0, 0, time.Local), "Friday", "Previous 7 days"},
		{time.Date(2026, 2, 25, 12, 0, 0, 0, time.Local), "25 Feb", "Previous 7 days"},
		{time.Date(2026, 1, 2, 12, 0, 0, 0, time.Local), "2 Jan", "Older"},
		{time.Date(2024, 12, 31, 12, 0, 0, 0, time.Local), "31 Dec 2024", "Older"},
	} {
		if got := when(c.at, now); got != c.text {
			t.Errorf("%v is written %q, want %q", c.at, got, c.text)
		}
		if got := heading(chat.Summary{Updated: c.at}, now); got != c.heading {
			t.Errorf("%v stands under %q, want %q", c.at, got, c.heading)
		}
	}
	if got := heading(chat.Summary{Pinned: true}, now); got != "Pinned" {
		t.Error(got)
	}
	for days, want := range map[int]string{0: "for 30 more days", 1: "for 29 more days", 29: "for 1 more day", 99: "for 1 more day"} {
		if got := daysLeft(now.AddDate(0, 0, -days), now); got != want {
			t.Errorf("deleted %d days ago: %s", days, got)
		}
	}
}

// A chat without messages has a name in the list.
func TestTitleOf(t *testing.T) {
	for title, want := range map[string]string{"": "Empty chat", "A question": "A question"} {
		if got := titleOf(chat.Summary{Title: title}); got != want {
			t.Errorf("%q is listed as %q", title, got)
		}
	}
}

// In a chat that a search found all that was searched for stands out where it is there in one piece, or else the
// word of it that is.
func TestSoughtIn(t *testing.T) {
	s := chat.Summary{Found: 3, Snippet: "…the Oven’s door is hot", Match: [2]int{len("…the "), len("…the Oven")}}
	for query, want := range map[string]string{" oven's door ": "oven's door", "hot oven": "Oven"} {
		if got := soughtIn(s, query); got != want {
			t.Errorf("of %q it is %q, want %q", query, got, want)
		}
	}
}

// Chats of the same title are told apart by when they were written in, and by what was said last; a chat with a
// title of its own names its model.
func TestTheSameTitle(t *testing.T) {
	at := time.Date(2026, 2, 25, 12, 7, 0, 0, time.Local)
	now := at.AddDate(0, 0, 20)
	uitest.SharedApp(t)
	l := &List{writing: "none", host: Host{Model: func(string) string { return "a model" }}, When: func(at, _ time.Time) string { return when(at, now) }, Exactly: func(at, _ time.Time) string { return exactly(at, now) }}
	l.Items = []Item{{Summary: chat.Summary{Title: "Hello", Updated: at, Snippet: "Good day."}}, {Summary: chat.Summary{Title: "Else", Updated: at}}}
	l.titles = map[string]int{"Hello": 2, "Else": 1}
	row := newRow()
	for i, want := range []string{"25 Feb 12:07 · Good day.", "25 Feb · a model"} {
		l.fillRow(i, row)
		about := row.(*fyne.Container).Objects[0].(*fyne.Container).Objects[1].(*kit.Line)
		if about.Text != want {
			t.Errorf("%s says %q, want %q", l.Items[i].Summary.Title, about.Text, want)
		}
	}
}
