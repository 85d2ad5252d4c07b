package models

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"inglenook/ui/uitest"
)

// Deleted models are listed, those of an earlier start too, with their size; each can be put back.
func TestDeletedModelsAreListed(t *testing.T) {
	d := uitest.NewApp()
	if _, err := d.RemoveModel("org/other"); err != nil { // before the window was opened
		t.Fatal(err)
	}
	b := inModels(t, d)
	if got := b.models.bin.Text; !b.models.bin.Visible() || got != "Deleted models, 90 MB…" {
		t.Fatalf("on offer is %q", got)
	}
	test.Tap(b.models.bin)
	sheet := b.Window.Canvas().Overlays().Top()
	if text := uitest.AllText(sheet); !strings.Contains(text, "Other") || !strings.Contains(text, "90 MB") {
		t.Errorf("listed are %q", text)
	}
	test.Tap(uitest.FindButton(t, sheet, "Restore"))
	b.Loop.Until(t, "the return", func() bool { return b.models.installed.has("org/other") && !b.models.bin.Visible() })
	if b.models.deleted.Popup != nil {
		t.Error("the list stays over the model that is back")
	}
}

// Nothing is deleted for good before a question was answered, and nothing can be undone then.
func TestDeletedForever(t *testing.T) {
	d := uitest.NewApp()
	b := inModels(t, d)
	if b.models.bin.Visible() {
		t.Error("a list of no deleted models is on offer")
	}
	for _, button := range []string{"Delete forever…", "Delete all forever…"} {
		if len(d.Offered) == 0 || !b.models.installed.has("org/other") {
			d.Offered = append(d.Offered, uitest.NewApp().Offered...)
			b.models.reload()
			b.Loop.Until(t, "the model", func() bool { return b.models.installed.has("org/other") })
		}
		pickModel(t, b, "org/other")
		test.Tap(pageButton(b, "Delete"))
		b.Loop.Until(t, "the deletion", func() bool { return b.models.bin.Visible() })
		press := func(label string) {
			t.Helper()
			test.Tap(uitest.FindButton(t, b.Window.Canvas().Overlays().Top(), label))
		}
		test.Tap(b.models.bin)
		press(button)
		press("Cancel")
		if len(d.Trash()) != 1 || b.models.deleted.Title != "Deleted models" {
			t.Fatalf("%s: in the trash are %d, the sheet is %q", button, len(d.Trash()), b.models.deleted.Title)
		}
		press(button)
		press("Delete forever")
		b.Loop.Until(t, "emptiness", func() bool { return !b.models.bin.Visible() })
		if len(d.Trash()) != 0 || b.models.notice.Message() != "" || len(b.models.undos) != 0 {
			t.Errorf("%s: in the trash are %d, it says %q, %d can be undone", button, len(d.Trash()), b.models.notice.Message(), len(b.models.undos))
		}
	}
}
