package measure

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"inglenook/app/base"
	"inglenook/durable"
	"inglenook/regular"
)

// historyBytes is how much of the history is read: its newest part.
const historyBytes = 8 << 20

// history keeps measurements on disk, one JSON object a line, appended and never
// changed, until a person deletes one. Lines that cannot be read, such as one that a crash cut short, are
// passed over.
type history struct {
	Path string
	mu   sync.Mutex
}

func historyPath(p base.Paths) string { return filepath.Join(p.Data, "performance.jsonl") }

// add appends a measurement. After a line that was cut short it begins a new one.
func (h *history) add(p Result) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	line, err := json.Marshal(p)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(h.Path), 0o700); err != nil {
		return err
	}
	f, err := regular.OpenOwn(h.Path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	line = append(line, '\n')
	if info, err := f.Stat(); err == nil && info.Size() > 0 {
		last := make([]byte, 1)
		if _, err := f.ReadAt(last, info.Size()-1); err == nil && last[0] != '\n' {
			line = append([]byte{'\n'}, line...)
		}
	}
	_, err = f.Write(line)
	return errors.Join(err, f.Sync(), f.Close())
}

// list returns the measurements, the newest first.
func (h *history) list() ([]Result, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	f, err := regular.Open(context.Background(), h.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	from := max(0, info.Size()-historyBytes)
	data, err := io.ReadAll(io.NewSectionReader(f, from, info.Size()-from))
	if err != nil {
		return nil, err
	}
	var list []Result
	for line := range bytes.Lines(data) {
		var p Result
		if json.Unmarshal(line, &p) == nil && p.Model != "" {
			list = append(list, p)
		}
	}
	slices.Reverse(list)
	slices.SortStableFunc(list, func(a, b Result) int { return b.When.Compare(a.When) }) // one that was taken back is the last in the file
	return list, nil
}

// remove takes the measurements of a model at a moment out of the file. All other lines stay as they are,
// also those that cannot be read.
func (h *history) remove(model string, when time.Time) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	f, err := regular.Open(context.Background(), h.Path)
	if err != nil {
		return err
	}
	data, err := io.ReadAll(f)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	var rest []byte
	for line := range bytes.Lines(data) {
		var p Result
		if json.Unmarshal(line, &p) == nil && p.Model == model && p.When.Equal(when) {
			continue
		}
		rest = append(rest, line...)
	}
	return durable.Write(h.Path, rest, 0o600)
}
