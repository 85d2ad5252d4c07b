package cli

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/dustin/go-humanize"

	"inglenook/app/base"
)

// barEvery is how often the line is drawn, barAfter how long nothing is: work
// that ends at once needs no line.
const (
	barEvery = 100 * time.Millisecond
	barAfter = 500 * time.Millisecond
)

// Elsewhere than in a terminal, one line says that a server is awaited after so many seconds, and
// another one each time after so many more.
const (
	awaitedAfter = int64(base.LongWait / time.Second)
	awaitedEvery = 60
)

// bar draws progress in one line of a terminal. Elsewhere it only says when a server is awaited for long.
type bar struct {
	w     io.Writer // nil: nothing is drawn
	lines io.Writer // nil: w is a terminal

	mu    sync.Mutex
	start time.Time
	drawn time.Time
	width int
	told  int64 // seconds for which a server was awaited, when that was said last; 0: it was not
}

func newBar(w io.Writer) *bar {
	if !isTerminal(w) {
		return &bar{lines: w, start: time.Now()}
	}
	return &bar{w: w, start: time.Now()}
}

func (b *bar) report(p base.Progress) {
	b.show(progressLine(p))
	b.awaited(p)
}

// awaited says in a line of its own that a server is awaited for long.
func (b *bar) awaited(p base.Progress) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if p.Server == "" || p.Done < b.told {
		b.told = 0
	}
	if b.lines == nil || p.Server == "" || p.Done < awaitedAfter || b.told > 0 && p.Done < b.told+awaitedEvery {
		return
	}
	b.told = p.Done
	fmt.Fprintln(b.lines, progressLine(p))
}

func (b *bar) show(line string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	if b.w == nil || now.Sub(b.start) < barAfter || now.Sub(b.drawn) < barEvery {
		return
	}
	b.drawn = now
	b.draw(inLine(line))
}

// clear removes the line, because other work begins.
func (b *bar) clear() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.start = time.Now()
	if b.w != nil && b.width > 0 {
		b.draw("")
		fmt.Fprint(b.w, "\r")
		b.width = 0
	}
}

func (b *bar) draw(line string) {
	fmt.Fprintf(b.w, "\r%s%s", line, strings.Repeat(" ", max(0, b.width-len(line))))
	b.width = len(line)
}

func progressLine(p base.Progress) string {
	count := func(n int64) string { return humanize.Comma(n) }
	if p.Unit == "bytes" {
		count = func(n int64) string { return humanize.Bytes(uint64(max(0, n))) }
	}
	switch {
	case p.Fails != "":
		return fmt.Sprintf("waiting for %s, which %s", inLine(p.Server), inLine(p.Fails))
	case p.Server != "":
		return fmt.Sprintf("waiting for %s (%d s)", inLine(p.Server), p.Done)
	case p.Total == 0:
		return p.Stage
	}
	line := fmt.Sprintf("%s: %s of %s", p.Stage, count(p.Done), count(p.Total))
	if p.Unit != "bytes" {
		line += " " + p.Unit
	}
	if p.Speed > 0 {
		line += fmt.Sprintf(", %s/s", humanize.Bytes(uint64(p.Speed)))
	}
	if p.Left > 0 {
		line += fmt.Sprintf(", %s left", p.Left.Round(time.Second))
	}
	return line
}
