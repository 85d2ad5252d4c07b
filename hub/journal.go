package hub

import (
	"crypto/sha1"
	"crypto/sha256"
	"fmt"
	"hash"
	"hash/crc32"
	"os"
	"time"
)

// journal is the state that a transfer keeps on disk next to its temporary file, so that it
// can resume after any interruption. It may lag behind the file and is never ahead of it.
type journal struct {
	Schema int        `json:"schema"` // 1
	Path   string     `json:"path"`   // in the repository; informational
	Size   int64      `json:"size"`
	Digest string     `json:"digest"`
	ETag   string     `json:"etag"` // of the server that sent the bytes
	Piece  int64      `json:"piece"`
	Done   [][3]int64 `json:"done"` // piece, how many of its first bytes are present, their CRC-32C
	Host   string     `json:"host"` // of the writing process; "": none
	PID    int        `json:"pid"`

	unique string
	seen   time.Time // last sign of life
}

const journalSchema = 1

// staleAfter is how long a process may give no sign of life before it counts as dead.
const staleAfter = 30 * time.Second

// piece is the part of a file that one request fetches. Its bytes arrive in order.
type piece struct {
	done int64
	sum  uint32 // CRC-32C of the bytes received so far
	busy bool
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// crcUpdate adds bytes to a CRC-32C.
func crcUpdate(sum uint32, b []byte) uint32 { return crc32.Update(sum, castagnoli, b) }

// pieceCount returns the number of pieces of a file; an empty file has none.
func pieceCount(size, piece int64) int { return int((size + piece - 1) / piece) }

// pieces returns the state of each piece of a file.
func (j journal) pieces(temp int64) []piece {
	list := make([]piece, pieceCount(j.Size, j.Piece))
	for _, d := range j.Done {
		i := d[0]
		if i < 0 || i >= int64(len(list)) || d[1] < 0 || d[1] > min(j.Piece, j.Size-i*j.Piece) || i*j.Piece+d[1] > temp {
			continue // the temporary file does not contain it
		}
		list[i] = piece{done: d[1], sum: uint32(d[2])}
	}
	return list
}

func (j *journal) setPieces(list []piece) {
	j.Done = j.Done[:0]
	for i, p := range list {
		if p.done > 0 {
			j.Done = append(j.Done, [3]int64{int64(i), p.done, int64(p.sum)})
		}
	}
}

// bytes returns how many bytes are present.
func (j journal) bytes() (sum int64) {
	for _, d := range j.Done {
		sum += max(0, d[1])
	}
	return min(sum, j.Size)
}

// fits reports whether the journal belongs to a file.
func (j journal) fits(f File) bool {
	return j.Schema == journalSchema && j.Size == f.Size && j.Digest == f.Digest() && j.Piece > 0 && j.Piece <= 1<<40 &&
		pieceCount(j.Size, j.Piece) <= 1<<20
}

// alive reports whether the process that writes a journal is still running. The blob's lock
// tells the same, except on file systems that grant locks to everyone.
func (j journal) alive(stale time.Duration) bool {
	if j.PID == 0 || time.Since(j.seen) > stale {
		return false
	}
	host, _ := os.Hostname()
	if j.Host != host {
		return true
	}
	return j.PID != os.Getpid() && processAlive(j.PID)
}

// running is like alive and includes this process.
func (j journal) running(stale time.Duration) bool {
	return j.alive(stale) || j.PID == os.Getpid() && time.Since(j.seen) <= stale
}

// journals returns the journals of one blob, or all of them if digest is "".
func (s *store) journals(digest string) (list []journal) {
	for _, entry := range s.list(ownFolder) {
		d, unique, ok := journalOf(entry.Name())
		if !ok || digest != "" && d != digest {
			continue
		}
		j := journal{unique: unique}
		if err := s.readJSON(journalPath(d, unique), &j); err != nil || j.Digest != d {
			j = journal{Digest: d, unique: unique}
		}
		if info, err := entry.Info(); err == nil {
			j.seen = info.ModTime()
		}
		list = append(list, j)
	}
	return list
}

func (s *store) dropJournal(j journal) {
	_ = s.root.Remove(tempPath(j.Digest, j.unique))
	_ = s.root.Remove(journalPath(j.Digest, j.unique))
}

// sums holds the checksums of a blob's pieces, so that damage can be located to a piece.
type sums struct {
	Schema int      `json:"schema"` // 1
	Size   int64    `json:"size"`
	Piece  int64    `json:"piece"`
	CRC32C []uint32 `json:"crc32c"`
}

func (s *store) readSums(f File) (sums, bool) {
	var have sums
	err := s.readJSON(sumsPath(f.Digest()), &have)
	ok := err == nil && have.Schema == 1 && have.Size == f.Size && have.Piece > 0 && len(have.CRC32C) == pieceCount(have.Size, have.Piece)
	return have, ok
}

// newHash returns the hash that names a file's blob: SHA-256, or SHA-1 over git's header and
// the bytes (git-hash-object).
func newHash(f File) hash.Hash {
	if f.SHA256 != "" {
		return sha256.New()
	}
	h := sha1.New()
	fmt.Fprintf(h, "blob %d\x00", f.Size)
	return h
}
