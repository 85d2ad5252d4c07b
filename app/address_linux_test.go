package app

import (
	"math"
	"strings"
	"testing"
)

func TestEnoughAddresses(t *testing.T) {
	for _, c := range []struct {
		limit uint64
		cores int
		want  string
	}{
		{math.MaxUint64, 64, ""},
		{2304 << 20, 2, ""},
		{2304<<20 - 1, 2, "ulimit -v 2359296"},
		{1 << 30, 2, "may reserve 1.1 GB of address space (ulimit -v) and needs 2.4 GB"},
		{2304 << 20, 16, "needs 4.3 GB"},
	} {
		err := enoughAddresses(c.limit, c.cores)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d bytes on %d cores: %v", c.limit, c.cores, err)
		}
	}
}
