package chat_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"inglenook/app"

	"inglenook/app/apptest"
	"inglenook/app/chat"
	"inglenook/app/library"
)

// talkChild is the environment variable that makes this test binary answer in a conversation
// until it is killed.
const talkChild = "INGLENOOK_TALK_CHILD"

// talkWhat is the one that says what is answered: "first" a message, "again" the same one
// once more, "on" an answer that was stopped, "edited" a message with other words.
const talkWhat = "INGLENOOK_TALK_WHAT"

// talkUntilKilled writes each word to standard output once the answer has reported it.
func talkUntilKilled(home string) error {
	var words strings.Builder
	for i := range 200_000 {
		fmt.Fprintf(&words, "word%d ", i)
	}
	s := &speaker{words: words.String(), kind: library.KindChat, context: 1000}
	a, err := app.New(app.Options{Home: home, Openers: s.openers()})
	if err != nil {
		return err
	}
	talks := a.Chat()
	id, err := talks.New(chat.Choices{Model: library.StarterEmbed})
	if err != nil {
		return err
	}
	r := chat.AnswerRequest{Conversation: id, Parts: chat.Content("go on and on")}
	if what := os.Getenv(talkWhat); what != "first" {
		ctx, stop := context.WithCancel(context.Background())
		m, err := talks.Answer(ctx, r, func(s chat.AnswerStep) {
			if s.Text != "" {
				stop()
			}
		})
		if err != nil {
			return err
		}
		r.Parts = nil
		switch what {
		case "again":
			r.After = m.Parent
		case "on":
			r.Continue = m.ID
		case "edited":
			if r.After, err = talks.Edit(id, m.Parent, "go on and on", nil); err != nil {
				return err
			}
		}
	}
	fmt.Println(id)
	_, err = talks.Answer(context.Background(), r, func(s chat.AnswerStep) {
		if s.Text != "" {
			fmt.Println(s.Text)
		}
	})
	return err
}

// If a process is killed while an answer streams, nothing that it had reported is lost, and
// the answer is in view and stored as interrupted, whatever kind of answer it is.
func TestTalkIsKilled(t *testing.T) {
	dir := apptest.Home(t)
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for round, c := range []struct {
		what  string
		words int
	}{{"first", 1}, {"first", 17}, {"first", 2000}, {"again", 1}, {"again", 300}, {"on", 1}, {"on", 40}, {"edited", 1}, {"edited", 40}} {
		child := exec.Command(program)
		child.Env = append(os.Environ(), talkChild+"="+dir, talkWhat+"="+c.what)
		child.Stderr = os.Stderr
		out, err := child.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		lines.Scan()
		id, said := lines.Text(), ""
		for i := 0; i < c.words && lines.Scan(); i++ {
			said += lines.Text()
		}
		if err := child.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		for lines.Scan() { // what it had still said
			if word := lines.Text(); strings.HasSuffix(word, " ") {
				said += word
			}
		}
		_ = child.Wait()

		a, err := app.New(app.Options{Home: dir})
		if err != nil {
			t.Fatal(err)
		}
		talk, err := a.Chat().Conversation(id)
		if err != nil {
			t.Fatal(err)
		}
		path := talk.Path()
		if len(path) != 2 {
			t.Fatalf("%s: killed after %d words: %d messages", c.what, c.words, len(path))
		}
		m, text := path[1], path[1].Text()
		if c.what == "on" {
			text = strings.TrimPrefix(text, "word0 ") // that was there before
		}
		if rest, ok := strings.CutPrefix(text, said); !ok || count(rest) > 1 || m.State != chat.MessageInterrupted || path[0].Text() != "go on and on" {
			t.Errorf("%s: killed after %d words: %d bytes were said, %d are there, state %q", c.what, c.words, len(said), len(text), m.State)
		}
		if list, err := a.Chat().List(""); err != nil || len(list) != round+1 {
			t.Errorf("%d conversations, %v", len(list), err)
		}
		if err := a.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}
}
