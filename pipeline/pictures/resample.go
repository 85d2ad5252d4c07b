package pictures

import (
	"context"
	"math"
)

// precision is PIL's of the factors: they are whole numbers of that many bits behind the point.
const precision = 32 - 8 - 2

// factors says how one row or column of the result is made: of the pixels from first on.
type factors struct {
	first int
	by    []int32 // sum 1<<precision
}

// filter says how much a pixel counts that is so far from the middle; reach is where it ends.
type filter struct {
	reach float64
	at    func(distance float64) float64
}

// The filters are PIL's: Keys' cubic with a = -0.5, and a triangle.
var (
	bicubic  = filter{2, cubic}
	bilinear = filter{1, func(x float64) float64 { return max(0, 1-math.Abs(x)) }}
)

// factors returns the factors of the results [from, to) where n pixels become out. The filter is
// as wide as the pixels that become one, so that nothing is left out. Rounding is PIL's.
func (k filter) factors(n, out, from, to int) []factors {
	scale := float64(n) / float64(out)
	wide := max(scale, 1)
	narrow := 1 / wide // PIL multiplies, which rounds in another way than a division
	fs := make([]factors, 0, to-from)
	for i := from; i < to; i++ {
		center := (float64(i) + 0.5) * scale
		first, end := max(int(center-k.reach*wide+0.5), 0), min(int(center+k.reach*wide+0.5), n)
		weights, sum := make([]float64, end-first), 0.0
		for i := range weights {
			weights[i] = k.at((float64(i+first) - center + 0.5) * narrow)
			sum += weights[i]
		}
		f := factors{first, make([]int32, len(weights))}
		for i, w := range weights {
			f.by[i] = int32(math.Round(w / sum * (1 << precision)))
		}
		fs = append(fs, f)
	}
	return fs
}

func cubic(x float64) float64 {
	const a = -0.5
	x = math.Abs(x)
	switch {
	case x < 1:
		return ((a+2)*x-(a+3))*x*x + 1
	case x < 2:
		return (((x-5)*x+8)*x - 4) * a
	}
	return 0
}

// same are the factors where nothing is scaled.
func same(from, to int) []factors {
	fs := make([]factors, 0, to-from)
	for i := from; i < to; i++ {
		fs = append(fs, factors{i, []int32{1 << precision}})
	}
	return fs
}

// scaled returns a part of a picture that is scaled to width × height: the columns and rows
// [left, left+cols) and [top, top+rows) of the result, three values a pixel. Like PIL it scales
// the columns first, and rounds in between.
func (p picture) scaled(ctx context.Context, by filter, width, height, left, top, cols, rows int) ([]uint8, error) {
	across, down := same(left, left+cols), same(top, top+rows)
	if width != p.width {
		across = by.factors(p.width, width, left, left+cols)
	}
	if height != p.height {
		down = by.factors(p.height, height, top, top+rows)
	}
	last := down[rows-1]
	firstRow, endRow := down[0].first, last.first+len(last.by)
	firstCol, endCol := across[0].first, across[cols-1].first+len(across[cols-1].by)
	line := make([]uint8, 3*(endCol-firstCol))
	narrow := make([]uint8, 3*cols*(endRow-firstRow))
	for y := firstRow; y < endRow; y++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for x := firstCol; x < endCol; x++ {
			r, g, b := p.at(x, y)
			at := 3 * (x - firstCol)
			line[at], line[at+1], line[at+2] = r, g, b
		}
		to := narrow[3*cols*(y-firstRow):]
		for i, f := range across {
			for c := range 3 {
				to[3*i+c] = f.sum(line[3*(f.first-firstCol)+c:], 3)
			}
		}
	}
	out := make([]uint8, 3*cols*rows)
	for j, f := range down {
		for i := range 3 * cols {
			out[3*cols*j+i] = f.sum(narrow[3*cols*(f.first-firstRow)+i:], 3*cols)
		}
	}
	return out, nil
}

// sum adds up values that are so far apart.
func (f factors) sum(values []uint8, apart int) uint8 {
	total := int64(1) << (precision - 1)
	for k, by := range f.by {
		total += int64(values[k*apart]) * int64(by)
	}
	return uint8(min(max(total>>precision, 0), 255))
}
