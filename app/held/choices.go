package held

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"inglenook/app/base"
	"inglenook/app/library"
	"inglenook/durable"
	"inglenook/regular"
)

// Choices are how models read texts on this computer, each kept with the files of its
// model: other files under the same name are decided anew.
type Choices struct {
	path string
	log  *slog.Logger
	mu   sync.Mutex
	kept map[string]Held // nil: not read yet
}

// mostKept bounds the file.
const mostKept = 1 << 20 // bytes

// New keeps the choices in the data folder.
func New(log *slog.Logger, p base.Paths) *Choices {
	return &Choices{path: filepath.Join(p.Data, "eight-bits.json"), log: log}
}

// Of returns what is kept for the work of a model ("embed", "rerank"), the zero Held where
// nothing is decided.
func (c *Choices) Of(ctx context.Context, e library.Entry, work string) (Held, error) {
	key, err := keyOf(ctx, e, work)
	if err != nil {
		return Held{}, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.read()[key], nil
}

// Keep keeps a choice.
func (c *Choices) Keep(ctx context.Context, e library.Entry, work string, h Held) error {
	key, err := keyOf(ctx, e, work)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.read()[key] = h
	data, err := json.Marshal(c.kept)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(c.path), 0o700); err != nil {
		return err
	}
	return durable.Write(c.path, append(data, '\n'), 0o600)
}

// read returns the choices. A file that cannot be read costs no more than another check.
func (c *Choices) read() map[string]Held {
	if c.kept != nil {
		return c.kept
	}
	c.kept = map[string]Held{}
	data, err := regular.ReadFile(context.Background(), c.path, mostKept)
	if err == nil {
		err = json.Unmarshal(data, &c.kept)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		c.log.Warn("how models read texts is decided anew", "file", c.path, "error", err)
	}
	if err != nil || c.kept == nil {
		c.kept = map[string]Held{}
	}
	return c.kept
}

func keyOf(ctx context.Context, e library.Entry, work string) (string, error) {
	print, err := e.Fingerprint(ctx)
	return work + " " + e.ID + "@" + print, err
}
