package models

import "inglenook/weights"

// fusedRows are the rows of queries, keys and values in one fused matrix.
type fusedRows struct {
	query, key, value [][2]int
	all               int
}

// stacked has all queries, then all keys, then all values.
func stacked(c Config) fusedRows {
	q, kv := c.Heads*c.HeadSize, c.KVHeads*c.HeadSize
	return fusedRows{
		query: [][2]int{{0, q}}, key: [][2]int{{q, q + kv}}, value: [][2]int{{q + kv, q + 2*kv}},
		all: q + 2*kv,
	}
}

// grouped has the queries of a group, then its key, then its value, group after
// group.
func grouped(c Config) fusedRows {
	var r fusedRows
	q := c.Heads / c.KVHeads * c.HeadSize
	for range c.KVHeads {
		key := r.all + q
		value := key + c.HeadSize
		end := value + c.HeadSize
		r.query = append(r.query, [2]int{r.all, key})
		r.key = append(r.key, [2]int{key, value})
		r.value = append(r.value, [2]int{value, end})
		r.all = end
	}
	return r
}

// fusedAttention splits a fused matrix [r.all, hidden], and its bias, at load.
func (l *decoderLayer) fusedAttention(c Config, s *weights.Scope, name string, r fusedRows, bias bool) {
	if c.GGUF {
		bias = s.Has(name + ".bias")
	}
	part := func(rows [][2]int) linear {
		p := linear{w: s.Rows(name+".weight", r.all, c.Hidden, rows...)}
		if bias {
			p.b = s.VectorPart(name+".bias", r.all, rows...)
		}
		return p
	}
	l.query, l.key, l.value = part(r.query), part(r.key), part(r.value)
}
