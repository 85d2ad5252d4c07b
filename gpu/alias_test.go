package gpu

import "testing"

func TestAliased(t *testing.T) {
	arena, other := &Memory{Size: 1000}, &Memory{Size: 1000}
	for name, c := range map[string]struct {
		first, second Region
		written       uint32
		found         bool
	}{
		"both read":         {Region{arena, 0, 64}, Region{arena, 0, 64}, 0, false},
		"the first written": {Region{arena, 0, 64}, Region{arena, 63, 64}, 1, true},
		"the second":        {Region{arena, 63, 64}, Region{arena, 0, 64}, 2, true},
		"both":              {Region{arena, 0, 64}, Region{arena, 0, 64}, 3, true},
		"neighbours":        {Region{arena, 0, 64}, Region{arena, 64, 64}, 3, false},
		"another memory":    {Region{arena, 0, 64}, Region{other, 0, 64}, 3, false},
		"inline bytes":      {Region{nil, 0, 64}, Region{nil, 0, 64}, 0, false},
	} {
		a, b, found := binding(c.first, c.second).Aliased(c.written)
		if found != c.found || found && (a != 0 || b != 1) {
			t.Errorf("%s: buffers %d and %d, %v", name, a, b, found)
		}
	}
}
