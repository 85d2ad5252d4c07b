package engine

import (
	"fmt"
	"math"
)

// Embed looks up rows of a weight table [vocab, hidden] by ids [n, 1]:
// result [n, hidden]. Operands: table, ids.
func (g *Graph) Embed(table, ids *Tensor) *Tensor {
	if g.err != nil {
		return &Tensor{}
	}
	if err := needWeight(OpEmbed, "table", table, 0, 0); err != nil {
		return g.Fail(err)
	}
	if table.Parts > 1 {
		return g.Fail(fmt.Errorf("embed %s: a table is one matrix, not %d", table.Name, table.Parts))
	}
	if err := needIndexes(OpEmbed, table.Name, ids, table.Rows); err != nil {
		return g.Fail(err)
	}
	return g.floats(OpEmbed, table.Name, ids.Rows, table.Cols, table, ids)
}

// Linear computes act(x·wᵀ + bias): x [n, in], w [out, in] as checkpoints
// store it, bias [1, out] or nil; result [n, out]. Operands: x, w, bias.
func (g *Graph) Linear(x, w, bias *Tensor, act Activation) *Tensor {
	if g.err != nil {
		return &Tensor{}
	}
	if err := needFloats(OpLinear, w.label(), x); err != nil {
		return g.Fail(err)
	}
	if err := needWeight(OpLinear, "weight", w, 0, x.Cols); err != nil {
		return g.Fail(err)
	}
	if w.Parts > 1 {
		return g.Fail(fmt.Errorf("linear %s: the weight is %d matrices, not one", w.Name, w.Parts))
	}
	if bias != nil {
		if err := needWeight(OpLinear, "bias", bias, 1, w.Rows); err != nil {
			return g.Fail(err)
		}
	}
	if int(act) >= len(activationNames) {
		return g.Fail(fmt.Errorf("linear %s: unknown %s", w.Name, act))
	}
	return withParams(g.floats(OpLinear, w.Name, x.Rows, w.Rows, x, w, bias), LinearParams{act, g.Rounds})
}

// Add sums two matrices of equal shape. Operands: a, b.
func (g *Graph) Add(a, b *Tensor) *Tensor {
	if g.err != nil {
		return &Tensor{}
	}
	for _, t := range []*Tensor{a, b} {
		if err := needFloats(OpAdd, t.label(), t); err != nil {
			return g.Fail(err)
		}
	}
	if a.Rows != b.Rows || a.Cols != b.Cols {
		return g.Fail(fmt.Errorf("add: %s %s and %s %s differ in shape", a.label(), a.shape(), b.label(), b.shape()))
	}
	return g.floats(OpAdd, "", a.Rows, a.Cols, a, b)
}

// LayerNorm normalizes each row of x + residual to mean 0 and variance 1
// (biased, plus epsilon), then scales by w and shifts by bias (Ba, Kiros and
// Hinton 2016, arXiv:1607.06450): x [n, d], residual [n, d] or nil, w and bias
// [1, d]; bias may be nil. Operands: x, residual, w, bias.
func (g *Graph) LayerNorm(x, residual, w, bias *Tensor, epsilon float32) *Tensor {
	if g.err != nil {
		return &Tensor{}
	}
	if err := needFloats(OpLayerNorm, w.label(), x); err != nil {
		return g.Fail(err)
	}
	if residual != nil {
		if err := needFloats(OpLayerNorm, w.label(), residual); err != nil {
			return g.Fail(err)
		}
		if residual.Rows != x.Rows || residual.Cols != x.Cols {
			return g.Fail(fmt.Errorf("layer_norm %s: residual %s does not fit x %s", w.label(), residual.shape(), x.shape()))
		}
	}
	if err := needWeight(OpLayerNorm, "weight", w, 1, x.Cols); err != nil {
		return g.Fail(err)
	}
	if bias != nil {
		if err := needWeight(OpLayerNorm, "bias", bias, 1, x.Cols); err != nil {
			return g.Fail(err)
		}
	}
	if !(epsilon >= 0) || math.IsInf(float64(epsilon), 0) {
		return g.Fail(fmt.Errorf("layer_norm %s: epsilon %v is no small positive number", w.Name, epsilon))
	}
	return withParams(g.floats(OpLayerNorm, w.Name, x.Rows, x.Cols, x, residual, w, bias), LayerNormParams{epsilon})
}

