package vectors

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
)

// A Neighbour is a row and its dot product with the query.
type Neighbour struct {
	Row   int64
	Score float32
}

// blockRows is how many rows a thread multiplies at a time: about what its
// cache holds.
const blockRows = 1024

// Nearest returns the n rows of a set of rows with the largest dot products with
// a query, the largest first. In a large set, sketches of the vectors rule out
// those that are hardly among the n; what is left is compared exactly. Searches
// that went that way are checked later: see Checks.
func (s *Set) Nearest(ctx context.Context, query []float32, n int, among Bitmap) ([]Neighbour, error) {
	if err := s.check(query); err != nil {
		return nil, err
	}
	if n <= 0 {
		return nil, nil
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.rows() < s.from {
		return s.everywhere(ctx, query, n, among)
	}
	found, err := s.bySketches(ctx, query, n, among)
	if err == nil {
		s.checkLater(query, among)
	}
	return found, err
}

// everywhere finds the rows nearest to a query. The result is that of comparing
// all vectors exactly: rows of bytes only rule out those that cannot be among the
// n, by the error that each of them states, and the others are multiplied as
// floats. mu is held.
func (s *Set) everywhere(ctx context.Context, query []float32, n int, among Bitmap) ([]Neighbour, error) {
	rows := min(s.rows(), 64*len(among))
	scans := make([]*scan, min(runtime.GOMAXPROCS(0), 1+rows/(16*blockRows)))
	err := together(len(scans), func(i int) error {
		scans[i] = &scan{set: s, query: query, n: n, among: among, length: length(query)}
		return scans[i].blocks(ctx, i*blockRows, len(scans)*blockRows, rows)
	})
	if err != nil {
		return nil, err
	}
	return s.exact(ctx, query, n, merged(scans, n))
}

// A scan is what one thread finds in its blocks.
type scan struct {
	set        *Set
	query      []float32
	length     float32
	n          int
	among      Bitmap
	best       lowest      // the n largest lower bounds
	candidates []Neighbour // with upper bounds
	sieve      int         // how many candidates there are when they are sieved again
}

// blocks scans the blocks that begin at first, first+step, …
func (c *scan) blocks(ctx context.Context, first, step, rows int) error {
	var buffer []byte
	products := make([]float32, blockRows)
	stride := c.set.bytes.stride
	for ; first < rows; first += step {
		if err := ctx.Err(); err != nil {
			return err
		}
		last := min(first+blockRows, rows)
		if !c.among.any(first, last) {
			continue
		}
		block, err := c.set.bytes.read(first, last-first, &buffer)
		if err != nil {
			return err
		}
		out := products[:last-first]
		c.set.scanner.Bytes(out, c.query, asBytes(block), stride)
		for i, product := range out {
			if c.among.Has(first + i) {
				scale, off := scaleAndError(block[i*stride:][:stride])
				c.found(int64(first+i), scale*product, c.length*off+rounding)
			}
		}
	}
	return nil
}

// rounding bounds what the order of additions changes in a dot product of
// vectors of unit length.
const rounding = 1e-5

// found adds a row whose dot product is about score, wrong by at most off.
func (c *scan) found(row int64, score, off float32) {
	if c.best.full(c.n) && score+off < c.best[0] {
		return
	}
	c.best.add(score-off, c.n)
	c.candidates = append(c.candidates, Neighbour{row, score + off})
	if len(c.candidates) >= max(c.sieve, 4*c.n, 1024) {
		c.candidates = atLeast(c.candidates, c.best[0])
		c.sieve = 2 * len(c.candidates)
	}
}

// merged returns the rows that may be among the n nearest, in order of rows.
func merged(scans []*scan, n int) []int64 {
	var best lowest
	for _, c := range scans {
		for _, score := range c.best {
			best.add(score, n)
		}
	}
	bound := float32(math.Inf(-1))
	if best.full(n) {
		bound = best[0]
	}
	var rows []int64
	for _, c := range scans {
		for _, found := range atLeast(c.candidates, bound) {
			rows = append(rows, found.Row)
		}
	}
	slices.Sort(rows)
	return rows
}

func atLeast(found []Neighbour, bound float32) []Neighbour {
	return slices.DeleteFunc(found, func(f Neighbour) bool { return f.Score < bound })
}

// exact multiplies rows as floats and returns the n best.
func (s *Set) exact(ctx context.Context, query []float32, n int, rows []int64) ([]Neighbour, error) {
	var buffer []byte
	found := make([]Neighbour, 0, len(rows))
	for i, row := range rows {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		v, err := s.floats.read(int(row), 1, &buffer)
		if err != nil {
			return nil, fmt.Errorf("vector %d: %w", row, err)
		}
		var product [1]float32
		s.scanner.Floats(product[:], query, asFloats(v))
		found = append(found, Neighbour{row, product[0]})
	}
	slices.SortFunc(found, func(a, b Neighbour) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Row, b.Row))
	})
	return found[:min(n, len(found))], nil
}

func length(v []float32) float32 {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	return float32(math.Sqrt(sum))
}

// lowest is a heap of scores with the lowest at its top.
type lowest []float32

func (h lowest) full(n int) bool { return len(h) >= n }

// add puts a score in, and takes the lowest out if there are more than n.
func (h *lowest) add(score float32, n int) {
	if h.full(n) {
		if score > (*h)[0] {
			(*h)[0] = score
			h.down()
		}
		return
	}
	*h = append(*h, score)
	for i := len(*h) - 1; i > 0 && (*h)[i] < (*h)[(i-1)/2]; i = (i - 1) / 2 {
		(*h)[i], (*h)[(i-1)/2] = (*h)[(i-1)/2], (*h)[i]
	}
}

func (h lowest) down() {
	for i := 0; ; {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(h); child++ {
			if h[child] < h[least] {
				least = child
			}
		}
		if least == i {
			return
		}
		h[i], h[least] = h[least], h[i]
		i = least
	}
}
