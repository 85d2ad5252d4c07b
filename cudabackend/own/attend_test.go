package own

import (
	"encoding/binary"
	"slices"
	"testing"

	"inglenook/gpu"
)

// token is a list with what a new token does with its heads: 8 of 64 columns, of which 4 share
// a key and value head, after 100 others.
type token struct {
	list                    gpu.List
	rope, cache, attention  *gpu.Dispatch
	q, turned, k, v, result gpu.Region
}

func newToken(turned bool, dtype string) *token {
	t := &token{}
	inline := func(numbers ...uint32) gpu.Region {
		r := gpu.Region{Offset: len(t.list.Inline), Size: 4 * len(numbers)}
		for _, n := range numbers {
			t.list.Inline = binary.NativeEndian.AppendUint32(t.list.Inline, n)
		}
		return r
	}
	memory := func(bytes int) gpu.Region { return gpu.Region{Memory: &gpu.Memory{}, Size: bytes} }
	t.q, t.turned, t.k, t.v, t.result = memory(2048), memory(2048), memory(512), memory(512), memory(2048)
	keys, values, positions := memory(1<<20), memory(1<<20), memory(4)
	t.list.Dispatches = make([]gpu.Dispatch, 3)
	t.rope, t.cache, t.attention = &t.list.Dispatches[0], &t.list.Dispatches[1], &t.list.Dispatches[2]

	t.rope.Kernel.Name, t.rope.Groups, t.rope.Work = "rope", [3]uint32{1, 16, 1}, 1
	setConstant(t.rope, ropeInterleaved, 1)
	copy(t.rope.Bindings[:], []gpu.Region{inline(512, 64, 32, 7), t.q, positions, inline(5, 6), t.turned})

	t.cache.Kernel.Name, t.cache.Groups, t.cache.Work = "cache_"+dtype, [3]uint32{2, 2, 1}, 1
	setConstant(t.cache, cacheRoPE, flag(turned))
	setConstant(t.cache, ropeInterleaved, flag(turned))
	copy(t.cache.Bindings[:], []gpu.Region{inline(128, 100, 128), t.k, t.v, keys, values, inline(128, 64, 32, 7), positions, inline(5, 6)})

	t.attention.Kernel.Name, t.attention.Groups, t.attention.Work = "attention_vector_128_"+dtype, [3]uint32{1, 2, 1}, 1
	for i, v := range []int32{64, 4, 0, 0, 0, 0} {
		setConstant(t.attention, attentionSize+int32(i), v)
	}
	q := t.q
	if turned {
		q = t.turned
	}
	numbers := []uint32{1, 8, 4, 101, 0, 101, 100, 1 << 30, 0, 0, 0, 1, 0, 0}
	copy(t.attention.Bindings[:], []gpu.Region{inline(numbers...), q, keys, values, t.q, t.q, t.result})
	if !turned {
		t.list.Dispatches = t.list.Dispatches[1:]
	}
	return t
}

// set changes a number among a dispatch's arguments.
func (t *token) set(d *gpu.Dispatch, i int, n uint32) {
	binary.NativeEndian.PutUint32(arguments(&t.list, d)[4*i:], n)
}

