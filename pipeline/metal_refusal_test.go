package pipeline

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"inglenook/engine"
	"inglenook/metalbackend/fake"
)

// TestMetalRefusals: whichever pipeline Metal does not make, the answer is the CPU's,
// the CPU does what needs the pipeline, and the GPU stays in use for the rest.
func TestMetalRefusals(t *testing.T) {
	o := GeneratorOptions{ChunkTokens: 4, Hold: Hold{KV: "f32"}}
	ask := ReplyOptions{MaxTokens: 9, IgnoreEnd: true, Sampling: &Sampling{}}
	want := hear(t, openTiny(t, o).CompleteIDs(context.Background(), prompt11, ask))
	met := 0
	for _, kind := range []fake.FaultKind{fake.RefuseFunction, fake.RefusePipeline} {
		for at := 1; ; at++ {
			refused := false
			t.Run(fmt.Sprintf("%d of fault %d", at, kind), func(t *testing.T) {
				rt, bs := emulatedMetal(t)
				rt.Inject(fake.Fault{Kind: kind, At: at})
				g, err := openGenerator(context.Background(), tinyChat(t), bs, o)
				if err != nil {
					t.Fatal(err)
				}
				defer g.Close()
				got := hear(t, g.CompleteIDs(context.Background(), prompt11, ask))
				if got.err != nil || fmt.Sprint(got.ids) != fmt.Sprint(want.ids) {
					t.Errorf("the answer is %v, %v; the CPU's is %v", got.ids, got.err, want.ids)
				}
				if guard := bs[0].(*engine.Guard); guard.Failed() != nil || !strings.Contains(got.finished.Device, "metal-emulated") {
					t.Errorf("it ran on %s: %v", got.finished.Device, guard.Failed())
				}
				told := append(g.Info().Notices, got.finished.Notices...)
				if len(told) > 1 {
					t.Errorf("told %q", told)
				}
				if len(told) == 1 {
					met++
					if !strings.Contains(told[0], "cannot do everything for this model") {
						t.Errorf("told %q", told)
					}
				}
				refused = rt.Pending() == 0
				if problems := rt.Problems(); len(problems) > 0 {
					t.Error(problems)
				}
			})
			if !refused {
				break
			}
		}
	}
	if met == 0 {
		t.Error("no refusal came after the caches had a place")
	}
}
