// Package format holds what the readers of all formats share: their input and
// its limits, the builder of a document, and the errors that a user is told.
package format

import (
	"context"
	"fmt"
	"io"
	"math"
)

// An Input is one file in memory.
type Input struct {
	Name     string // without folders; its extension helps where the content does not tell
	Data     []byte
	Password string // for locked files; empty where the user gave none
	Limits   Limits
}

// Limits bound what a file may cost. A zero value means the default.
type Limits struct {
	Input    int64 // bytes of the file
	Expanded int64 // bytes that its compressed parts may become
	Ratio    int64 // of expanded bytes to those of the file
	Entries  int   // of an archive
	Depth    int   // of nested elements
	Pages    int
	Blocks   int
}

// defaults are generous for what people write and small for a desktop.
var defaults = Limits{
	Input:    200 << 20,
	Expanded: 500 << 20,
	Ratio:    50,
	Entries:  10_000,
	Depth:    256,
	Pages:    20_000,
	Blocks:   4_000_000,
}

// smallFile is what every file may expand to, whatever its ratio: short files of
// repeated words compress better than any book, and do no harm.
const smallFile = 32 << 20

// WithDefaults returns the limits with a default for each zero.
func (l Limits) WithDefaults() Limits {
	return Limits{
		Input:    orDefault(l.Input, defaults.Input),
		Expanded: orDefault(l.Expanded, defaults.Expanded),
		Ratio:    orDefault(l.Ratio, defaults.Ratio),
		Entries:  orDefault(l.Entries, defaults.Entries),
		Depth:    orDefault(l.Depth, defaults.Depth),
		Pages:    orDefault(l.Pages, defaults.Pages),
		Blocks:   orDefault(l.Blocks, defaults.Blocks),
	}
}

func orDefault[T int | int64](value, otherwise T) T {
	if value <= 0 {
		return otherwise
	}
	return value
}

// A Budget counts the bytes that the parts of one file expand to.
type Budget struct{ left int64 }

// NewBudget returns what a file of so many bytes may expand to.
func (l Limits) NewBudget(size int64) *Budget {
	allowed := l.Expanded
	if size <= math.MaxInt64/l.Ratio {
		allowed = min(allowed, max(size*l.Ratio, smallFile))
	}
	return &Budget{left: allowed}
}

// Take counts n bytes. It returns a TooLarge error when there were not so many left.
func (b *Budget) Take(n int64) error {
	b.left -= n
	if b.left < 0 {
		return Errorf(TooLarge, "it would become too large when unpacked")
	}
	return nil
}

// Left is how many bytes are left.
func (b *Budget) Left() int64 { return max(0, b.left) }

// Reader counts what is read from r, and ends with an error when the budget or
// the context does.
func (b *Budget) Reader(ctx context.Context, r io.Reader) io.Reader {
	return &limitedReader{ctx: ctx, budget: b, r: r}
}

type limitedReader struct {
	ctx    context.Context
	budget *Budget
	r      io.Reader
}

// smallRead keeps the time between two looks at the context short.
const smallRead = 64 << 10

func (l *limitedReader) Read(p []byte) (int, error) {
	if err := l.ctx.Err(); err != nil {
		return 0, err
	}
	if len(p) > smallRead {
		p = p[:smallRead]
	}
	n, err := l.r.Read(p)
	if over := l.budget.Take(int64(n)); over != nil {
		return 0, over
	}
	return n, err
}

// ContextReader returns a reader that ends with the context's error.
func ContextReader(ctx context.Context, r io.Reader) io.Reader {
	return &limitedReader{ctx: ctx, budget: &Budget{left: math.MaxInt64}, r: r}
}

// Recover turns a panic of a parser into an error: hostile files find the one
// index that nobody checked.
func Recover(err *error) {
	if p := recover(); p != nil {
		*err = &Error{Reason: Damaged, Text: "its content is not as its format wants it", Err: fmt.Errorf("panic: %v", p)}
	}
}
