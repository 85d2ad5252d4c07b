package cache

import (
	"crypto/sha1"
	"crypto/sha256"
	"fmt"
	"hash"
	"hash/crc32"
	"os"
	"time"

	"inglenook/hub/repo"
)

// Journal is the state that a transfer keeps on disk next to its temporary file, so that it
// can resume after any interruption. It may lag behind the file and is never ahead of it.
type Journal struct {
	Schema int        `json:"schema"` // 1
	Path   string     `json:"path"`   // in the repository; informational
	Size   int64      `json:"size"`
	Digest string     `json:"digest"`
	ETag   string     `json:"etag"` // of the server that sent the bytes
	Piece  int64      `json:"piece"`
	Done   [][3]int64 `json:"done"` // piece, how many of its first bytes are present, their CRC-32C
	Host   string     `json:"host"` // of the writing process; "": none
	PID    int        `json:"pid"`

	Unique string
	seen   time.Time // last sign of life
}

const JournalSchema = 1

// StaleAfter is how long a process may give no sign of life before it counts as dead.
const StaleAfter = 30 * time.Second

// Piece is the part of a file that one request fetches. Its bytes arrive in order.
type Piece struct {
	Done int64
	Sum  uint32 // CRC-32C of the bytes received so far
	Busy bool
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// UpdateCRC adds bytes to a CRC-32C.
func UpdateCRC(sum uint32, b []byte) uint32 { return crc32.Update(sum, castagnoli, b) }

// pieceCount returns the number of pieces of a file; an empty file has none.
func pieceCount(size, piece int64) int { return int((size + piece - 1) / piece) }

// Pieces returns the state of each piece of a file.
func (j Journal) Pieces(temp int64) []Piece {
	list := make([]Piece, pieceCount(j.Size, j.Piece))
	for _, d := range j.Done {
		i := d[0]
		if i < 0 || i >= int64(len(list)) || d[1] < 0 || d[1] > min(j.Piece, j.Size-i*j.Piece) || i*j.Piece+d[1] > temp {
			continue // the temporary file does not contain it
		}
		list[i] = Piece{Done: d[1], Sum: uint32(d[2])}
	}
	return list
}

// SetPieces stores the state of all pieces in the journal.
func (j *Journal) SetPieces(list []Piece) {
	j.Done = j.Done[:0]
	for i, p := range list {
		if p.Done > 0 {
			j.Done = append(j.Done, [3]int64{int64(i), p.Done, int64(p.Sum)})
		}
	}
}

// Bytes returns how many bytes are present.
func (j Journal) Bytes() (sum int64) {
	for _, d := range j.Done {
		sum += max(0, d[1])
	}
	return min(sum, j.Size)
}

// Fits reports whether the journal belongs to a file.
func (j Journal) Fits(f repo.File) bool {
	return j.Schema == JournalSchema && j.Size == f.Size && j.Digest == f.Digest() && j.Piece > 0 && j.Piece <= 1<<40 &&
		pieceCount(j.Size, j.Piece) <= 1<<20
}

// Alive reports whether the process that writes a journal is still running. The blob's lock
// tells the same, except on file systems that grant locks to everyone.
func (j Journal) Alive(stale time.Duration) bool {
	if j.PID == 0 || time.Since(j.seen) > stale {
		return false
	}
	host, _ := os.Hostname()
	if j.Host != host {
		return true
	}
	return j.PID != os.Getpid() && processAlive(j.PID)
}

// Running is like alive and includes this process.
func (j Journal) Running(stale time.Duration) bool {
	return j.Alive(stale) || j.PID == os.Getpid() && time.Since(j.seen) <= stale
}

// Journals returns the journals of one blob, or all of them if digest is "".
func (s *Store) Journals(digest string) (list []Journal) {
	for _, entry := range s.list(ownFolder) {
		d, unique, ok := journalOf(entry.Name())
		if !ok || digest != "" && d != digest {
			continue
		}
		j := Journal{Unique: unique}
		if err := s.readJSON(JournalPath(d, unique), &j); err != nil || j.Digest != d {
			j = Journal{Digest: d, Unique: unique}
		}
		if info, err := entry.Info(); err == nil {
			j.seen = info.ModTime()
		}
		list = append(list, j)
	}
	return list
}

// DropJournal removes a journal and its temporary file.
func (s *Store) DropJournal(j Journal) {
	_ = s.Root.Remove(TempPath(j.Digest, j.Unique))
	_ = s.Root.Remove(JournalPath(j.Digest, j.Unique))
}

// Sums holds the checksums of a blob's pieces, so that damage can be located to a piece.
type Sums struct {
	Schema int      `json:"schema"` // 1
	Size   int64    `json:"size"`
	Piece  int64    `json:"piece"`
	CRC32C []uint32 `json:"crc32c"`
}

// ReadSums returns the checksums that were kept for a blob.
func (s *Store) ReadSums(f repo.File) (Sums, bool) {
	var have Sums
	err := s.readJSON(SumsPath(f.Digest()), &have)
	ok := err == nil && have.Schema == 1 && have.Size == f.Size && have.Piece > 0 && len(have.CRC32C) == pieceCount(have.Size, have.Piece)
	return have, ok
}

// NewHash returns the hash that names a file's blob: SHA-256, or SHA-1 over git's header and
// the bytes (git-hash-object).
func NewHash(f repo.File) hash.Hash {
	if f.SHA256 != "" {
		return sha256.New()
	}
	h := sha1.New()
	fmt.Fprintf(h, "blob %d\x00", f.Size)
	return h
}