// Attention is softmax(scale·q·kᵀ + bias)·v per head and text, every row
// seeing every row of its own text (Vaswani et al. 2017, arXiv:1706.03762):
// q, k, v [n, heads·headSize], starts [texts+1, 1] with text i in rows
// starts[i]:starts[i+1]. With a reach it sees those near it, and with Causal those before it.
// bias is nil or a weight [buckets, heads] indexed by [RelativeBucket]. Result [n, heads·headSize]. Operands: q, k, v, starts, bias.
func (g *Graph) Attention(q, k, v, starts, bias *Tensor, p AttentionParams) *Tensor {
	if g.err != nil {
		return &Tensor{}
	}
	for _, t := range []*Tensor{q, k, v} {
		if err := needFloats(OpAttention, t.label(), t); err != nil {
			return g.Fail(err)
		}
		if t.Rows != q.Rows || t.Cols != q.Cols {
			return g.Fail(fmt.Errorf("attention: %s %s does not fit q %s", t.label(), t.shape(), q.shape()))
		}
	}
	if p.Heads <= 0 || q.Cols%p.Heads != 0 {
		return g.Fail(fmt.Errorf("attention %s: %d columns do not make %d heads", q.label(), q.Cols, p.Heads))
	}
	if err := needStarts(OpAttention, starts, q.Rows); err != nil {
		return g.Fail(err)
	}
	if bias != nil {
		if err := needWeight(OpAttention, "relative bias", bias, 0, p.Heads); err != nil {
			return g.Fail(err)
		}
		if bias.Rows < 4 || bias.Rows%2 != 0 || p.MaxDistance <= bias.Rows/4 || p.Slopes != nil {
			return g.Fail(fmt.Errorf("attention %s: %d buckets up to distance %d, beside %d slopes, cannot be", bias.Name, bias.Rows, p.MaxDistance, len(p.Slopes)))
		}
	}
	if p.Reach < 0 || p.Slopes != nil && len(p.Slopes) != p.Heads || !finite(p.Slopes...) {
		return g.Fail(fmt.Errorf("attention %s: a reach of %d and %d slopes for %d heads cannot be", q.label(), p.Reach, len(p.Slopes), p.Heads))
	}
	if !(p.Scale > 0) || math.IsInf(float64(p.Scale), 0) {
		return g.Fail(fmt.Errorf("attention %s: scale %v is no positive number", q.label(), p.Scale))
	}
	return withAttentionParams(g.floats(OpAttention, q.Name, q.Rows, q.Cols, q, k, v, starts, bias), p)
}

// Disentangled is attention whose scores know the distance of two rows (DeBERTa, He et al.
// 2020, arXiv:2006.03654, equation 4): softmax(scale·(q·k + q·keys[r] + k·queries[r]))·v per
// head and text, every row seeing every row of its own text. r is the row of the tables that
// belongs to the distance, the position of q less that of k: distances[reach+distance], with
// 2·reach+1 rows that never fall. q, k, v are [n, heads·size], starts [texts+1, 1] as in
// Attention, distances a column of i32 input that reaches as far as the longest text. keys
// and queries are [rows, heads·size]; either may be nil, with its term. Result
// [n, heads·size]. Operands: q, k, v, starts, distances, keys, queries.
func (g *Graph) Disentangled(q, k, v, starts, distances, keys, queries *Tensor, p DisentangledParams) *Tensor {
	if g.err != nil {
		return &Tensor{}
	}
	for _, t := range []*Tensor{q, k, v} {
		if err := needFloats(OpDisentangled, t.label(), t); err != nil {
			return g.Fail(err)
		}
		if t.Rows != q.Rows || t.Cols != q.Cols {
			return g.Fail(fmt.Errorf("disentangled: %s %s does not fit q %s", t.label(), t.shape(), q.shape()))
		}
	}
	if p.Heads <= 0 || q.Cols%p.Heads != 0 {
		return g.Fail(fmt.Errorf("disentangled %s: %d columns do not make %d heads", q.label(), q.Cols, p.Heads))
	}
	if err := needStarts(OpDisentangled, starts, q.Rows); err != nil {
		return g.Fail(err)
	}
	if err := needDistances(distances, starts, keys, queries, q.Cols); err != nil {
		return g.Fail(err)
	}
	if !(p.Scale > 0) || math.IsInf(float64(p.Scale), 0) {
		return g.Fail(fmt.Errorf("disentangled %s: scale %v is no positive number", q.label(), p.Scale))
	}
	return withParams(g.floats(OpDisentangled, q.Name, q.Rows, q.Cols, q, k, v, starts, distances, keys, queries), p)
}

