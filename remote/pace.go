package remote

import (
	"math"
	"sync"
	"time"
)

// A request has at most so many texts and bytes of them: what small servers take, and
// small enough that replicas end at about the same time.
const (
	requestTexts = 15 // and one of the probe
	requestBytes = 128 << 10

	leastTexts = 2 // where several replicas share the work
	restPieces = 4 // in which each replica could do its part of what is left
)

// A replica has so many requests at once: two, so that it need not wait for the network
// between them, and more where the way to it takes long.
const (
	leastDepth = 2
	mostDepth  = 8
)

// pace is how fast a replica answers. The shortest request tells how long the way there
// takes, the others how long a text takes beyond that.
type pace struct {
	mu     sync.Mutex
	least  float64 // seconds of a request; 0: none is known
	weight float64 // seconds for one of weight 1, beyond that
	text   float64 // weight of a text
	most   float64 // seconds for one of weight 1, the way there included; of the slowest lately
}

// ofNew is how much a new measurement counts beside those before.
const ofNew = 0.3

// weightOf is how much work texts are, about their bytes.
func weightOf(texts []string) (n int) {
	for _, t := range texts {
		n += len(t) + 64
	}
	return n
}

// took notes how long a request took.
func (p *pace) took(d time.Duration, weight, texts int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := max(d.Seconds(), 1e-6)
	p.most = max(s/float64(weight), (1-ofNew)*p.most)
	if p.least == 0 {
		p.least, p.weight, p.text = s, 0, float64(weight)/float64(texts)
		return
	}
	p.least = min(p.least, s)
	now := (s - p.least) / float64(weight)
	if p.weight == 0 {
		p.weight = now
	}
	p.weight += ofNew * (now - p.weight)
	p.text += ofNew * (float64(weight)/float64(texts) - p.text)
}

// expected is how long a request of a weight will take; 0: not known.
func (p *pace) expected(weight int) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return time.Duration((p.least + p.weight*float64(weight)) * float64(time.Second))
}

// longest is how long a request of a weight takes at most, if it goes as with the slowest lately;
// 0: not known.
func (p *pace) longest(weight int) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return time.Duration(p.most * float64(weight) * float64(time.Second))
}

// texts is how many texts a request has at least, so that the way there does not take
// longer than the work.
func (p *pace) texts() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.atLeast()
}

func (p *pace) atLeast() int {
	each := p.weight * p.text
	if each == 0 {
		return leastTexts
	}
	return int(max(leastTexts, min(requestTexts, math.Ceil(p.least/each))))
}

// depth is how many requests are under way at once, so that the replica works while
// others are on their way.
func (p *pace) depth() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	each := p.weight * p.text * float64(p.atLeast())
	if each == 0 {
		return leastDepth
	}
	return int(max(leastDepth, min(mostDepth, 1+math.Ceil(p.least/each))))
}
