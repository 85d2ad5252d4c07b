package library

import (
	"context"

	"inglenook/pipeline"
)

// Outlined opens the outline of a model for as long as f runs.
func (e Entry) Outlined(ctx context.Context, o pipeline.OutlineOptions, f func(*pipeline.Outline) error) error {
	folder, closer, err := e.Location.Open(ctx)
	if err != nil {
		return err
	}
	defer closer.Close()
	o.WeightsFile = e.Location.WeightsFile
	x, err := pipeline.OpenOutline(folder, o)
	if err != nil {
		return err
	}
	defer x.Close()
	return f(x)
}
