package chat

import (
	"context"
	"strings"
	"sync"
	"time"

	"inglenook/app/chat"
)

// answer is an answer under way. What comes from the model gathers here and
// reaches the window with the next redraw, so that a fast model does not make the
// window draw every token.
type answer struct {
	conversation string
	title        string
	model        string      // that writes, by its name
	after        int64       // the message that what was sent follows
	parts        []chat.Part // what was sent; none: a message that is there already is answered
	cancel       context.CancelFunc
	ended        bool // by the person

	again func(chat.AnswerRequest) // asks once more in the same way, for one answer or for two

	beside *answer // the second of two answers side by side; nil: there is one
	which  int     // of them: 0 or 1
	halt   func()  // ends this one alone; nil: cancel does

	mu      sync.Mutex
	text    strings.Builder // the whole answer so far
	thought strings.Builder
	pace    pace
	step    chat.AnswerStep // the last stage, and the ids
	notices []string
	without []string  // sentences about tool servers that it goes without
	apart   bool      // what comes next follows a tool
	news    bool      // there is something that the window has not seen
	posted  time.Time // when the window was told that it has not looked at yet; zero: it has
	rest    time.Time // until then a busy window is left in peace

	shown    chat.AnswerStep // what the window knows, on its goroutine
	began    time.Time
	thinking time.Time     // when the first thought came
	thoughts time.Duration // how long it thought, once it answers
}

// take gathers a step; it runs on the model's goroutine.
func (a *answer) take(s chat.AnswerStep) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if s.Tools == 0 {
		s.Tools = a.step.Tools
	}
	a.apart = a.apart || s.Tools > a.step.Tools && a.text.Len() > 0
	if a.apart && s.Text != "" {
		a.text.WriteString("\n\n")
		a.apart = false
	}
	a.text.WriteString(s.Text)
	a.thought.WriteString(s.Thinking)
	if s.Thinking != "" && a.thinking.IsZero() {
		a.thinking = time.Now()
	}
	if s.Text != "" && !a.thinking.IsZero() && a.thoughts == 0 {
		a.thoughts = max(time.Since(a.thinking), 1)
	}
	if s.Notice != "" {
		a.notices = append(a.notices, s.Notice)
	}
	a.without = append(a.without, s.Unreached...)
	if s.Asked == 0 {
		s.Asked = a.step.Asked
	}
	if s.Answer == 0 {
		s.Answer = a.step.Answer
	}
	if s.Stage == "" {
		s.Stage = a.step.Stage
	}
	if s.Stage == chat.StageWriting {
		a.pace.note(s.Done, time.Now())
	}
	a.step, a.news = s, true
}

// rate is how many tokens a second come; 0: that is not known yet.
func (a *answer) rate() float64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.pace.rate()
}

// silent reports whether nothing of the answer has come yet.
func (a *answer) silent() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.text.Len() == 0 && a.thought.Len() == 0
}

// pace is how fast tokens come.
type pace struct {
	first, last   int64 // tokens
	began, latest time.Time
}

// paceAfter is how long tokens have come before their rate is told.
const paceAfter = 500 * time.Millisecond

// note takes note of how many tokens there are.
func (p *pace) note(tokens int64, now time.Time) {
	if p.began.IsZero() {
		p.first, p.began = tokens, now
	}
	p.last, p.latest = tokens, now
}

func (p *pace) rate() float64 {
	if over := p.latest.Sub(p.began); over >= paceAfter {
		return float64(p.last-p.first) / over.Seconds()
	}
	return 0
}

// look returns what has gathered.
func (a *answer) look() (step chat.AnswerStep, text, thought string, notices []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.rest = time.Now().Add(2 * time.Since(a.posted))
	a.posted, a.news = time.Time{}, false
	notices, a.notices = a.notices, nil
	return a.step, a.text.String(), a.thought.String(), notices
}

// sofar returns the message that is being written, as far as it is known.
func (a *answer) sofar() (id int64, text, thought string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.step.Answer, a.text.String(), a.thought.String()
}

// goesWithout returns sentences about tool servers that it goes without.
func (a *answer) goesWithout() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.without
}

// due reports whether the window is to look, and takes note that it will. A window that
// took long to come to it, since it paints slowly, is asked less often, so that keys
// and clicks have their turn.
func (a *answer) due() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if now := time.Now(); a.news && a.posted.IsZero() && now.After(a.rest) {
		a.posted = now
		return true
	}
	return false
}
