package uitest

import (
	"context"
	"slices"
	"time"

	"inglenook/app/base"
	"inglenook/app/held"
	"inglenook/app/texts"
)

// reading is how long models take to read, what a check of 8 bits finds, and what was kept.
type reading struct {
	Took  time.Duration // of Similarity and Rerank; 0: they take as long as they take
	Finds held.Held
	Fails error
	Asked []texts.ReadingRequest
	kept  map[string]held.Held // by work and model
}

// CheckReading finds what the test wants it to, and keeps it.
func (d *App) CheckReading(ctx context.Context, r texts.ReadingRequest, _ func(base.Progress)) (held.Held, error) {
	d.Mu.Lock()
	finds, fails := d.Reads.Finds, d.Reads.Fails
	r.Texts = slices.Clone(r.Texts)
	d.Reads.Asked = append(d.Reads.Asked, r)
	d.Mu.Unlock()
	if fails != nil {
		return held.Held{}, fails
	}
	return finds, d.ReadAs(ctx, r.Model, r.Work, finds)
}

// ReadAs keeps how a model reads.
func (d *App) ReadAs(_ context.Context, model, work string, h held.Held) error {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	if d.Reads.kept == nil {
		d.Reads.kept = map[string]held.Held{}
	}
	d.Reads.kept[work+" "+model] = h
	return nil
}

// readAs is how a model reads, and how long the test lets that take.
func (d *App) readAs(model, work string, kept bool, took time.Duration) (held.Held, time.Duration) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	if d.Reads.Took > 0 {
		took = d.Reads.Took
	}
	if !kept {
		return held.Held{}, took
	}
	return d.Reads.kept[work+" "+model], took
}