// needDistances checks that each distance within a text has a row of the tables.
func needDistances(distances, starts, keys, queries *Tensor, cols int) error {
	if err := needInts(OpDisentangled, "distances", distances); err != nil {
		return err
	}
	longest := 0
	for i := 1; i < starts.Rows; i++ {
		longest = max(longest, starts.int(i)-starts.int(i-1))
	}
	if distances.Rows%2 == 0 || distances.Rows < 2*longest-1 {
		return fmt.Errorf("disentangled: %d distances do not reach through a text of %d rows", distances.Rows, longest)
	}
	if keys == nil && queries == nil {
		return fmt.Errorf("disentangled: there is no table for the distances")
	}
	for _, table := range []*Tensor{keys, queries} {
		if table == nil {
			continue
		}
		if err := needFloats(OpDisentangled, table.label(), table); err != nil {
			return err
		}
		if table.Cols != cols {
			return fmt.Errorf("disentangled: the table %s does not fit %d columns", table.shape(), cols)
		}
		if first, last := distances.int(0), distances.int(distances.Rows-1); first < 0 || last >= table.Rows {
			return fmt.Errorf("disentangled: distances have the rows %d to %d of the table %s", first, last, table.shape())
		}
	}
	if keys != nil && queries != nil && keys.Rows != queries.Rows {
		return fmt.Errorf("disentangled: the tables %s and %s differ", keys.shape(), queries.shape())
	}
	for i := 1; i < distances.Rows; i++ {
		if distances.int(i) < distances.int(i-1) {
			return fmt.Errorf("disentangled: distance %d has row %d, less than the one before it", i, distances.int(i))
		}
	}
	return nil
}

// RelativeBucket maps a distance (key position minus query position) to a row
// of the relative bias table of T5 and MPNet, in both directions: half of the
// buckets for each sign, half of those exact, the rest growing with the
// logarithm up to maxDistance (Raffel et al. 2020, arXiv:1910.10683, §2.1).
func RelativeBucket(distance, buckets, maxDistance int) int {
	half := buckets / 2
	bucket := 0
	if distance > 0 {
		bucket = half
	} else {
		distance = -distance
	}
	exact := half / 2
	if distance < exact {
		return bucket + distance
	}
	// float32 as in the reference library: bucket edges depend on it
	far := exact + int(float32(math.Log(float64(float32(distance)/float32(exact))))/
		float32(math.Log(float64(maxDistance)/float64(exact)))*float32(half-exact))
	return bucket + min(far, half-1)
}

// BackwardBucket maps how many positions a key is before its query to a row of the
// relative bias table of T5's decoder, which has no rows for keys after the query.
func BackwardBucket(distance, buckets, maxDistance int) int {
	return RelativeBucket(-distance, 2*buckets, maxDistance)
}

// Rows picks rows of x [n, d] by indexes [m, 1]: result [m, d].
// Operands: x, indexes.
func (g *Graph) Rows(x, indexes *Tensor) *Tensor {
	if g.err != nil {
		return &Tensor{}
	}
	if err := needFloats(OpRows, x.label(), x); err != nil {
		return g.Fail(err)
	}
	if err := needIndexes(OpRows, x.label(), indexes, x.Rows); err != nil {
		return g.Fail(err)
	}
	return g.floats(OpRows, x.Name, indexes.Rows, x.Cols, x, indexes)
}

// MostJoined is how many tensors one Join takes.
const MostJoined = 4

// Join puts the rows of up to MostJoined tensors below one another: each x [n, d];
// result [sum of all n, d]. Operands: the tensors.
func (g *Graph) Join(xs ...*Tensor) *Tensor {
	if g.err != nil {
		return &Tensor{}
	}
	if len(xs) < 1 || len(xs) > MostJoined {
		return g.Fail(fmt.Errorf("join: %d tensors cannot be joined, only 1 to %d", len(xs), MostJoined))
	}
	rows := 0
	for _, x := range xs {
		if err := needFloats(OpJoin, x.label(), x); err != nil {
			return g.Fail(err)
		}
		if x.Cols != xs[0].Cols {
			return g.Fail(fmt.Errorf("join: %s %s and %s %s differ in columns", xs[0].label(), xs[0].shape(), x.label(), x.shape()))
		}
		rows += x.Rows
	}
	return g.floats(OpJoin, xs[0].Name, rows, xs[0].Cols, xs...)
}

