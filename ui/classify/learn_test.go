package classify

import (
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/app/base"
	"inglenook/ui/uitest"
)

// taught is a bench whose texts beginning with the same word belong together.
func taught(t *testing.T) *bench {
	d := uitest.NewApp()
	d.Kept.Classify.Labels = "animals, money"
	d.Classified.Vectors = true
	b := entered(t, d, "mouse one", "mouse two", "mouse three", "money in the bank", "no money")
	b.classified(t)
	return b
}

// After two labels by hand it is offered that the labels learn from them: the others follow, it is said what changed,
// and one Undo takes that back. What was learned is used again later, and kept.
func TestLearning(t *testing.T) {
	b := taught(t)
	b.Window.Resize(fyne.NewSize(980, 700))
	r := b.page.results
	before := b.page.found
	other := "animals"
	if before.labelOf(0) == other {
		other = "money"
	}
	r.show(0)
	r.give(other)
	if b.page.teach.Message() != "" {
		t.Error("it is offered after a single label")
	}
	r.show(4)
	r.give(map[bool]string{true: "animals", false: "money"}[before.labelOf(4) == "money"])
	if got := b.page.teach.Message(); !strings.HasPrefix(got, "You gave 2 labels by hand.") {
		t.Fatalf("it offers %q", got)
	}
	test.Tap(b.page.teach.Act)
	b.Idle()
	asked := b.Double.Classifications()
	if last := asked[len(asked)-1]; last.Examples[0] != other || len(last.Examples) != 2 || last.Vectors[0] == nil {
		t.Fatalf("asked with %v", last.Examples)
	}
	if b.page.found.labelOf(1) != other || b.page.found.labelOf(2) != other || b.page.found.own[0] != other {
		t.Errorf("the others have the labels %q, %q", b.page.found.labelOf(1), b.page.found.labelOf(2))
	}
	if got := b.page.notice.Message(); !strings.HasPrefix(got, "Labels learned from 2 texts. 2 other texts change: 2 from ") || b.page.teach.Message() != "" {
		t.Errorf("it says %q", got)
	}
	place := b.FyneApp.Driver().AbsolutePositionForObject
	if end := place(b.page.notice.View).Y + b.page.notice.View.Size().Height; end > place(r.view).Y {
		t.Errorf("what it says ends at %v, below the top of the result, %v", end, place(r.view).Y)
	}
	if got := b.rows(); len(got) != 2 || r.filter.name != heapChanged {
		t.Errorf("shown are %q", got)
	}
	if again := b.restarted(t); again.page.found.learned != 2 {
		t.Error("after a restart it is forgotten that the labels learned")
	}
	test.Tap(b.page.notice.Act)
	if b.page.found != before || b.page.notice.Message() != "" || before.own[0] != other {
		t.Error("Undo does not bring the result before back")
	}
	b.page.Redo()
	if b.page.found.learned != 2 {
		t.Error("Redo does not do it again")
	}
	b.page.list.Add([]string{"mouse four"})
	b.classified(t)
	if got := b.page.found.labelOf(5); got != other || b.page.found.learned != 2 {
		t.Errorf("a new text has the label %q", got)
	}
}

// Neither the offer nor its end moves anything that a person clicks on.
func TestTheOfferMovesNothing(t *testing.T) {
	for _, size := range []fyne.Size{fyne.NewSize(1240, 800), fyne.NewSize(900, 600)} {
		b := taught(t)
		b.Window.Resize(size)
		r := b.page.results
		places := func() (list []fyne.Position) {
			place := b.FyneApp.Driver().AbsolutePositionForObject
			return []fyne.Position{place(r.rows), place(r.rows).AddXY(r.rows.Size().Width, r.rows.Size().Height), place(r.lines), place(r.lines).AddXY(r.lines.Size().Width, 0)}
		}
		r.show(0)
		r.give("money")
		before := places()
		r.show(1)
		r.give("money")
		if b.page.teach.Message() == "" {
			t.Fatal("it is not offered")
		}
		if now := places(); !slices.Equal(now, before) {
			t.Errorf("%v: rows and labels were at %v and are at %v", size, before, now)
		}
		if test.Tap(b.page.teach.Close); !slices.Equal(places(), before) || !r.foot.View.Visible() {
			t.Errorf("%v: closed, they are at %v", size, places())
		}
	}
}

// The offer can be closed, and comes again after more labels by hand.
func TestLearningIsNotForced(t *testing.T) {
	b := taught(t)
	r := b.page.results
	for i := range 2 {
		r.show(i)
		r.give(map[bool]string{true: "animals", false: "money"}[b.page.found.labelOf(i) == "money"])
	}
	test.Tap(b.page.teach.Close)
	r.show(2)
	r.give(map[bool]string{true: "animals", false: "money"}[b.page.found.labelOf(2) == "money"])
	if b.page.teach.Message() != "" {
		t.Error("it is offered again at once")
	}
	r.show(3)
	r.give(map[bool]string{true: "animals", false: "money"}[b.page.found.labelOf(3) == "money"])
	if b.page.teach.Message() == "" {
		t.Error("it is never offered again")
	}
}

// The time left is told once it means something.
func TestTimeLeft(t *testing.T) {
	r, start := &run{}, time.Now()
	at := func(done int64, after time.Duration) time.Duration {
		return r.settled(base.Progress{Done: done, Total: 1000, Left: time.Minute}, start.Add(after)).Left
	}
	for _, c := range []struct {
		done  int64
		after time.Duration
		want  bool
	}{{0, 0, false}, {32, time.Second, false}, {500, 2 * time.Second, false}, {40, 10 * time.Second, false}, {600, 10 * time.Second, true}} {
		if got := at(c.done, c.after); (got > 0) != c.want {
			t.Errorf("%d of 1000 after %v: %v is told", c.done, c.after, got)
		}
	}
}

// After a restart labels learn from what the model read before the last end.
func TestLearningAfterARestart(t *testing.T) {
	b := taught(t)
	b.page.results.show(0)
	b.page.results.give("animals")
	b.page.results.show(4)
	b.page.results.give("money")
	again := b.restarted(t)
	again.page.learn()
	again.Idle()
	asked := again.Double.Classifications()
	if len(asked) == 0 || len(asked[len(asked)-1].Vectors) != 5 || asked[len(asked)-1].Vectors[0] == nil {
		t.Errorf("everything is read again: %d requests", len(asked))
	}
}
