package cli

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"inglenook/app"
	"inglenook/app/base"
	talks "inglenook/app/chat"
	"inglenook/app/pool"
)

func TestTalk(t *testing.T) {
	dir := tinyChat(t, true)
	talk := func(stdin string, args ...string) outcome {
		t.Helper()
		o := inglenook(t, stdin, append([]string{"chat", "--model", dir, "--seed", "3", "--max-tokens", "6"}, args...)...)
		if o.code != 0 || !strings.Contains(o.stderr, "/help lists what else there is") {
			t.Fatalf("%q: %+v", stdin, o)
		}
		return o
	}
	for stdin, answers := range map[string]int{
		"abc": 1, "abc\n": 1, "abc\ndef\n": 2, "a\\\nb\\\nc\n": 1, "a\\\n": 1, "/bye\nabc\n": 0, "abc\n/retry\n": 2,
		"/retry\n": 0, "/clear\n": 0, "abc\n/clear\n/retry\n": 1, "\xff\xfe\x00\x1b[2J\n": 1,
	} {
		if o := talk(stdin); strings.Count(o.stdout, "\n") != answers {
			t.Errorf("%q: %d answers wanted: %+v", stdin, answers, o)
		}
	}
	for _, nothing := range []string{"", "\n \n"} {
		if o := inglenook(t, nothing, "chat", "--model", dir); o.code != exitUsage || !strings.Contains(o.stderr, "there is no message on standard input; give one a line") {
			t.Errorf("%q: %+v", nothing, o)
		}
	}
	o := talk("/stats\n/help\nabc\n/stats\n/nope\x1b[2J\n/system x\n/retry\n")
	for _, want := range []string{"There is no answer yet.", "/retry ", "6 tokens written", "There is no /nope␛[2J;", "A new conversation.", "There is nothing to answer again."} {
		if !strings.Contains(o.stderr, want) {
			t.Errorf("%q is missing in %q", want, o.stderr)
		}
	}
	if a, b := talk("abc\n/retry\n").stdout, talk("abc\n").stdout; a != b+b {
		t.Errorf("an answer and its second try are %q, the answer alone %q", a, b)
	}
	if o := talk("abc\n", "--system", "x y z"); o.stdout == talk("abc\n").stdout {
		t.Error("the system message changes nothing")
	}
}

// Before messages are left out because they do not fit, a note says so. A message that cannot
// fit at all is removed again.
func TestTalkOverflows(t *testing.T) {
	dir := tinyChat(t, true)
	o := inglenook(t, "a b c d e f\ng h i j k l\nm n o p q r\n"+strings.Repeat("s ", 60)+"\nt\n", "chat", "--model", dir, "--context", "32", "--seed", "3", "--max-tokens", "6")
	for _, want := range []string{
		"and the context of 32 has no room for them and an answer; 2 messages, from “a b c d e f” to “",
		"note: the message alone has", "note: there is no answer, so the message was removed",
	} {
		if !strings.Contains(o.stderr, want) {
			t.Errorf("%q is missing in %q", want, o.stderr)
		}
	}
	if o.code != 1 || strings.Count(o.stdout, "\n") != 4 || !strings.HasSuffix(o.stderr, "1 of 5 answers failed; the lines above say why and what to do\n") {
		t.Errorf("%+v", o)
	}
}

// A signal ends the answer that is being written, whose text stays. Only SIGTERM ends the
// conversation.
func TestTalkInterrupted(t *testing.T) {
	t.Setenv("HF_HUB_CACHE", t.TempDir())
	a, err := app.New(app.Options{Home: t.TempDir(), Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close(context.Background())
	for _, c := range []struct {
		signal os.Signal
		ends   bool
	}{{os.Interrupt, false}, {syscall.SIGTERM, true}} {
		open, err := a.OpenChat(context.Background(), pool.WriterOptions{Model: tinyChat(t, true)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		signals := make(chan os.Signal, 1)
		var out, notes bytes.Buffer
		work := &call{App: a, stdin: strings.NewReader(""), stderr: &notes, progress: func(base.Progress) {}, clearBar: func() {}}
		// The first text that is printed triggers the signal, and the rest of the answer waits until
		// the signal was handled.
		work.out = bufio.NewWriter(writerFunc(func(p []byte) (int, error) {
			if out.Len() == 0 {
				signals <- c.signal
			}
			time.Sleep(20 * time.Millisecond)
			return out.Write(p)
		}))
		s := &chatSettings{temperature: 1, biases: map[int32]float32{2: -1000, 3: -1000}, given: map[string]bool{"temperature": true, "logit-bias": true}}
		talk := newTalk(work, s, open)
		talk.add(talks.RoleUser, "abc")
		err = talk.answer(context.Background(), signals)
		if (err != nil) != c.ends {
			t.Errorf("%v: error %v", c.signal, err)
		}
		last := talk.messages[len(talk.messages)-1]
		if text := strings.TrimSuffix(out.String(), "\n"); talk.last.Finished.Reason != talks.FinishCancelled || last.Role != "assistant" || last.Text() != text || text == "" {
			t.Errorf("%v: finished %+v, printed %q, kept %+v", c.signal, talk.last.Finished, text, last)
		}
		open.Close()
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// A signal at the prompt ends the conversation, and so does the end of the program.
func TestTalkAtThePrompt(t *testing.T) {
	in, hold := io.Pipe()
	tk := newTalk(&call{stdin: in, stderr: io.Discard}, &chatSettings{}, nil)
	stop, read := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(read)
		tk.read(stop)
	}()
	signals := make(chan os.Signal, 1)
	signals <- os.Interrupt
	if _, err := tk.message(context.Background(), signals); err != context.Canceled {
		t.Errorf("a signal: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := tk.message(ctx, signals); err != context.Canceled {
		t.Errorf("the end: %v", err)
	}
	close(stop)
	hold.Close() // the waiting reader returns
	<-read
}
