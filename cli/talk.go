package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"

	"inglenook/app/base"
	talks "inglenook/app/chat"
	"inglenook/plain"
)

// talk is a conversation in the terminal. Ctrl-C ends an answer under way and
// keeps what there is of it; at the prompt it ends the program.
type talk struct {
	*call
	settings *chatSettings
	open     *talks.Writer
	messages []talks.Message
	last     talks.Answer
	lines    chan line
	ended    error // of the input, once its last lines are a message
	heard    bool  // a message or a command came
	asked    int   // answers that were asked for
	failed   int   // and those that an error ended
	made     int64 // messages, which gives each an id
	anyway   bool  // the last message is answered without documents
}

type line struct {
	text string
	err  error
}

func newTalk(c *call, s *chatSettings, open *talks.Writer) *talk {
	return &talk{call: c, settings: s, open: open, lines: make(chan line)}
}

const talkHelp = `/clear            begin a new conversation
/system TEXT      begin a new one with TEXT as the system message
/collection NAME  answer from the documents of a collection; without NAME, from none
/anyway           answer the last message without documents
/retry            answer the last message again
/stats            tokens and speed of the last answer
/bye              end (so do /exit and Ctrl-D)
A line that ends with \ goes on in the next one. Ctrl-C ends an answer.
`

// run reads messages and answers them until the input ends. From here on it
// takes signals itself; before calls what has taken them so far off.
func (t *talk) run(ctx context.Context, before func()) error {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, EndSignals()...)
	defer signal.Stop(signals)
	before()
	stop := make(chan struct{})
	defer close(stop)
	go t.read(stop)

	info := t.open.Info()
	name := t.open.Model.Name
	if info.Local != nil {
		name += ", " + info.Local.DType
	}
	t.tell("%s, context of %d tokens, on %s. /help lists what else there is.\n", name, info.Context, info.Device)
	for {
		if err := t.Documents().Rest(); err != nil { // somebody may change them while this talk is idle
			t.note(err.Error())
		}
		text, err := t.message(ctx, signals)
		if errors.Is(err, io.EOF) {
			return t.outcome()
		}
		if err != nil {
			return err
		}
		t.heard = t.heard || strings.TrimSpace(text) != ""
		again, done := t.command(ctx, text)
		if done {
			return t.outcome()
		}
		if again {
			if err := t.answer(ctx, signals); err != nil {
				return err
			}
		}
	}
}

// outcome is an error where a script has to know that an answer failed, or that it
// asked nothing. A person has seen it.
func (t *talk) outcome() error {
	switch {
	case isTerminal(t.stdin):
		return nil
	case !t.heard:
		return WrongUsage("there is no message on standard input; give one a line, or --prompt TEXT")
	case t.failed == 0:
		return nil
	}
	return fmt.Errorf("%d of %d answers failed; the lines above say why and what to do", t.failed, t.asked)
}

// read hands over the lines of standard input until it ends or stop closes.
func (t *talk) read(stop <-chan struct{}) {
	in := bufio.NewReader(t.stdin)
	for {
		text, err := in.ReadString('\n')
		if text != "" && errors.Is(err, io.EOF) {
			err = nil // what there is of the last line; the end comes next time
		}
		select {
		case t.lines <- line{strings.TrimRight(text, "\r\n"), err}:
		case <-stop:
			return
		}
		if err != nil {
			return
		}
	}
}

