package app

import "inglenook/pipeline"

// outlined opens the outline of a model for as long as f runs.
func (e entry) outlined(o pipeline.OutlineOptions, f func(*pipeline.Outline) error) error {
	folder, closer, err := e.place.open()
	if err != nil {
		return err
	}
	defer closer.Close()
	o.WeightsFile = e.place.weightsFile
	x, err := pipeline.OpenOutline(folder, o)
	if err != nil {
		return err
	}
	defer x.Close()
	return f(x)
}