// Pool makes one vector of each text's rows: x [n, d], starts [texts+1, 1];
// result [texts, len(modes)·d], the modes side by side. Operands: x, starts.
func (g *Graph) Pool(x, starts *Tensor, modes ...PoolMode) *Tensor {
	if g.err != nil {
		return &Tensor{}
	}
	if err := needFloats(OpPool, x.label(), x); err != nil {
		return g.Fail(err)
	}
	if err := needStarts(OpPool, starts, x.Rows); err != nil {
		return g.Fail(err)
	}
	if len(modes) == 0 {
		return g.Fail(fmt.Errorf("pool: no mode given"))
	}
	for _, m := range modes {
		if int(m) >= len(poolNames) {
			return g.Fail(fmt.Errorf("pool: unknown %s", m))
		}
	}
	return withPoolParams(g.floats(OpPool, "", starts.Rows-1, len(modes)*x.Cols, x, starts), PoolParams{modes})
}

// L2Normalize divides each row by its Euclidean norm (at least 1e-12, as in
// torch.nn.functional.normalize). Operand: x.
func (g *Graph) L2Normalize(x *Tensor) *Tensor {
	if g.err != nil {
		return &Tensor{}
	}
	if err := needFloats(OpL2Normalize, x.label(), x); err != nil {
		return g.Fail(err)
	}
	return g.floats(OpL2Normalize, "", x.Rows, x.Cols, x)
}

// needFloats requires an activation in F32.
func needFloats(op Op, at string, x *Tensor) error {
	switch {
	case x == nil:
		return fmt.Errorf("%s %s: an operand is missing", op, at)
	case x.outlives():
		return fmt.Errorf("%s %s: needs an activation, not the %s %s", op, at, x.Op, x.Name)
	case x.DType != F32:
		return fmt.Errorf("%s %s: needs an f32 activation, %s is %s", op, at, x.label(), x.DType)
	}
	return nil
}

// needWeight requires a weight of the given shape; 0 leaves a side open.
func needWeight(op Op, role string, w *Tensor, rows, cols int) error {
	switch {
	case w == nil || w.Op != OpWeight:
		return fmt.Errorf("%s: the %s is missing", op, role)
	case w.DType == I32 || int(w.DType) >= len(dtypes) || w.Cols%w.DType.Block() != 0:
		return fmt.Errorf("%s %s: the %s %s cannot be of type %s", op, w.Name, role, w.shape(), w.DType)
	case rows != 0 && w.Rows != rows || cols != 0 && w.Cols != cols:
		return fmt.Errorf("%s %s: the %s is %s, needed is [%s %s]", op, w.Name, role, w.shape(), side(rows), side(cols))
	}
	return nil
}

func side(n int) string {
	if n == 0 {
		return "any"
	}
	return fmt.Sprint(n)
}

// needIndexes requires an I32 input whose values lie in [0, limit).
func needIndexes(op Op, at string, ids *Tensor, limit int) error {
	if err := needInts(op, at, ids); err != nil {
		return err
	}
	for i, x := range ids.ints() {
		if x < 0 || int(x) >= limit {
			return fmt.Errorf("%s %s: index %d at position %d is outside 0 to %d", op, at, x, i, limit-1)
		}
	}
	return nil
}

// needStarts requires rising segment starts from 0 to rows, with no empty text.
func needStarts(op Op, starts *Tensor, rows int) error {
	if err := needInts(op, "starts", starts); err != nil {
		return err
	}
	v := starts.int
	if starts.Rows < 2 || v(0) != 0 || v(starts.Rows-1) != rows {
		return fmt.Errorf("%s: the %d starts reach from %d to %d, needed is 0 to %d", op, starts.Rows, v(0), v(starts.Rows-1), rows)
	}
	for i := 1; i < starts.Rows; i++ {
		if v(i) <= v(i-1) {
			return fmt.Errorf("%s: text %d from row %d to %d is empty", op, i-1, v(i-1), v(i))
		}
	}
	return nil
}

func needInts(op Op, at string, t *Tensor) error {
	if t == nil || t.Op != OpInput || t.DType != I32 || t.Cols != 1 || t.host == nil {
		return fmt.Errorf("%s %s: needs a column of i32 input", op, at)
	}
	return nil
}

// int returns value i of a column that passed needInts.
func (t *Tensor) int(i int) int { return int(t.ints()[i]) }
