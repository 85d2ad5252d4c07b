package engine

import "fmt"

// Recurrent operations remember what they have read in a state of fixed size.
// The states of a layer are the rows of a cache of [NewState]. The input at
// [2, 1] says which row an operation continues and which row it writes; they
// differ, so an interrupted pass spoils nothing that was kept. A first number
// equal to the rows of the cache begins with a state of zeros.

// CausalConv convolves each column with its own weights over the last k rows,
// then applies an activation: x [n, c], w [c, k]; result [n, c]. Row i is
// act(Σ_j w[j]·x[i−k+1+j]). A state is the k−1 rows before the next: states
// [slots, (k−1)·c]. Operands: x, w, states, at.
func (g *Graph) CausalConv(x, w, states, at *Tensor, act Activation) *Tensor {
	if g.err != nil {
		return &Tensor{}
	}
	if err := needFloats(OpCausalConv, x.label(), x); err != nil {
		return g.Fail(err)
	}
	if err := needWeight(OpCausalConv, "weight", w, x.Cols, 0); err != nil {
		return g.Fail(err)
	}
	if w.Cols < 2 || w.Cols > maxTaps {
		return g.Fail(fmt.Errorf("causal_conv %s: a width of %d is outside 2 to %d", w.Name, w.Cols, maxTaps))
	}
	if int(act) >= len(activationNames) {
		return g.Fail(fmt.Errorf("causal_conv %s: unknown %s", w.Name, act))
	}
	if err := needState(OpCausalConv, states, at, (w.Cols-1)*x.Cols); err != nil {
		return g.Fail(err)
	}
	return withParams(g.floats(OpCausalConv, w.Name, x.Rows, x.Cols, x, w, states, at), CausalConvParams{act})
}

// maxTaps bounds the width of a convolution.
const maxTaps = 64

// DeltaRule is the gated delta rule (Yang et al. 2024, arXiv:2412.06464). For
// every head, a state S [Size, value] decays, is corrected by what a key did not
// find in it, and is read by a query, row by row:
//
//	S ← e^g·S, S ← S + k·(sigmoid(b)·(v − Sᵀk))ᵀ, out = Sᵀq
//
// with g = rate·softplus(a + shift), and q and k divided by their norms, q by
// √Size besides. qkv [n, 2·KeyHeads·Size + Heads·value] has queries, keys and
// values side by side; a and b are [n, Heads]; rates and shifts [1, Heads];
// states [slots, Heads·Size·value]. Result [n, Heads·value]. Operands: qkv, a,
// b, rates, shifts, states, at.
func (g *Graph) DeltaRule(qkv, a, b, rates, shifts, states, at *Tensor, p DeltaRuleParams) *Tensor {
	if g.err != nil {
		return &Tensor{}
	}
	for _, t := range []*Tensor{qkv, a, b} {
		if err := needFloats(OpDeltaRule, t.label(), t); err != nil {
			return g.Fail(err)
		}
		if t.Rows != qkv.Rows {
			return g.Fail(fmt.Errorf("delta_rule: %s %s has not the %d rows of %s", t.label(), t.shape(), qkv.Rows, qkv.label()))
		}
	}
	keys := 2 * p.KeyHeads * p.Size
	if p.Heads <= 0 || p.KeyHeads <= 0 || p.Size <= 0 || p.Heads%p.KeyHeads != 0 || keys >= qkv.Cols || (qkv.Cols-keys)%p.Heads != 0 {
		return g.Fail(fmt.Errorf("delta_rule %s: %d columns do not make %d heads of values and %d of %d keys", qkv.label(), qkv.Cols, p.Heads, p.KeyHeads, p.Size))
	}
	if !(p.Epsilon >= 0) || !finite(p.Epsilon) {
		return g.Fail(fmt.Errorf("delta_rule %s: epsilon %v cannot be", qkv.label(), p.Epsilon))
	}
	if a.Cols != p.Heads || b.Cols != p.Heads {
		return g.Fail(fmt.Errorf("delta_rule: %s %s and %s %s have not a column for each of %d heads", a.label(), a.shape(), b.label(), b.shape(), p.Heads))
	}
	for _, w := range []*Tensor{rates, shifts} {
		if err := needWeight(OpDeltaRule, "vector of a number a head", w, 1, p.Heads); err != nil {
			return g.Fail(err)
		}
	}
	values := qkv.Cols - keys
	if err := needState(OpDeltaRule, states, at, p.Size*values); err != nil {
		return g.Fail(err)
	}
	return withParams(g.floats(OpDeltaRule, qkv.Name, qkv.Rows, values, qkv, a, b, rates, shifts, states, at), p)
}

// needState requires states of so many columns, and two rows of them.
func needState(op Op, states, at *Tensor, cols int) error {
	switch {
	case !states.State():
		return fmt.Errorf("%s: the cache of states is missing", op)
	case states.Cols != cols || states.Rows < 1 || states.Rows > maxValues/cols:
		return fmt.Errorf("%s: the states %s %s are not rows of %d", op, states.Name, states.shape(), cols)
	}
	if err := needIndexes(op, states.Name, at, states.Rows+1); err != nil {
		return err
	}
	if at.Rows != 2 || at.int(1) == states.Rows || at.int(0) == at.int(1) {
		return fmt.Errorf("%s %s: needs the row to continue and another row to write", op, states.Name)
	}
	return nil
}
