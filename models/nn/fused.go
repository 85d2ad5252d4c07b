package nn

// FusedRows are the rows of queries, keys and values in one fused matrix.
type FusedRows struct {
	Query, Key, Value [][2]int // [from, to) each
	All               int
}

// Stacked returns all queries, then all keys, then all values.
func (h Heads) Stacked() FusedRows {
	q, kv := h.Count*h.Size, h.KV*h.Size
	return FusedRows{
		Query: [][2]int{{0, q}}, Key: [][2]int{{q, q + kv}}, Value: [][2]int{{q + kv, q + 2*kv}},
		All: q + 2*kv,
	}
}

// Grouped returns the queries of a group, then its key, then its value, for each
// group in turn.
func (h Heads) Grouped() FusedRows {
	var r FusedRows
	q := h.Count / h.KV * h.Size
	for range h.KV {
		key := r.All + q
		value := key + h.Size
		end := value + h.Size
		r.Query = append(r.Query, [2]int{r.All, key})
		r.Key = append(r.Key, [2]int{key, value})
		r.Value = append(r.Value, [2]int{value, end})
		r.All = end
	}
	return r
}

// SplitFused splits queries, keys and values out of a fused matrix [r.All,
// hidden] and its bias.
func (a *Attention) SplitFused(b Builder, name string, r FusedRows, hidden int, bias bool) {
	a.Query, a.Key, a.Value = r.Split(b, name, hidden, bias)
}

// Split takes the projections of queries, keys and values, each [rows, hidden], out of a
// fused matrix [r.All, hidden] and its bias.
func (r FusedRows) Split(b Builder, name string, hidden int, bias bool) (query, key, value Linear) {
	part := func(rows [][2]int) Linear { return NewRows(b, name, r.All, hidden, bias, rows...) }
	return part(r.Query), part(r.Key), part(r.Value)
}
