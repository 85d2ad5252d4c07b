package texts

import (
	"cmp"
	"math"
	"slices"

	"inglenook/vecmath"
)

const (
	// pcaRounds bounds the power iteration: two directions that take longer to
	// part explain almost the same share, and either order is as good.
	pcaRounds = 100
	// pcaSettled is the change of direction (1 - cosine) below which the
	// iteration ends.
	pcaSettled = 1e-12
	// pcaNoise is the share of the variance below which a direction is
	// rounding noise, not structure.
	pcaNoise = 1e-9
	// pcaEqual is the variance, as a share of the vectors' own squares, below
	// which the texts do not differ: float32 rounding alone makes about 1e-15.
	pcaEqual = 1e-12
)

// project puts vectors [n, d] on the plane of their first two principal
// components, found by power iteration with deflation. The points lie within
// -1 and 1 with one scale for both axes; explained is the share of the variance
// of each axis. The signs are fixed (the point farthest out on an axis is
// positive), so equal vectors always give the same picture. Texts that do not
// differ give points at zero. Between rounds it asks whether to go on.
func project(vectors [][]float32, goOn func() error) (points [][2]float64, explained [2]float64, err error) {
	points = make([][2]float64, len(vectors))
	x := centered(vectors)
	total, length := 0.0, 0.0
	for i, row := range x {
		total += squares(row)
		length += vecmath.Dot(vectors[i], vectors[i])
	}
	if total <= pcaEqual*length {
		return points, explained, nil
	}
	for axis := range explained {
		direction, variance, err := principal(x, goOn)
		if err != nil {
			return nil, explained, err
		}
		if variance <= pcaNoise*total {
			break
		}
		explained[axis] = variance / total
		for i, row := range x {
			points[i][axis] = inner(row, direction)
			deflate(row, direction)
		}
		faceOutward(points, axis)
	}
	fitSquare(points)
	return points, explained, nil
}

// principal finds the direction of the largest variance and that variance (the
// sum of squares along it), by power iteration from the longest row.
func principal(x [][]float64, goOn func() error) (direction []float64, variance float64, err error) {
	longest := slices.MaxFunc(x, func(a, b []float64) int { return cmp.Compare(squares(a), squares(b)) })
	v := slices.Clone(longest)
	if !unit(v) {
		return nil, 0, nil
	}
	for range pcaRounds {
		if err := goOn(); err != nil {
			return nil, 0, err
		}
		next := make([]float64, len(v))
		variance = 0
		for _, row := range x {
			along := inner(row, v)
			variance += along * along
			for k, e := range row {
				next[k] += along * e
			}
		}
		if !unit(next) {
			return v, 0, nil
		}
		settled := 1-math.Abs(inner(v, next)) < pcaSettled
		v = next
		if settled {
			break
		}
	}
	return v, variance, nil
}

// deflate subtracts from a row its component along a direction.
func deflate(row, direction []float64) {
	along := inner(row, direction)
	for k := range row {
		row[k] -= along * direction[k]
	}
}

// unit scales v to length 1; false where it has none.
func unit(v []float64) bool {
	length := math.Sqrt(squares(v))
	if length == 0 || math.IsInf(length, 0) || math.IsNaN(length) {
		return false
	}
	for k := range v {
		v[k] /= length
	}
	return true
}

func centered(vectors [][]float32) [][]float64 {
	if len(vectors) == 0 {
		return nil
	}
	mean := make([]float64, len(vectors[0]))
	for _, v := range vectors {
		for k, e := range v {
			mean[k] += float64(e) / float64(len(vectors))
		}
	}
	x := make([][]float64, len(vectors))
	for i, v := range vectors {
		x[i] = make([]float64, len(v))
		for k, e := range v {
			x[i][k] = float64(e) - mean[k]
		}
	}
	return x
}

// faceOutward turns an axis so that the point farthest out is positive; of two
// equally far ones the first decides.
func faceOutward(points [][2]float64, axis int) {
	farthest := 0.0
	for _, p := range points {
		if math.Abs(p[axis]) > math.Abs(farthest)*(1+1e-9) {
			farthest = p[axis]
		}
	}
	if farthest >= 0 {
		return
	}
	for i := range points {
		points[i][axis] = -points[i][axis]
	}
}

// fitSquare scales the points into -1..1 with one scale for both axes.
func fitSquare(points [][2]float64) {
	far := 0.0
	for _, p := range points {
		far = max(far, math.Abs(p[0]), math.Abs(p[1]))
	}
	if far == 0 {
		return
	}
	for i := range points {
		points[i][0] /= far
		points[i][1] /= far
	}
}

func squares(v []float64) float64 { return inner(v, v) }

func inner(a, b []float64) (s float64) {
	for k := range a {
		s += a[k] * b[k]
	}
	return s
}
