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
	fmt.Println(id)
	_, err = talks.Answer(context.Background(), chat.AnswerRequest{Conversation: id, Parts: chat.Content("go on and on")}, func(s chat.AnswerStep) {
		if s.Text != "" {
			fmt.Println(s.Text)
		}
	})
	return err
}

// If a process is killed while an answer streams, nothing that it had reported is lost, and
// the answer is stored as interrupted.
func TestTalkIsKilled(t *testing.T) {
	dir := apptest.Home(t)
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for round, words := range []int{1, 17, 300, 2000} {
		child := exec.Command(program)
		child.Env = append(os.Environ(), talkChild+"="+dir)
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
		for i := 0; i < words && lines.Scan(); i++ {
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
		c, err := a.Chat().Conversation(id)
		if err != nil || len(c.Messages) != 2 {
			t.Fatalf("killed after %d words: %d messages, %v", words, len(c.Messages), err)
		}
		m := c.Messages[1]
		if rest, ok := strings.CutPrefix(m.Text(), said); !ok || count(rest) > 1 || m.State != chat.MessageInterrupted || c.Messages[0].Text() != "go on and on" {
			t.Errorf("killed after %d words: %d bytes were said, %d are there, state %q", words, len(said), len(m.Text()), m.State)
		}
		if list, err := a.Chat().List(""); err != nil || len(list) != round+1 {
			t.Errorf("%d conversations, %v", len(list), err)
		}
		if err := a.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}
}
