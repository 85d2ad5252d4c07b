package documents

import (
	"testing"

	"inglenook/ui/scripted"
	"inglenook/ui/uitest"
)

// A question that was kept from the last time is replaced by typing.
func TestKeptQuestionIsReplaced(t *testing.T) {
	kept := scripted.NewDocuments()
	kept.Put("Home", map[string]string{"/papers/lease.txt": lease})
	d := uitest.NewApp()
	d.Kept.Documents.Query = "sixty days"
	b := &bench{Stage: uitest.NewStage(t, d), kept: kept}
	b.panel = New(b.Host, kept, b.Double, func(string, string) (int, error) { return 0, nil }, func(string, int) {})
	b.Put(b.panel)
	b.panel.Enter()
	b.panel.field.TypedRune('r')
	if got := b.panel.field.Text; got != "r" {
		t.Errorf("the field says %q", got)
	}
}
