package chat

import (
	"os"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/storage"
	"fyne.io/fyne/v2/test"

	"inglenook/app/chat"
	"inglenook/app/texts"
	"inglenook/ui/kit"
	"inglenook/ui/uitest"
)

// A file with one answer is named after its heading, or else after the chat.
func TestAnswerName(t *testing.T) {
	for text, want := range map[string]string{
		"## The **lease**, in short\n\nIt ends.": "The lease, in short.md",
		"It ends.":                               "A chat.md",
		"#hashtag":                               "A chat.md",
		"###\n":                                  "A chat.md",
	} {
		if got := answerName(chat.Message{Parts: chat.Content(text)}, "A chat"); got != want {
			t.Errorf("%q is saved as %q", text, got)
		}
	}
}

// files answer the dialogs in a test.
type files struct {
	kit.FileDialogs
	t    *testing.T
	dir  string
	open []string
}

func (f files) OpenFiles(chosen func([]string)) { chosen(f.open) }

func (f files) Save(name string, chosen func(fyne.URIWriteCloser)) {
	w, err := storage.Writer(storage.NewFileURI(filepath.Join(f.dir, name)))
	if err != nil {
		f.t.Fatal(err)
	}
	chosen(w)
}

// One answer is saved as it is written, by its button.
func TestOneAnswerIsSaved(t *testing.T) {
	b, p := chatting(t)
	b.conversations.Model.Reply = func(string) string { return "## Two\n\nIt is **two**." }
	b.say(t, "one and one")
	dir := t.TempDir()
	p.Files = func() kit.FileDialogs { return files{t: t, dir: dir} }
	p.Focus(p.flow)
	p.flow.TypedKey(uitest.Key(fyne.KeyS))
	b.Idle()
	if got, err := os.ReadFile(filepath.Join(dir, "Two.md")); err != nil || string(got) != "## Two\n\nIt is **two**.\n" {
		t.Errorf("%q, %v", got, err)
	}
}

// Several files are attached from one dialog.
func TestSeveralFilesAreAttached(t *testing.T) {
	b, p := chatting(t)
	var paths []string
	for _, name := range []string{"a.txt", "b.txt", "c.txt"} {
		path := uitest.TempFile(t, name, "x")
		b.Double.Files[path] = texts.Texts{Lines: []string{"of " + name}}
		paths = append(paths, path)
	}
	p.Files = func() kit.FileDialogs { return files{t: t, open: paths} }
	attach, ok := uitest.Find(p.composer.view, func(b *kit.Button) bool { return b.Text == "Attach files" })
	if !ok {
		t.Fatal("no button attaches files")
	}
	test.Tap(attach)
	b.Loop.Until(t, "the files", func() bool { return len(p.composer.files) == 3 })
}
