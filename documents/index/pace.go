package index

import (
	"path/filepath"
	"strings"
	"time"
)

// pace estimates how long the rest takes. How many tokens a file has is not known
// before it is read, so files that were not read yet are taken to have as many a
// byte as those of the same ending, or of all endings.
type pace struct {
	start  time.Time
	rested time.Duration // says nothing about speed

	left  map[string]int64 // bytes to read, by ending
	kept  map[string]int64 // bytes of files that an earlier run has read, by ending
	read  map[string]ratio
	all   ratio
	ahead int64 // tokens that were read and not embedded yet
	done  int64 // tokens that were embedded
	share float64
}

// ratio is how many tokens so many bytes of files have.
type ratio struct{ tokens, bytes int64 }

// settled is how many bytes make a ratio that can be trusted.
const settled = 64 << 10

// paceAfter is how long the work runs before the time left is estimated.
const paceAfter = 2 * time.Second

func newPace(now time.Time) *pace {
	return &pace{start: now, left: map[string]int64{}, kept: map[string]int64{}, read: map[string]ratio{}}
}

func ending(path string) string { return strings.ToLower(filepath.Ext(path)) }

// waits notes a file that will be read.
func (p *pace) waits(path string, size int64) { p.left[ending(path)] += size }

// stands notes a file that was read before.
func (p *pace) stands(path string, size int64) { p.kept[ending(path)] += size }

// was notes that a file was read, or will not be; tokens are to be embedded.
func (p *pace) was(path string, size, tokens int64) {
	e := ending(path)
	p.left[e] -= size
	p.ahead += tokens
	p.read[e] = p.read[e].plus(tokens, size)
	p.all = p.all.plus(tokens, size)
}

// embedded notes tokens that are done.
func (p *pace) embedded(tokens int64) {
	p.ahead -= tokens
	p.done += tokens
}

func (r ratio) plus(tokens, bytes int64) ratio { return ratio{r.tokens + tokens, r.bytes + bytes} }

func (r ratio) of(bytes int64) float64 {
	if r.bytes <= 0 {
		return 0
	}
	return float64(bytes) * float64(r.tokens) / float64(r.bytes)
}

// perSecond is how many tokens were embedded in a second.
func (p *pace) perSecond(now time.Time) float64 {
	if took := now.Sub(p.start) - p.rested; took > 0 {
		return float64(p.done) / took.Seconds()
	}
	return 0
}

// timeLeft is an estimate; 0: unknown.
func (p *pace) timeLeft(now time.Time) time.Duration {
	speed := p.perSecond(now)
	if speed <= 0 || now.Sub(p.start)-p.rested < paceAfter {
		return 0
	}
	return time.Duration(p.tokensLeft() / speed * float64(time.Second))
}

// tokensLeft is an estimate of how many tokens are still to be embedded.
func (p *pace) tokensLeft() float64 { return float64(p.ahead) + p.tokensOf(p.left) }

// tokensOf is an estimate of how many tokens files have, by their bytes.
func (p *pace) tokensOf(bytes map[string]int64) (tokens float64) {
	for e, n := range bytes {
		r := p.read[e]
		if r.bytes < settled {
			r = p.all
		}
		tokens += r.of(n)
	}
	return tokens
}

// part is how much of all files is read, from 0 to 1, by the work that they take. It does not fall
// where a file turns out to be longer than it was taken for.
func (p *pace) part() float64 {
	done, left := float64(p.done)+p.tokensOf(p.kept), p.tokensLeft()
	if p.all.tokens == 0 { // nothing is known of any file
		done, left = 0, 0
		for _, n := range p.kept {
			done += float64(n)
		}
		for _, n := range p.left {
			left += float64(n)
		}
	}
	if all := done + left; all > 0 {
		p.share = max(p.share, done/all)
	}
	return p.share
}
