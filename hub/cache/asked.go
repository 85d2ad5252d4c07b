package cache

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"inglenook/hub/fault"
	"inglenook/hub/repo"
	"inglenook/regular"
)

// Asked is a download that somebody asked for, before the server has told its files. It becomes a
// [Job] then.
type Asked struct {
	Schema   int       `json:"schema"` // 1
	ID       string    `json:"id"`
	Revision string    `json:"revision"`
	Files    []string  `json:"files"` // patterns; none: what a model needs
	Order    int64     `json:"order"` // in the queue
	Added    time.Time `json:"added"`
	Paused   bool      `json:"paused"`
	Why      string    `json:"why"` // why the program paused it, if it did
}

// AskedSchema is the version of the file of an [Asked].
const AskedSchema = 1

// maxAskedFile limits the size of such a file when it is read, in bytes.
const maxAskedFile = 1 << 20

// valid reports whether what was read from the disk, which anyone may have written, lies in its
// own file.
func (a Asked) valid(name string) bool {
	return a.Schema == AskedSchema && repo.CheckID(a.ID) == nil && repo.CheckRevision(a.Revision) == nil && len(a.Files) <= repo.MaxFiles && name == askedName(a.ID, a.Revision)
}

// askedName is the name of the file of a download that was asked for.
func askedName(id, revision string) string {
	sum := sha256.Sum256([]byte(id + "@" + revision))
	return hex.EncodeToString(sum[:16]) + ".json"
}

func (c *Cache) askedPath(name string) string { return filepath.Join(c.dir, askedFolder, name) }

// WriteAsked stores a download that was asked for, or its new state.
func (c *Cache) WriteAsked(a Asked) error {
	err := errors.Join(repo.CheckID(a.ID), repo.CheckRevision(a.Revision))
	if err != nil {
		return err
	}
	a.Schema = AskedSchema
	data, err := json.Marshal(a)
	if err == nil {
		err = c.replaceAsked(askedName(a.ID, a.Revision), append(data, '\n'))
	}
	return fault.Storage(err, "the download of %s cannot be noted", a.ID)
}

// replaceAsked replaces such a file.
func (c *Cache) replaceAsked(name string, data []byte) error {
	folder := filepath.Join(c.dir, askedFolder)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer root.Close()
	return replaceIn(root, "new."+NewUnique(), name, data, true)
}

// DropAsked forgets one; a missing one is not an error.
func (c *Cache) DropAsked(id, revision string) error {
	err := os.Remove(c.askedPath(askedName(id, revision)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	_ = os.Remove(filepath.Join(c.dir, askedFolder)) // if it is empty now
	return fault.Storage(err, "the end of a download cannot be noted")
}

// Asked returns the downloads that were asked for and whose files are not known yet.
func (c *Cache) Asked(ctx context.Context) (list []Asked) {
	entries, err := regular.ReadDir(ctx, filepath.Join(c.dir, askedFolder))
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if a, ok := c.readAsked(ctx, e.Name()); ok {
			list = append(list, a)
		}
	}
	return list
}

func (c *Cache) readAsked(ctx context.Context, name string) (a Asked, ok bool) {
	f, err := regular.Open(ctx, c.askedPath(name))
	if err != nil {
		return Asked{}, false
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxAskedFile))
	if err != nil || json.Unmarshal(data, &a) != nil {
		return Asked{}, false
	}
	return a, a.valid(name)
}
