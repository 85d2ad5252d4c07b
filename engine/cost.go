package engine

// Cost is the work of one operation, on any device.
type Cost struct {
	// Flops counts multiplications and additions of matrix products, in linear
	// layers and attention. Everything else is small beside them.
	Flops int64
	// WeightBytes is how many bytes of weights are read.
	WeightBytes int64
	// CacheBytes is how many bytes of keys and values, of earlier passes and of
	// this one, are read.
	CacheBytes int64
}

// Cost returns the work of a recorded operation.
func (t *Tensor) Cost() Cost {
	if cost := ops[t.Op].cost; cost != nil {
		return cost(t)
	}
	return Cost{WeightBytes: t.weightBytes()}
}

// embedCost counts only the rows that are looked up.
func embedCost(t *Tensor) Cost {
	return Cost{WeightBytes: int64(t.Rows) * int64(t.Src[0].DType.RowBytes(t.Cols))}
}

func linearCost(t *Tensor) Cost {
	return Cost{Flops: 2 * int64(t.Rows) * int64(t.Src[1].Len()), WeightBytes: t.weightBytes()}
}

// expertsCost counts the experts that the rows can reach.
func expertsCost(t *Tensor) Cost {
	w, slots := t.Src[2], t.Rows*t.Src[1].Params.(RouteParams).TopK
	reached := min(w.Parts, slots)
	return Cost{
		Flops:       2 * int64(slots) * int64(w.Len()/w.Parts),
		WeightBytes: int64(reached) * int64(t.weightBytes()/int64(w.Parts)),
	}
}

// attentionCost pairs every row with the rows of its text that it sees, once for the score
// and once for the value.
func attentionCost(t *Tensor) Cost {
	c := Cost{WeightBytes: t.weightBytes()}
	starts := t.Src[3]
	if needInts(t.Op, "starts", starts) != nil {
		return c
	}
	for i := 1; i < starts.Rows; i++ {
		n := int64(starts.int(i) - starts.int(i-1))
		c.Flops += 4 * seenPairs(t, n) * int64(t.Cols)
	}
	return c
}

// seenPairs returns how many pairs of rows in a text of n see each other.
func seenPairs(t *Tensor, n int64) int64 {
	p, limited := t.Params.(AttentionParams)
	if !limited || p.Reach == 0 && !p.Causal {
		return n * n
	}
	before, after := p.Sees(int(n) - 1)
	pairs := n // with itself
	for _, far := range []int64{int64(before), int64(after)} {
		pairs += far*n - far*(far+1)/2
	}
	return pairs
}

// disentangledCost adds a product for the score of each pair and table.
func disentangledCost(t *Tensor) Cost {
	c := attentionCost(t)
	each := c.Flops / 2
	for _, table := range t.Src[5:7] {
		if table != nil {
			c.Flops += each
		}
	}
	return c
}

// causalCost pairs every row with the rows that it sees.
func causalCost(t *Tensor) Cost {
	if needInts(t.Op, "past", t.Src[5]) != nil {
		return Cost{}
	}
	past, window, keys := t.Src[5].int(0), t.Params.(CausalAttentionParams).Window, t.Src[3]
	if window == 0 {
		window = keys.Rows
	}
	var seen int64
	for i := range t.Rows {
		seen += int64(min(window, past+i+1))
	}
	read := min(past+t.Rows, window+t.Rows-1) // rows of each cache
	return Cost{Flops: 4 * seen * int64(t.Cols), CacheBytes: 2 * int64(read) * int64(keys.DType.RowBytes(keys.Cols))}
}

// crossCost pairs every row with all rows of the caches.
func crossCost(t *Tensor) Cost {
	held, ok := t.Held()
	if !ok {
		return Cost{}
	}
	keys := t.Src[3]
	return Cost{Flops: 4 * int64(t.Rows) * int64(held) * int64(t.Cols), CacheBytes: 2 * int64(held) * int64(keys.DType.RowBytes(keys.Cols))}
}

// stateCost counts the state that a recurrent operation reads and writes.
func stateCost(t *Tensor) Cost {
	c := Cost{WeightBytes: t.weightBytes()}
	for _, s := range t.Src {
		if s.State() {
			c.CacheBytes += 2 * int64(s.DType.RowBytes(s.Cols))
		}
	}
	return c
}

// deltaCost adds three products of a state with a vector for each row.
func deltaCost(t *Tensor) Cost {
	c := stateCost(t)
	c.Flops = 6 * int64(t.Rows) * int64(t.Src[5].Cols)
	return c
}
