package rerank

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/app/texts"
	"inglenook/ui/panel"
	"inglenook/ui/uitest"
)

// A person's own texts are never ranked together with samples, nor for the sample question.
func TestOwnTextsReplaceSamples(t *testing.T) {
	d := uitest.NewApp()
	d.Files["/mine.txt"] = texts.Texts{Lines: []string{"a dog", "cat"}}
	d.Files["/more.txt"] = texts.Texts{Lines: []string{"zzz"}}
	b := entered(t, d, "")
	p := b.panel
	p.Drop(panel.Dropped{Files: []string{"/mine.txt", "/more.txt"}})
	b.Idle()
	if got := p.texts.Lines(); !slices.Equal(got, []string{"a dog", "cat", "zzz"}) {
		t.Errorf("own texts stand with %q", got)
	}
	if p.query != "" || p.field.Text != "" || !p.rank.Disabled() || len(p.trial.questions) != 0 {
		t.Errorf("the sample question %q and %d sample questions stay", p.field.Text, len(p.trial.questions))
	}
	p.list.Undo()
	_, samples := texts.Sample()
	if got := p.texts.Lines(); !slices.Equal(got, samples) {
		t.Errorf("one drop takes more than one Undo: %q", got)
	}
}

// What was compared may go while the comparison is out of view, which is still drawn.
func TestOwnTextsAfterComparing(t *testing.T) {
	d := uitest.NewApp()
	d.Files["/mine.txt"] = texts.Texts{Lines: []string{"a dog", "cat"}}
	b := entered(t, d, "")
	p := b.panel
	b.ranked(t)
	p.tabs.Pick(viewTry)
	b.Idle()
	p.tabs.Pick(viewRank)
	p.Drop(panel.Dropped{Files: []string{"/mine.txt"}})
	b.Idle()
	p.tabs.Pick(viewTry)
	if got := p.texts.Lines(); !slices.Equal(got, []string{"a dog", "cat"}) || len(p.workbench.answers.order) != 0 {
		t.Errorf("the texts are %q, %d rows are compared", got, len(p.workbench.answers.order))
	}
}

// A question of one's own may be tried on the samples, also after the next start.
func TestOwnQuestionOnSamples(t *testing.T) {
	d := uitest.NewApp()
	b := entered(t, d, "")
	b.panel.field.SetText("honey")
	b.ranked(t)
	b.Saver.Flush()
	b = entered(t, d, "")
	if b.panel.query != "honey" || b.panel.texts.Len() != 8 {
		t.Fatalf("the next start finds %q and %d texts", b.panel.query, b.panel.texts.Len())
	}
	questions, _ := texts.Sample()
	if got := b.panel.trial.questions; len(got) != len(questions) || got[0].text != questions[0].Text || len(got[0].right) != len(questions[0].Right) {
		t.Errorf("the next start finds the questions %+v", got)
	}
	b.panel.list.Add([]string{"bees"})
	if got := b.panel.texts.Lines(); !slices.Equal(got, []string{"bees"}) || b.panel.query != "honey" {
		t.Errorf("then its own text stands with %q for %q", got, b.panel.query)
	}
}

func TestOwnQuestionReplacesSampleQuestions(t *testing.T) {
	b := trying(t, "")
	p := b.panel
	if len(p.trial.questions) != 3 {
		t.Fatalf("%d sample questions", len(p.trial.questions))
	}
	test.Type(p.questions.field, "honey")
	p.questions.field.TypedKey(uitest.Key(fyne.KeyReturn))
	if len(p.trial.questions) != 1 || p.trial.questions[0].text != "honey" || p.trial.at != 0 {
		t.Errorf("questions: %+v", p.trial.questions)
	}
}

// What goes with the samples is said, and all of it comes back with them: the questions with their marks, and the one
// that texts are sorted for.
func TestSamplesComeBackWhole(t *testing.T) {
	b := trying(t, "")
	p := b.panel
	query := p.query
	b.panel.trial.mark(p.texts.IDs()[7], true)
	marks := p.trial.marked(0)
	p.list.Composer.SetText("bees")
	test.Tap(p.rank) // adds what is typed, and compares
	b.Idle()
	for turn := range 2 {
		if len(p.trial.questions) != 0 || p.query != "" || p.texts.Len() != 1 {
			t.Fatalf("turn %d: the own text stands with %d questions and %q", turn, len(p.trial.questions), p.query)
		}
		if got, want := uitest.AllText(p.list.View), "1 text added in the place of 8 sample texts and the 3 questions about them."; !strings.Contains(got, want) {
			t.Errorf("turn %d: the list says %q", turn, got)
		}
		if got := uitest.AllText(p.workbench.answers.view); strings.Contains(got, query) {
			t.Errorf("turn %d: a question that went is in view: %q", turn, got)
		}
		p.undo()
		if len(p.trial.questions) != 3 || p.trial.marked(0) != marks || p.query != query || p.field.Text != query || p.texts.Len() != 8 {
			t.Fatalf("turn %d: Undo brings back %d questions, %d marks, %q and %d texts", turn, len(p.trial.questions), p.trial.marked(0), p.query, p.texts.Len())
		}
		b.Saver.Flush()
		if got := b.Double.Settings().Rerank; len(got.Questions) != 3 || len(got.Questions[0].Right) != marks || got.Query != query {
			t.Errorf("turn %d: the next start would find %+v", turn, got)
		}
		p.redo()
	}
}
