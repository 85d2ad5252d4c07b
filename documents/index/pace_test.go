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

// How much is done does not fall, counts what was read before, and goes by work instead of by files.
func TestPart(t *testing.T) {
	p := newPace(time.Unix(1000, 0))
	p.stands("kept.txt", 100<<10)
	p.waits("a.txt", 100<<10)
	p.waits("b.txt", 200<<10)
	if got := p.part(); got != 0.25 {
		t.Errorf("%v before anything is read", got)
	}
	p.was("a.txt", 100<<10, 20_000)
	if got := p.part(); got != 0.25 {
		t.Errorf("%v when a file waits for the embedder", got)
	}
	p.embedded(20_000)
	if got := p.part(); got != 0.5 {
		t.Errorf("%v after one of two files", got)
	}
	p.was("b.txt", 200<<10, 400_000)
	if got := p.part(); got != 0.5 {
		t.Errorf("%v where the second is longer than it seemed", got)
	}
	p.embedded(400_000)
	if got := p.part(); got != 1 {
		t.Errorf("%v at the end", got)
	}
}
