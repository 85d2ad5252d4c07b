// Package jinja renders chat templates: the Jinja2 language as Hugging Face's
// transformers runs it, that is an ImmutableSandboxedEnvironment with
// trim_blocks, lstrip_blocks, loop controls, the generation tag, a tojson
// filter without HTML escapes, raise_exception and strftime_now.
//
// Use [Parse] once for a checkpoint's template and [Template.Render] for every
// conversation. A template comes from a stranger, so it is kept in bounds:
// nothing is loaded (include, import and extends are errors), no Go value can
// be reached, lists and dicts of the caller cannot be changed, and steps,
// depth, memory, output and time are limited by [Limits].
//
// It will not load files, escape HTML by itself, or do what no chat template
// does: integers beyond 64 bits are printed but not computed with, filters
// that make random text or web pages are absent.
package jinja

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"inglenook/jinja/syntax"
)

// Limits bound one rendering. The caller's variables are trusted to be as large
// as intended, so steps, memory and output grow with their size.
type Limits struct {
	Steps  int           // nodes visited, plus a fraction for bytes processed
	Depth  int           // of nested evaluation: blocks, expressions, macro calls
	Output int           // bytes of the rendered text
	Memory int           // bytes of all strings and lists created, including freed ones
	Time   time.Duration // in addition to the context's own deadline
}

// DefaultLimits are far above what known templates need (the largest takes
// some ten thousand steps for ten messages) and stop a hostile one within
// a quarter of a second and 64 MB.
var DefaultLimits = Limits{Steps: 1_000_000, Depth: 2000, Output: 8 << 20, Memory: 24 << 20, Time: time.Second}

// What the limits gain for every byte of the variables. Some templates append
// to their text turn by turn, so their memory is the bytes times the turns; for
// that the limit grows further, up to a bound.
const (
	stepsPerByte  = 100
	memoryPerByte = 32
	outputPerByte = 16
	timePerByte   = 5 * time.Microsecond
	maxForTurns   = 512 << 20
)

// Template is a parsed template. It is safe for concurrent use.
type Template struct {
	name string
	body []syntax.Stmt

	// Clock returns the time for strftime_now; nil means the local time.
	Clock func() time.Time
}

// Parse parses a template. Its name appears in every error; an error is one
// sentence with the line and the problem.
func Parse(name, source string) (*Template, error) {
	body, err := syntax.Parse(source, syntax.Known{
		Filter: func(name string) bool { return filters[name] != nil },
		Test:   func(name string) bool { return tests[name] != nil },
	})
	if err != nil {
		return nil, named(name, err)
	}
	return &Template{name: name, body: body}, nil
}

// Error is a message that a template raised with raise_exception, such as
// "Conversation roles must alternate".
type Error struct{ Message string }

func (e *Error) Error() string { return e.Message }

func named(name string, err error) error { return fmt.Errorf("chat template %s, %w", name, err) }

// Render renders the template with vars: nil, bool, int, int64, float64,
// string, []any, map[string]any (in the order of its sorted keys), [*Dict],
// [*List] and what [FromJSON] returns. A limit of 0 means that of
// DefaultLimits.
func (t *Template) Render(ctx context.Context, vars map[string]any, l Limits) (string, error) {
	in := &interp{clock: t.Clock, filters: filters}
	root := newScope(nil)
	for name, v := range vars {
		value, err := in.convert(v, 0)
		if err != nil {
			return "", fmt.Errorf("chat template %s: the variable %s %w", t.name, name, err)
		}
		root.vars[name] = value
	}
	in.limit(l)
	ctx, cancel := context.WithTimeout(ctx, in.limits.Time)
	defer cancel()
	in.ctx, in.root = ctx, root

	out := &output{in: in}
	err := in.run(t.body, root, out)
	if err != nil {
		if syntax.IsSignal(err) { // a break outside a loop does not parse
			err = errors.New("break or continue outside a loop")
		}
		return "", named(t.name, err)
	}
	return out.b.String(), nil
}

// interp is the state of one rendering.
type interp struct {
	ctx   context.Context
	clock func() time.Time
	root  *scope

	// filters is the table of the same name; it is a field because map and
	// other filters use it.
	filters map[string]filterFunc

	limits Limits
	given  int // bytes of the variables
	turns  int // items of the longest list in them
	steps  int
	depth  int
	memory int
}

func (in *interp) limit(l Limits) {
	d := DefaultLimits
	pick := func(asked, usual, perByte int) int {
		if asked > 0 {
			usual = asked
		}
		return usual + perByte*in.given
	}
	in.limits = Limits{
		Steps:  pick(l.Steps, d.Steps, stepsPerByte),
		Depth:  pick(l.Depth, d.Depth, 0),
		Output: pick(l.Output, d.Output, outputPerByte),
		Memory: pick(l.Memory, d.Memory, memoryPerByte),
		Time:   l.Time,
	}
	in.limits.Memory += min(in.given*max(in.turns-20, 0), maxForTurns)
	if l.Time <= 0 {
		in.limits.Time = d.Time + time.Duration(in.given)*timePerByte
	}
}

// ErrLimit is wrapped by every error about a template that exceeds its limits.
var ErrLimit = errors.New("the template asks for more than a chat template may")

// step counts n steps.
func (in *interp) step(n int) error {
	before := in.steps
	in.steps += n
	if in.steps > in.limits.Steps || in.steps < before {
		return fmt.Errorf("%w: more than %d steps", ErrLimit, in.limits.Steps)
	}
	if in.steps>>8 != before>>8 {
		return in.checkTime()
	}
	return nil
}

func (in *interp) checkTime() error {
	switch err := in.ctx.Err(); {
	case err == nil:
		return nil
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%w: it took too long (%w)", ErrLimit, err)
	default:
		return err
	}
}

// work accounts for reading n bytes: a step is about 32 of them.
func (in *interp) work(n int) error { return in.step(1 + n/32) }

// alloc accounts for n bytes that are about to be allocated.
func (in *interp) alloc(n int) error {
	if n < 0 || n > in.limits.Memory-in.memory {
		return fmt.Errorf("%w: more than %s of memory", ErrLimit, humanize.Bytes(uint64(in.limits.Memory)))
	}
	in.memory += n
	return in.step(n / 64)
}

// allocItems accounts for a list of n values.
func (in *interp) allocItems(n int) error {
	if n > in.limits.Memory/32 {
		n = in.limits.Memory/32 + 1
	}
	return in.alloc(32*n + 32)
}

// enter goes one level deeper; leave goes back.
func (in *interp) enter() error {
	if in.depth++; in.depth > in.limits.Depth {
		return fmt.Errorf("%w: nested more than %d deep", ErrLimit, in.limits.Depth)
	}
	return in.step(1)
}

func (in *interp) leave() { in.depth-- }

// output collects rendered text.
type output struct {
	in *interp
	b  strings.Builder
}

func (o *output) write(s string) error {
	if o.b.Len()+len(s) > o.in.limits.Output {
		return fmt.Errorf("%w: more than %s of text", ErrLimit, humanize.Bytes(uint64(o.in.limits.Output)))
	}
	if err := o.in.alloc(2 * len(s)); err != nil { // a builder grows by doubling
		return err
	}
	o.b.WriteString(s)
	return nil
}

// scope holds the variables of a block.
type scope struct {
	vars   map[string]any
	parent *scope
}

func newScope(parent *scope) *scope { return &scope{vars: map[string]any{}, parent: parent} }

func (s *scope) get(name string) (any, bool) {
	for ; s != nil; s = s.parent {
		if v, ok := s.vars[name]; ok {
			return v, true
		}
	}
	return nil, false
}