// TestAttend: rotation, caches and attention of one token are one launch, unless they are not
// of one token, turn by other angles, or write what other blocks read.
func TestAttend(t *testing.T) {
	three := []string{"rope", "cache_f16", "attention_vector_128_f16"}
	for _, c := range []struct {
		name   string
		turned bool
		dtype  string
		change func(*token)
		want   []string
	}{
		{"turned", true, "f16", nil, []string{"own_turned_128_f16"}},
		{"not turned", false, "q8_0", nil, []string{"own_attend_128_q8_0"}},
		{"two rows", true, "f16", func(k *token) { k.set(k.attention, 0, 2) }, three},
		{"two new keys", true, "f16", func(k *token) { k.set(k.cache, 0, 256) }, three},
		{"another place", true, "f16", func(k *token) { k.set(k.cache, 1, 99) }, three},
		{"other keys", true, "f16", func(k *token) { k.attention.Bindings[2].Offset += 4 }, three},
		{"other values", true, "f16", func(k *token) { k.attention.Bindings[3].Offset += 4 }, three},
		{"other queries", true, "f16", func(k *token) { k.attention.Bindings[1] = k.q }, three},
		{"other positions", true, "f16", func(k *token) { k.rope.Bindings[2].Offset += 4 }, three},
		{"other angles", true, "f16", func(k *token) { k.set(&gpu.Dispatch{Bindings: [gpu.MaxBindings]gpu.Region{k.rope.Bindings[3]}}, 1, 9) }, three},
		{"another size of pairs", true, "f16", func(k *token) { k.set(k.rope, 2, 16) }, three},
		{"pairs elsewhere", true, "f16", func(k *token) { setConstant(k.rope, ropeInterleaved, 0) }, three},
		{"keys are not turned", true, "f16", func(k *token) { setConstant(k.cache, cacheRoPE, 0) }, []string{"rope", "own_attend_128_f16"}},
		{"texts", true, "f16", func(k *token) { setConstant(k.attention, attentionRagged, 1) }, three},
		{"result over the values", true, "f16", func(k *token) { k.cache.Bindings[2] = k.result }, three},
		{"turned in place", true, "f16", func(k *token) { k.rope.Bindings[1] = k.turned }, three},
		{"blocks across heads", false, "q8_0", func(k *token) { setConstant(k.attention, attentionSize, 80) }, []string{"cache_q8_0", "attention_vector_128_q8_0"}},
		{"attention by matrices", true, "f16", func(k *token) { k.attention.Kernel.Name = "attention_matrix_128_f16" }, []string{"rope", "cache_f16", "attention_matrix_128_f16"}},
		{"no attention", true, "f16", func(k *token) { k.list.Dispatches = k.list.Dispatches[:2] }, []string{"rope", "cache_f16"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			token := newToken(c.turned, c.dtype)
			if c.change != nil {
				c.change(token)
			}
			work := float64(len(token.list.Dispatches))
			shaped := (&Shaper{Processors: 132}).Shape(&token.list, gpu.Region{Memory: &gpu.Memory{}, Size: 1 << 20})
			var names []string
			for _, d := range shaped.Dispatches {
				names = append(names, d.Kernel.Name)
				work -= d.Work
			}
			if !slices.Equal(names, c.want) || work != 0 {
				t.Errorf("%v, and %v less work; want %v", names, work, c.want)
			}
		})
	}
	token := newToken(true, "f16")
	if shaped := (&Shaper{Apart: true}).Shape(&token.list, gpu.Region{}); len(shaped.Dispatches) != 3 {
		t.Errorf("%d launches where operations stay apart", len(shaped.Dispatches))
	}
}

// TestAttendArguments: the one launch has all that the three had.
func TestAttendArguments(t *testing.T) {
	token := newToken(true, "f16")
	shaped := (&Shaper{Processors: 132}).Shape(&token.list, gpu.Region{})
	d := &shaped.Dispatches[0]
	want := slices.Concat(arguments(&token.list, token.attention), arguments(&token.list, token.cache), arguments(&token.list, token.rope))
	if !slices.Equal(arguments(shaped, d), want) {
		t.Errorf("arguments %v, want %v", arguments(shaped, d), want)
	}
	a := token.attention.Bindings
	buffers := []gpu.Region{token.q, a[2], a[3], a[4], a[5], token.result, token.k, token.v, token.rope.Bindings[2], token.rope.Bindings[3], token.turned}
	if got := d.Bindings[1:]; !slices.Equal(got, buffers) {
		t.Errorf("memory %v, want %v", got, buffers)
	}
	for index, value := range map[int32]int32{attentionSize: 64, attentionRows: 1, ropeInterleaved: 1} {
		if got := constant(&d.Kernel, index); got != value {
			t.Errorf("constant %d is %d, want %d", index, got, value)
		}
	}
	if d.Groups != [3]uint32{4, 2, 1} || d.Threads != 512 {
		t.Errorf("a grid of %v by %d", d.Groups, d.Threads)
	}
}
