// Package store holds the words of what is kept of a person's files: which files,
// which passages they have, and the vectors of the passages. Package sqlite below
// it keeps them on this computer.
package store

import (
	"context"
	"errors"
	"time"

	"inglenook/documents"
)

// Errors that callers tell apart.
var (
	ErrNotFound  = errors.New("there is no such collection")
	ErrExists    = errors.New("a collection of this name exists already")
	ErrReadOnly  = errors.New("another Inglenook is open and keeps the documents; this one can only search them")
	ErrDamaged   = errors.New("the index is damaged; it is set aside when Inglenook starts the next time, and the documents are read again")
	ErrBeginning = errors.New("another Inglenook is just setting it up")
	ErrReplaced  = errors.New("somebody else embeds this collection with another model now; agree on one model, and index it again with that")
	ErrDiskFull  = errors.New("the disk is full, so nothing of this file was kept; free some space and try again")
)

// A Store keeps collections. Its methods may be called at the same time.
type Store interface {
	// Collections returns all collections by name.
	Collections(ctx context.Context) ([]Collection, error)
	// Collection returns the collection with an id, or ErrNotFound.
	Collection(ctx context.Context, id string) (Collection, error)
	// Create makes an empty collection, or returns ErrExists.
	Create(ctx context.Context, name string) (Collection, error)
	// Remove deletes a collection and all that was kept for it. The person's
	// files stay.
	Remove(ctx context.Context, id string) error
	// ReadOnly reports whether another process keeps the collections, so that they
	// can be searched here and not changed.
	ReadOnly() bool
	// Notes returns a sentence for each thing that was repaired or set aside
	// since the store was opened.
	Notes() []string
	// Closed returns the collections that are there and could not be opened, say
	// because the disk is full. Remove deletes them too. Retry opens them where
	// that works by now.
	Closed() []Closed
	Retry(ctx context.Context) error
	Close() error
}

// Closed is a collection that could not be opened.
type Closed struct {
	ID, Name string
	Err      error
}

// A Collection is a set of files that are searched together. Its methods may be
// called at the same time; those that write wait for each other.
type Collection interface {
	ID() string
	Name() string
	// Rename changes the name, or returns ErrExists.
	Rename(ctx context.Context, name string) error
	// Setting returns what SetSetting kept under a key, nil if nothing. Settings
	// survive damage of the index.
	Setting(key string) []byte
	SetSetting(key string, value []byte) error
	// ChangeSetting puts what change makes of a setting in its place. Nobody else
	// changes it meanwhile, also no other process.
	ChangeSetting(key string, change func(value []byte) ([]byte, error)) error
	Summary(ctx context.Context) (Summary, error)

	Files
	VectorSets
	Finder
}

// An Improver is a collection that can make its own searches faster once it is large.
type Improver interface {
	// Improve does that as far as it pays, and calls begins before work that takes
	// minutes. Searches may go on meanwhile, and what it did not complete is done by the
	// next call.
	Improve(ctx context.Context, begins func()) error
}

// Improve improves a collection if it can be.
func Improve(ctx context.Context, c Collection, begins func()) error {
	if i, ok := c.(Improver); ok {
		return i.Improve(ctx, begins)
	}
	return nil
}

// Files are the files of a collection and their passages.
type Files interface {
	// File returns the record of a path, and whether there is one.
	File(ctx context.Context, path string) (File, bool, error)
	// Files returns the records that a filter lets through, by path.
	Files(ctx context.Context, f FileFilter) ([]File, error)
	// Mark writes the record of a file and leaves its passages as they are: of a
	// file that waits, failed or is skipped.
	Mark(ctx context.Context, f File) error
	// Link records a file as indexed if a file with the same hash and format is,
	// and reports whether it did: then its text need not be read. A file that
	// moved is linked at its new path, and then deleted at the old one.
	Link(ctx context.Context, f File) (bool, error)
	// Put records a file as indexed, with its passages, in place of what was kept
	// for it. vectors has one vector a passage for each embedder; those of the
	// serving embedder must be there. All of it is kept, or nothing.
	Put(ctx context.Context, f File, passages []documents.Chunk, vectors map[string][][]float32) error
	// Delete forgets files. Passages that no other file shares go with them.
	Delete(ctx context.Context, paths ...string) error
}

