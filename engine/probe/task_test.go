package probe

import (
	"testing"

	"inglenook/engine"
)

// A GPU's rates come from larger operations than a processor's, and it begins an operation while
// it still computes another.
func TestOfADevice(t *testing.T) {
	product := func(device string, rows int) Task {
		n := 4096 * 14336
		return Task{Op: engine.OpLinear, DType: engine.Q4_K, Device: device, Rows: rows, Cost: engine.Cost{Flops: int64(2 * rows * n), WeightBytes: int64(n)}}
	}
	norm := func(device string) Task { return Task{Op: engine.OpRMSNorm, Device: device, Rows: 512, Values: 512} }
	for _, c := range []struct {
		task Task
		key  string
	}{
		{product("cpu", 1), "memory linear q4_k 2048 none 512 MiB"},
		{product("cuda", 1), "memory linear q4_k 4096 none 512 MiB"},
		{product("cpu", 512), "flops linear q4_k 2048 none"},
		{product("metal", 512), "flops linear q4_k 4096 none 512 rows"},
		{norm("cpu"), "values layer_norm f32"},
		{norm("cuda"), "values layer_norm f32 512 rows"},
	} {
		if r, _ := c.task.Rate(4 << 30); r.Key() != c.key {
			t.Errorf("%s of %d rows on %s: %s, want %s", c.task.Op, c.task.Rows, c.task.Device, r.Key(), c.key)
		}
	}
	for _, c := range []struct {
		device    string
		work, ops float64
		want      float64
	}{
		{"cpu", 3, 0.5, 5}, {"cuda", 3, 0.5, 3}, {"cuda", 1, 0.5, 2},
	} {
		if got := (Task{Device: c.device}).Seconds(c.work, c.ops); got != c.want {
			t.Errorf("%v and %v a second on %s: %v s, want %v", c.work, c.ops, c.device, got, c.want)
		}
	}
	for _, device := range []string{"cpu", "cuda"} {
		if r, _ := product(device, 1).Rate(4 << 30); r != WeightRate(device, engine.Q4_K) {
			t.Errorf("%s: writing takes %s, and its weights %s", device, r.Key(), WeightRate(device, engine.Q4_K).Key())
		}
	}
}