// message reads one message, of several lines where they end with \.
func (t *talk) message(ctx context.Context, signals <-chan os.Signal) (string, error) {
	if t.ended != nil {
		return "", t.ended
	}
	var parts []string
	t.invite("\n> ")
	for {
		select {
		case <-signals:
			t.invite("\n")
			return "", context.Canceled
		case l := <-t.lines:
			if l.err != nil {
				if errors.Is(l.err, io.EOF) {
					t.invite("\n")
				}
				t.ended = l.err
				if len(parts) == 0 {
					return "", l.err
				}
				return strings.Join(parts, "\n"), nil
			}
			more, goesOn := strings.CutSuffix(l.text, `\`)
			parts = append(parts, more)
			if !goesOn {
				return strings.Join(parts, "\n"), nil
			}
			t.invite("… ")
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}

// command does what a line that begins with / asks for, and reports whether there
// is something to answer and whether the talk is over.
func (t *talk) command(ctx context.Context, text string) (answer, over bool) {
	name, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	switch {
	case name == "":
		return false, false
	case !strings.HasPrefix(name, "/"):
		t.anyway = false
		t.add(talks.RoleUser, text)
		return true, false
	}
	switch name {
	case "/bye", "/exit", "/quit":
		return false, true
	case "/help":
		t.tell("%s", talkHelp)
	case "/clear":
		t.messages = nil
		t.tell("A new conversation.\n")
	case "/system":
		t.settings.system = strings.TrimSpace(rest)
		t.messages = nil
		t.tell("A new conversation.\n")
	case "/collection":
		t.collection(ctx, strings.TrimSpace(rest))
	case "/anyway":
		t.anyway = true
		return t.retry(), false
	case "/retry":
		return t.retry(), false
	case "/stats":
		t.stats()
	default:
		t.tell("There is no %s; /help lists what there is.\n", name)
	}
	return false, false
}

// add appends a message.
func (t *talk) add(role, text string) *talks.Message {
	t.made++
	t.messages = append(t.messages, talks.Message{ID: t.made, Role: role, Parts: talks.Content(text)})
	return &t.messages[len(t.messages)-1]
}

// collection changes which documents questions are answered from.
func (t *talk) collection(ctx context.Context, name string) {
	if name == "" {
		t.settings.collection = ""
		t.tell("Questions are answered without documents.\n")
		return
	}
	c, err := t.Documents().Collection(ctx, name)
	if err != nil {
		t.note(oneLine(err))
		return
	}
	t.settings.collection = c.Name
	t.tell("Questions are answered from %s, %s.\n", c.Name, plural(c.Files, "file"))
}

// retry removes the last answer.
func (t *talk) retry() bool {
	if n := len(t.messages); n > 0 && t.messages[n-1].Role == "assistant" {
		t.messages = t.messages[:n-1]
	}
	n := len(t.messages)
	if n == 0 || t.messages[n-1].Role != "user" {
		t.tell("There is nothing to answer again.\n")
		return false
	}
	return true
}

func (t *talk) stats() {
	s, f := t.last.Started, t.last.Finished
	if s.PromptTokens == 0 {
		t.tell("There is no answer yet.\n")
		return
	}
	drafts := ""
	if note := talks.DraftNote(f.Gain); note != "" {
		drafts = ", " + note
	}
	t.tell("%d of %d tokens in the context, %d of them reused; read at %.1f tokens/s; %d tokens written at %.1f tokens/s%s\n",
		s.PromptTokens+f.Tokens, s.Context, s.Reused, base.PerSecond(s.PromptTokens-s.Reused, s.Took), f.Tokens, base.PerSecond(f.Tokens, f.Took), drafts)
}

// answer answers the conversation. What there is of an answer that was ended,
// by the person or by an error, stays in it.
func (t *talk) answer(ctx context.Context, signals <-chan os.Signal) error {
	t.asked++
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	interrupted := watch(signals, cancel)
	w := writer{call: t.call}
	asked := asking{call: t.call, open: t.open, settings: t.settings, writer: &w, anyway: t.anyway, talks: true}
	last := len(t.messages) - 1
	got, err := asked.answer(ctx, t.messages[:last], &t.messages[last], t.settings.reply(t.call, t.open.Info().Sampling))
	w.end(err)
	asked.print(got.Text)
	if w.last == "" && errors.Is(err, context.Canceled) {
		t.invite("\n") // below the ^C
	}
	t.last = got
	if got.Text != "" {
		t.add(talks.RoleAssistant, got.Text).Thinking = got.Thinking
	} else if n := len(t.messages); n > 0 && err != nil {
		t.messages = t.messages[:n-1] // a message without an answer would spoil the next one
		defer t.note("there is no answer, so the message was removed")
	}
	signalled := interrupted()
	switch {
	case signalled != nil && signalled != os.Interrupt:
		return context.Canceled
	case err != nil && !errors.Is(err, context.Canceled):
		t.failed++
		t.note(oneLine(err))
	case err == nil && t.settings.brokenJSON(got, t.open.Model.Elsewhere()) != nil:
		t.failed++
		t.note(oneLine(t.settings.brokenJSON(got, t.open.Model.Elsewhere())))
	case err == nil:
		t.settings.noteEnd(t.call, got)
	}
	return nil
}

// leftOut names the messages that are not sent.
func leftOut(p talks.Planned, messages []talks.Message) string {
	n := len(p.Dropped)
	if n == 0 {
		return ""
	}
	quote := func(id int64) string {
		i := slices.IndexFunc(messages, func(m talks.Message) bool { return m.ID == id })
		return "“" + plain.Line(messages[max(0, i)].Text(), 40) + "”"
	}
	which := quote(p.Dropped[0]) + " is left out"
	if n > 1 {
		which = fmt.Sprintf("%d messages, from %s to %s, are left out", n, quote(p.Dropped[0]), quote(p.Dropped[n-1]))
	}
	return fmt.Sprintf("the conversation has %d tokens, and the context of %d has no room for them and an answer; %s", p.AllTokens, p.Context, which)
}

// watch calls cancel at a signal. The function that it returns ends the watch
// and returns the signal that came, if one did: also one that came just as the
// answer ended, for it was meant for that.
func watch(signals <-chan os.Signal, cancel func()) func() os.Signal {
	answered, came := make(chan struct{}), make(chan os.Signal, 1)
	go func() {
		select {
		case s := <-signals:
			cancel()
			came <- s
		case <-answered:
			select {
			case s := <-signals:
				came <- s
			default:
				came <- nil
			}
		}
	}()
	return func() os.Signal {
		close(answered)
		return <-came
	}
}

// tell writes what is not part of an answer.
func (t *talk) tell(format string, args ...any) {
	fmt.Fprint(t.stderr, plain.Terminal(fmt.Sprintf(format, args...)))
}

// invite asks for a line where a person sits.
func (t *talk) invite(mark string) {
	if isTerminal(t.stdin) {
		t.tell("%s", mark)
	}
}