// VectorSets are the vectors of a collection, one set for each embedder. One set
// serves searches; a second may be built meanwhile.
type VectorSets interface {
	// Sets returns the sets, the serving one first.
	Sets(ctx context.Context) ([]VectorSet, error)
	// Begin makes a set for an embedder unless there is one. The first set of a
	// collection serves at once. A set that was being built for another embedder
	// is dropped.
	Begin(ctx context.Context, embedder string, dimension int) error
	// Missing returns up to n passages that have no vector in a set, by id.
	Missing(ctx context.Context, embedder string, n int) ([]Passage, error)
	// Add keeps vectors of passages, by id. Passages that are gone are passed over.
	Add(ctx context.Context, embedder string, ids []int64, vectors [][]float32) error
	// Serve makes a complete set the serving one and drops the other.
	Serve(ctx context.Context, embedder string) error
	// Abandon drops a set that is being built; without one it does nothing.
	Abandon(ctx context.Context) error
}

// A Finder finds passages.
type Finder interface {
	// Nearest returns up to n passages by the dot product of their vector with v.
	Nearest(ctx context.Context, embedder string, v []float32, n int, f Filter) ([]Hit, error)
	// Matching returns up to n passages by how well their words match, with BM25.
	Matching(ctx context.Context, w Words, n int, f Filter) ([]Hit, error)
	// Passages returns passages by id, in the order of ids, without those that
	// are gone.
	Passages(ctx context.Context, ids []int64) ([]Passage, error)
	// PassagesOf returns the ids of the passages of an indexed file, in their order.
	PassagesOf(ctx context.Context, path string) ([]int64, error)
	// Vectors returns the vectors of passages, nil for one that has none.
	Vectors(ctx context.Context, embedder string, ids []int64) ([][]float32, error)
}

// State says how far a file is.
type State string

// The states of a file.
const (
	Indexed State = "indexed"
	Waiting State = "waiting" // to be read, for the first time or again
	Failed  State = "failed"  // with a reason; it may be tried again
	Skipped State = "skipped" // with a reason; it is not tried again until it changes
)

// A File is the record of one file.
type File struct {
	Path      string // absolute
	Size      int64
	Modified  time.Time
	Hash      string // of its bytes; "" if it was not read yet
	State     State
	Reason    string // a sentence, of a file that is not indexed
	Retries   int
	Title     string
	Format    string
	Pages     int
	Notes     []string // one sentence for each thing that was left out
	Passages  int      // how many its text has
	Duplicate string   // the path under which a file of the same bytes is shown; "" if this one is
	Indexed   time.Time
}

// A FileFilter chooses records. Its zero value lets everything through.
type FileFilter struct {
	States  []State
	Folder  string   // files in it and below it
	Endings []string // of their names, such as "pdf"
	Hash    string
	After   string // paths after this one
	Limit   int    // 0: all
}

// A Summary is what a collection holds.
type Summary struct {
	Files    map[State]int
	Passages int
	Bytes    int64 // on disk
	Embedder string
	Building string // the embedder of the set that is being built
	Missing  int    // passages that have no vector in that set yet
	Checks   Checks // of the serving set
}

// Checks tell how good searches by meaning are in a large collection, where they
// do not compare all vectors exactly. Searches are done again later, as far as
// there is time, in the exact way.
type Checks struct {
	Checked int // of the last searches
	Same    int // of these, the ten nearest passages were the right ones
}

// A VectorSet is the vectors of one embedder.
type VectorSet struct {
	Embedder  string
	Dimension int
	Serving   bool
	Vectors   int
}

// A Passage is a passage as it was found in files.
type Passage struct {
	documents.Chunk
	ID    int64
	Index int    // the place among the passages of its file
	Files []File // those that have it, the one that is shown first
}

// A Filter chooses passages by their files. Its zero value lets everything
// through.
type Filter struct {
	Folder  string   // files in it and below it
	Paths   []string // these files only
	Formats []string
	Endings []string  // of their names, such as "pdf"
	From    time.Time // modified at this time or later
	Until   time.Time // modified before this time
}

// Words are what a text search looks for. They are words, never a query language.
type Words struct {
	Any     []string // a passage has at least one of them; each adds to its score
	Phrases []string // a passage has all of them, word for word
}

// A Hit is a passage that was found.
type Hit struct {
	ID    int64
	Score float64 // more is better
	Share float64 // of the most that a passage could score, from 0 to 1
}
