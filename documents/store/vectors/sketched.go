package vectors

import (
	"context"
	"math"
	"runtime"
	"sync"
)

// sketchFrom is how many rows are searched by sketches. Fewer are searched in
// some milliseconds as they are.
const sketchFrom = 50_000

// gathered is how many rows that lie apart a thread copies together before it
// multiplies them.
const gathered = 64

// likely is how many rows are compared first for each that is asked for. The more
// there are, the fewer of the others are possible.
const likely = 4

// bySketches finds the rows nearest to a query like everywhere, but reads the
// vectors of those rows alone whose sketch leaves it possible that they are among
// the n. mu is held.
func (s *Set) bySketches(ctx context.Context, query []float32, n int, among Bitmap) ([]Neighbour, error) {
	rows := min(s.rows(), 64*len(among))
	p := s.sketcher.query(query)
	kept := s.estimatesOf(rows)
	defer s.spare.Put(kept)
	estimates := *kept
	threads := min(runtime.GOMAXPROCS(0), 1+rows/(64*blockRows))
	parts := make([]sketched, threads)
	err := together(threads, func(i int) error {
		parts[i] = sketched{set: s, planes: p, among: among, estimates: estimates, most: likely * n}
		return parts[i].blocks(ctx, i*blockRows, threads*blockRows, rows)
	})
	if err != nil {
		return nil, err
	}
	// What the n best of the likeliest rows have, the n nearest have at least.
	var likeliest lowest
	var off float32
	for _, part := range parts {
		off = max(off, part.off)
		for _, e := range part.best {
			likeliest.add(e, likely*n)
		}
	}
	if len(likeliest) == 0 {
		return nil, nil
	}
	least := float32(math.Inf(-1))
	if first := above(estimates, 0, likeliest[0], nil); len(first) >= n {
		best, err := s.exact(ctx, query, n, first)
		if err != nil {
			return nil, err
		}
		least = best[n-1].Score
	}
	scans := make([]*scan, threads)
	err = together(threads, func(i int) error {
		first, last := i*rows/threads, (i+1)*rows/threads
		scans[i] = &scan{set: s, query: query, n: n, among: among, length: length(query)}
		return scans[i].rows(ctx, above(estimates[first:last], first, least-off, among))
	})
	if err != nil {
		return nil, err
	}
	return s.exact(ctx, query, n, merged(scans, n))
}

// estimatesOf returns room for the estimates of so many rows, all of which are
// written before they are read.
func (s *Set) estimatesOf(rows int) *[]float32 {
	kept, ok := s.spare.Get().(*[]float32)
	if !ok || cap(*kept) < rows {
		kept = new([]float32)
		*kept = make([]float32, rows+rows/8)
	}
	*kept = (*kept)[:rows]
	return kept
}

// above returns the rows whose estimate is at least so much. The estimates are those
// of the rows from first on.
func above(estimates []float32, first int, least float32, among Bitmap) (rows []int64) {
	for i, e := range estimates {
		if e >= least && (among == nil || among.Has(first+i)) {
			rows = append(rows, int64(first+i))
		}
	}
	return rows
}

// together runs n parts of a search side by side and returns the first error.
func together(n int, part func(i int) error) error {
	errs := make([]error, n)
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() { errs[i] = part(i) })
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// sketched is what one thread finds in its blocks.
type sketched struct {
	set       *Set
	planes    *planes
	among     Bitmap
	estimates []float32 // of all rows; those that do not count have the least there is
	most      int
	best      lowest  // the largest estimates
	off       float32 // how far an estimate may be off, at most
}

// blocks looks at the blocks that begin at first, first+step, …
func (k *sketched) blocks(ctx context.Context, first, step, rows int) error {
	var buffer []byte
	stride := k.set.bits.stride
	levels, ones := make([]int32, blockRows), make([]int32, blockRows)
	for ; first < rows; first += step {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := min(blockRows, rows-first)
		if !k.among.any(first, first+n) {
			for i := range n {
				k.estimates[first+i] = float32(math.Inf(-1))
			}
			continue
		}
		block, err := k.set.bits.read(first, n, &buffer)
		if err != nil {
			return err
		}
		k.set.scanner.Bits(levels[:n], ones[:n], k.planes.words, block, stride)
		k.estimate(first, levels[:n], ones[:n], block)
	}
	return nil
}

// estimate fills in the estimates of a block whose bits are counted.
func (k *sketched) estimate(first int, levels, ones []int32, block []byte) {
	estimates, stride, off := k.estimates[first:][:len(levels)], k.set.bits.stride, k.off
	least := float32(math.Inf(-1))
	if k.best.full(k.most) {
		least = k.best[0]
	}
	for i, ones := range ones {
		if !k.among.Has(first + i) {
			estimates[i] = float32(math.Inf(-1))
			continue
		}
		product, o := k.planes.estimate(block[i*stride:][:stride], levels[i], ones)
		estimates[i] = product
		if o > off {
			off = o
		}
		if product > least {
			if k.best.add(product, k.most); k.best.full(k.most) {
				least = k.best[0]
			}
		}
	}
	k.off = off
}

// rows scans rows that lie apart.
func (c *scan) rows(ctx context.Context, rows []int64) error {
	table := c.set.bytes
	block := make([]byte, gathered*table.stride)
	products := make([]float32, gathered)
	for len(rows) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		batch := rows[:min(gathered, len(rows))]
		rows = rows[len(batch):]
		if err := table.gather(batch, block); err != nil {
			return err
		}
		out := products[:len(batch)]
		c.set.scanner.Bytes(out, c.query, asBytes(block), table.stride)
		for i, product := range out {
			scale, off := scaleAndError(block[i*table.stride:][:table.stride])
			c.found(batch[i], scale*product, c.length*off+rounding)
		}
	}
	return nil
}
