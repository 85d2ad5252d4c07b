package models

import (
	"slices"
	"strings"
	"testing"

	"inglenook/app/downloads"
	"inglenook/app/library"
	"inglenook/ui/uitest"
)

// A model in a person's own folder, or as a file of one, is the one of the catalogue by that name. A
// folder of that name with another architecture is another model.
func TestCopyInAnOwnFolder(t *testing.T) {
	d := uitest.NewApp()
	d.Hub.Entries = []library.CatalogueEntry{entryFor("org/small", library.KindChat, "talks", 1e9), entryFor("org/another", library.KindChat, "talks", 1e9), entryFor("org/file", library.KindChat, "talks", 1e9)}
	for i := range d.Hub.Entries {
		d.Hub.Entries[i].Architecture = "LlamaForCausalLM"
		d.Hub.Entries[i].Downloads[0].Repo = d.Hub.Entries[i].ID
	}
	d.Hub.Entries[2].Downloads[0] = library.CatalogueDownload{Repo: "org/file-GGUF", File: "file-Q4_K_M.gguf", Type: "Q4_K_M", Bytes: 1e9}
	d.Offered = append(d.Offered,
		library.Model{ID: "/own/small", Name: "small", Path: "/own/small", Source: library.SourceFolder, Architecture: "LlamaForCausalLM", Kind: library.KindChat, Usable: true},
		library.Model{ID: "/own/another", Name: "another", Path: "/own/another", Source: library.SourceFolder, Architecture: "BertModel", Kind: library.KindEmbedding, Usable: true},
		library.Model{ID: "/own/file-Q4_K_M.gguf", Name: "file", Path: "/own/file-Q4_K_M.gguf", Source: library.SourceFile, Architecture: "llama", Kind: library.KindChat, Usable: true})
	b := inModels(t, d)
	turnTo(b, tabDiscover)
	b.Idle()
	here := map[string]bool{}
	for _, m := range b.models.items {
		here[m.key()] = m.here
	}
	if !here["org/small"] || here["org/another"] || !here["org/file"] {
		t.Fatalf("installed: %v", here)
	}
	i := slices.IndexFunc(b.models.items, func(m shownItem) bool { return m.key() == "org/small" })
	b.models.list.Pick(i)
	if use := pageButton(b, "Use in Similarity"); use == nil || pageButton(b, "Download") != nil {
		t.Fatal("its page offers a download and no use")
	} else {
		use.OnTapped()
	}
	if !slices.Equal(b.used, []string{"small"}) {
		t.Errorf("used %q", b.used)
	}
}

// Once the model store was asked, the row says what its page says.
func TestOneSize(t *testing.T) {
	d := uitest.NewApp()
	b := inModels(t, d)
	turnTo(b, tabDiscover)
	b.Idle()
	i := slices.IndexFunc(b.models.items, func(m shownItem) bool {
		return m.entry != nil && slices.ContainsFunc(m.entry.Downloads, func(d library.CatalogueDownload) bool { return d.Repo == "org/talker-GGUF" })
	})
	if i < 0 {
		t.Fatalf("the talker is not there: %v", modelNames(b))
	}
	preview := uitest.TalkerPreview()
	preview.Variants[0].Bytes = 612e6
	d.Hub.Previews = map[string]downloads.Preview{"org/talker-GGUF": preview}
	if b.models.items[i].entry.Downloads[0].Repo != "org/talker-GGUF" {
		t.Skip("the double has another form first")
	}
	b.models.list.Pick(i)
	b.Loop.Until(t, "the answer", func() bool { return b.models.page.preview != nil })
	if row := b.models.items[i].beside; !strings.HasPrefix(row, "612 MB") || pageButton(b, "Download 612 MB") == nil {
		t.Errorf("the row says %q", row)
	}
	if b.models.page.waits.On {
		t.Error("it waits for an answer that came")
	}
}

// Where something is left out, the number of models is said with a way to see all again.
func TestNumberOfHits(t *testing.T) {
	d := uitest.NewApp()
	b := inModels(t, d)
	turnTo(b, tabDiscover)
	b.Idle()
	f := b.models.filter
	all := len(b.models.items)
	if f.count.Visible() {
		t.Errorf("nothing is left out, and it says %q", f.hits.Text)
	}
	f.tasks.SetSelected("Comparing texts")
	b.Idle()
	if now := len(b.models.items); now >= all || !f.count.Visible() || !strings.Contains(f.hits.Text, " of ") {
		t.Errorf("%d of %d, said %q", now, all, f.hits.Text)
	}
	f.reset.Tapped(nil)
	if len(b.models.items) != all || f.count.Visible() || f.fold.Text != "Filters" {
		t.Errorf("%d of %d are back, said %q", len(b.models.items), all, f.hits.Text)
	}
	f.tasks.SetSelected("Comparing texts")
	turnTo(b, tabInstalled)
	if f.count.Visible() {
		t.Errorf("installed models are not filtered by that, and it says %q", f.hits.Text)
	}
}
