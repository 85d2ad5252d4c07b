package guide

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Questions that were written without knowing the guide's own are answered rightly or left to the model, and
// questions about other things are left to it.
func TestAboutAnswersOnlyWhatItKnows(t *testing.T) {
	for _, file := range []string{"heldout.tsv", "tried.tsv"} {
		data, err := os.ReadFile("../../training/chat/" + file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			part := strings.SplitN(strings.TrimSpace(line), "\t", 3)
			said := About(part[2])
			switch {
			case said == "":
			case part[0] != "app":
				t.Errorf("%s: %s: %s", part[0], part[2], said)
			default:
				t.Logf("%v %s -> %s", regexp.MustCompile(part[1]).MatchString(said), part[2], said)
			}
		}
	}
}

// What the model learned is said in the words that are true now, however it arrives; other text is left as it is.
func TestWritingSaysWhatIsTrueNow(t *testing.T) {
	old := "NVIDIA cards are not used in this version. The processor does the work, and Devices says why."
	for _, step := range []int{1, 3, 1000} {
		for text, want := range map[string]string{
			old:                                  "NVIDIA cards are used where NVIDIA's driver and its compiler library NVRTC are installed. The page Devices in Performance says whether yours is used, and if not, why.",
			"Once upon a time there was a fox.":  "Once upon a time there was a fox.",
			"Open":                               "Open",
			"Inglenook runs on Linux and macOS.": "Inglenook runs on Linux and macOS.",
			"Yes. ":                              "Yes. ",
		} {
			var w Writing
			got := ""
			for rest := text; rest != ""; {
				n := min(step, len(rest))
				got += w.Take(rest[:n], n == len(rest))
				rest = rest[n:]
			}
			if got != want {
				t.Errorf("in steps of %d %q became %q", step, text, got)
			}
		}
	}
}

func TestForeign(t *testing.T) {
	for text, begins := range map[string]string{
		"Wie viel kostet die Miete?":                    "Ich verstehe leider nur Englisch",
		"Was ist das?":                                  "Ich verstehe leider nur Englisch",
		"Kannst du mir helfen":                          "Ich verstehe",
		"Hallo":                                         "Ich verstehe",
		"Où sont mes fichiers ?":                        "Désolé",
		"¿Dónde está la biblioteca?":                    "Lo siento",
		"Come posso scaricare un modello?":              "Mi dispiace",
		"Где мои чаты?":                                 "I understand English only.",
		"私のチャットはどこですか":                                  "I understand English only.",
		"What is the rent?":                             "",
		"die hard":                                      "",
		"Translate \"Wo ist der Bahnhof\" into English": "",
		"pdf":                                  "",
		"42":                                   "",
		"Where does Herr Müller live in Köln?": "",
		"no":                                   "",
	} {
		if got := Foreign(text); !strings.HasPrefix(got, begins) || (begins == "") != (got == "") {
			t.Errorf("%s: %q", text, got)
		}
	}
	for _, file := range []string{"heldout.tsv", "tried.tsv"} {
		data, err := os.ReadFile("../../training/chat/" + file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			if part := strings.SplitN(line, "\t", 3); Foreign(part[2]) != "" {
				t.Errorf("it takes for foreign: %s", part[2])
			}
		}
	}
	for _, topic := range all().topics {
		for _, q := range topic.questions {
			if Foreign(q) != "" {
				t.Errorf("it takes for foreign: %s", q)
			}
		}
	}
}

func TestSmallTalk(t *testing.T) {
	for text, want := range map[string]bool{"Thanks!": true, "hello": true, "…": true, "Who signed it?": false, "What is the rent": false} {
		if SmallTalk(text) != want {
			t.Errorf("%q", text)
		}
	}
}

// What the answers call a button or a place is written in the window.
func TestNamesAreThoseOfTheWindow(t *testing.T) {
	var source strings.Builder
	err := filepath.WalkDir("../../ui", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		data, err := os.ReadFile(path)
		source.Write(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	shown := source.String()
	for name, of := range map[string]string{
		"Attach files": "", "Ask documents": "", "This chat": "", "Regenerate": "", "Answer with another model": "", "Restore": "", "Trash": "", "Copy diagnostics": "",
		"Save as preset": "…", "Import": "…", "Export as Markdown": "…", "Export as JSON": "", "Two answers side by side": "", "Unload the model": "", "Discover": "", "Installed": "",
		"Downloads": "", "Servers": "", "Measure this model": "", "Tools for chats": "", "Other programs": "", "Choice of words": "", "Instructions": "", "Memory": "", "Folders": "",
		"Appearance": "", "Verify": "", "Repair": "", "Rename": "", "Save picture": "…", "Save matrix as CSV": "…", "Test connection": "", "Classify": "", "Tools": "",
	} {
		if !strings.Contains(answersText, name) {
			t.Errorf("no answer names %s", name)
		}
		if !strings.Contains(shown, `"`+name+of) {
			t.Errorf("the window has no %s", name+of)
		}
	}
	if !strings.Contains(shown, `"Work offline`) || !strings.Contains(answersText, "“Work offline”") {
		t.Error("the switch for offline work is called otherwise")
	}
}

// Who asks how to do something gets no Yes for an answer.
func TestHowIsNotAnsweredWithYes(t *testing.T) {
	for _, question := range []string{"How do I make the answers shorter?", "How can I get shorter answers?", "How do I get longer answers?"} {
		if got := About(question); !strings.Contains(got, "length of answers") {
			t.Errorf("%s %q", question, got)
		}
	}
	for _, topic := range all().topics {
		if strings.HasPrefix(topic.answer, "Yes") {
			t.Errorf("it begins with Yes: %q", topic.answer)
		}
	}
}
