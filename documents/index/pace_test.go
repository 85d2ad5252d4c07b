package index

import (
	"testing"
	"time"
)

func TestTimeLeft(t *testing.T) {
	start := time.Unix(1000, 0)
	p := newPace(start)
	p.waits("a.pdf", 1<<20)
	p.waits("b.pdf", 1<<20)
	p.waits("c.txt", 100<<10)
	if p.timeLeft(start.Add(time.Minute)) != 0 {
		t.Error("an estimate out of nothing")
	}
	p.was("a.pdf", 1<<20, 10_000)
	p.embedded(5_000)
	now := start.Add(10 * time.Second)
	// 5,000 tokens wait, b.pdf has 10,000, and c.txt is taken to be like a PDF: 976.
	if got := p.timeLeft(now).Round(time.Second); got != 32*time.Second || p.perSecond(now) != 500 {
		t.Errorf("%v left at %v tokens/s", got, p.perSecond(now))
	}
	p.was("c.txt", 100<<10, 25_000)
	if got := p.timeLeft(now).Round(time.Second); got != 80*time.Second {
		t.Errorf("%v left", got)
	}
	p.was("b.pdf", 1<<20, 0) // it could not be read
	p.embedded(30_000)
	if got := p.timeLeft(now.Add(time.Second)); got != 0 {
		t.Errorf("%v left at the end", got)
	}
}
