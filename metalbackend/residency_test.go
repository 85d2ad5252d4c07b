package metalbackend

import (
	"testing"
	"testing/synctest"
	"time"

	"inglenook/engine"
	"inglenook/engine/enginetest"
	"inglenook/metalbackend/fake"
)

// Weights stay resident for minutes after the last work, and no longer. Later work
// begins that anew, and the end of the device ends it.
func TestStaysResident(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, rt := open(t, fake.Options{}, Options{})
		g := engine.NewGraph()
		defer release(t, g)
		w := enginetest.RandomWeight("w", engine.F32, 8, 8, 1, 1)
		g.Want(g.Linear(g.Floats("x", 1, make([]float32, 8)), w, nil, engine.None))
		requests := func(during time.Duration) int {
			before := rt.Stats().Requests
			time.Sleep(during)
			synctest.Wait()
			return rt.Stats().Requests - before
		}
		if n := requests(time.Minute); n != 0 {
			t.Errorf("%d requests before any work", n)
		}
		for range 2 {
			if _, err := g.Run(t.Context(), b); err != nil {
				t.Fatal(err)
			}
			if n := requests(time.Minute); n != 120 {
				t.Errorf("%d requests in the minute after work", n)
			}
			if _, err := g.Run(t.Context(), b); err != nil {
				t.Fatal(err)
			}
			if n := requests(10 * time.Minute); n != 360 {
				t.Errorf("%d requests after the last work", n)
			}
		}
		if _, err := g.Run(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
		if n := requests(time.Minute); n != 0 {
			t.Errorf("%d requests after the end", n)
		}
	})
}

// A GPU that failed is asked for nothing more.
func TestNotResidentAfterFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, rt := open(t, fake.Options{}, Options{})
		g := engine.NewGraph()
		defer release(t, g)
		rt.Inject(fake.Fault{Kind: fake.FailCommand, At: 1, Code: fake.CodeTimeout})
		chain(g, 2)
		if _, err := g.Run(t.Context(), b); err == nil {
			t.Fatal("the fault did not come")
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if n := rt.Stats().Requests; n != 0 {
			t.Errorf("%d requests", n)
		}
	})
}
