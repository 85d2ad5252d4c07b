package app

import (
	"context"
	"sync"
	"time"
)

// memoryProbe is how much memory is read to see how fast that goes: more than
// caches hold.
const memoryProbe = 256 << 20

// memoryBound is the size in bytes from which the weights of a model are read
// from memory for each token: those of smaller models stay in caches.
const memoryBound = 128 << 20

// memoryLimit measures how fast this machine reads memory where that is what
// limits the model: a language model reads all its weights for each token. 0:
// it is not.
func (a *App) memoryLimit(ctx context.Context, e entry) (float64, error) {
	if free := availableMemory(); !e.Writes() || e.Bytes < memoryBound || free > 0 && free < 4*memoryProbe {
		return 0, nil
	}
	threads := 1
	if d := a.Devices()[0]; d.Threads > 0 {
		threads = d.Threads
	}
	return readSpeed(ctx, memoryProbe, threads)
}

// readSpeed is how many bytes a second the given number of threads read, of so
// many bytes that lie one after the other: the best of five times.
func readSpeed(ctx context.Context, bytes, threads int) (float64, error) {
	words := make([]uint64, bytes/8)
	for i := range words {
		words[i] = uint64(i) // each page is there before it is read
	}
	best := 0.0
	sums := make([]uint64, threads)
	for range 5 {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		start := time.Now()
		var all sync.WaitGroup
		for t := range threads {
			part := words[t*len(words)/threads : (t+1)*len(words)/threads]
			all.Go(func() { sums[t] += sumWords(part) })
		}
		all.Wait()
		best = max(best, float64(bytes)/time.Since(start).Seconds())
	}
	if total := sumWords(sums); total == 0 && bytes >= 16 { // so that the sums are needed
		return 0, nil
	}
	return best, nil
}

// sumWords adds in four sums, so that reading is what takes time.
func sumWords(s []uint64) uint64 {
	var a, b, c, d uint64
	for len(s) >= 4 {
		a, b, c, d = a+s[0], b+s[1], c+s[2], d+s[3]
		s = s[4:]
	}
	for _, v := range s {
		a += v
	}
	return a + b + c + d
}
