package documents

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"inglenook/app/base"
	"inglenook/assets"
	"inglenook/durable"
)

// SamplesName is the collection of the documents that come with the program.
const SamplesName = "Samples"

// AddSamples makes a collection of the documents that come with the program. Index
// reads them, as any other.
func (s *Service) AddSamples(ctx context.Context) (Collection, error) {
	folder := filepath.Join(s.folder, "samples")
	if err := writeSamples(folder); err != nil {
		return Collection{}, fmt.Errorf("the sample documents could not be written to %s: %w; free some space or check the folder's rights", base.ShortPath(folder), base.PlainError(err))
	}
	return s.Add(ctx, AddRequest{Collection: SamplesName, Paths: []string{folder}})
}

// writeSamples writes the samples that are not there.
func writeSamples(folder string) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	samples := assets.Samples()
	entries, err := fs.ReadDir(samples, ".")
	if err != nil {
		return err
	}
	for _, e := range entries {
		path := filepath.Join(folder, e.Name())
		if _, err := os.Stat(path); err == nil {
			continue
		}
		data, err := fs.ReadFile(samples, e.Name())
		if err != nil {
			return err
		}
		if err := durable.Write(path, data, 0o600); err != nil {
			return err
		}
	}
	return nil
}
