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

// bySketches finds the rows nearest to a query like everywhere, but reads the
// vectors of those rows alone whose sketch leaves it possible that they are among
// the n. mu is held.
func (s *Set) bySketches(ctx context.Context, query []float32, n int, among Bitmap) ([]Neighbour, error) {
	rows := min(s.rows(), 64*len(among))
	p := s.sketcher.query(query)
	estimates := make([]float32, rows)
	threads := min(runtime.GOMAXPROCS(0), 1+rows/(64*blockRows))
	parts := make([]sketched, threads)
	err := together(threads, func(i int) error {
		parts[i] = sketched{set: s, planes: p, among: among, estimates: estimates, most: 2 * n}
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
			likeliest.add(e, 2*n)
		}
	}
	if len(likeliest) == 0 {
		return nil, nil
	}
	least := float32(math.Inf(-1))
	if first := above(estimates, likeliest[0], nil); len(first) >= n {
		best, err := s.exact(ctx, query, n, first)
		if err != nil {
			return nil, err
		}
		least = best[n-1].Score
	}
	possible := above(estimates, least-off, among)
	scans := make([]*scan, min(threads, 1+len(possible)/blockRows))
	err = together(len(scans), func(i int) error {
		scans[i] = &scan{set: s, query: query, n: n, among: among, length: length(query)}
		return scans[i].rows(ctx, possible[i*len(possible)/len(scans):(i+1)*len(possible)/len(scans)])
	})
	if err != nil {
		return nil, err
	}
	return s.exact(ctx, query, n, merged(scans, n))
}

// above returns the rows whose estimate is at least so much.
func above(estimates []float32, least float32, among Bitmap) (rows []int64) {
	for row, e := range estimates {
		if e >= least && (among == nil || among.Has(row)) {
			rows = append(rows, int64(row))
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
		for i := range n {
			if !k.among.Has(first + i) {
				k.estimates[first+i] = float32(math.Inf(-1))
				continue
			}
			product, off := k.planes.estimate(block[i*stride:][:stride], levels[i], ones[i])
			k.estimates[first+i], k.off = product, max(k.off, off)
			if !k.best.full(k.most) || product > k.best[0] {
				k.best.add(product, k.most)
			}
		}
	}
	return nil
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
