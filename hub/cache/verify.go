package cache

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"inglenook/hub/fault"
	"inglenook/hub/repo"
	"inglenook/regular"
)

// FileCheck is the result of hashing an installed file.
type FileCheck struct {
	Path   string
	Size   int64
	SHA256 string
	OK     bool
	Why    string // one sentence if it is not OK
	Bad    []Span // the parts that changed since the download, if known
}

// Span is the bytes [From, To) of a file.
type Span struct{ From, To int64 }

// Verify hashes every file of an installed revision ("" is main) and compares the hash with
// the name of its blob. It needs no connection. The error reports only what could not be
// checked at all.
func (c *Cache) Verify(ctx context.Context, id, revision string, report func(done, total int64)) ([]FileCheck, error) {
	s, err := OpenStore(c.dir, id, false)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	r, err := s.Revision(revision)
	if err != nil {
		return nil, err
	}
	var list []FileCheck
	total, done := r.Bytes, int64(0)
	for _, f := range r.Files {
		check, err := s.verify(ctx, r.Commit, f, func(n int64) {
			if done += n; report != nil {
				report(done, total)
			}
		})
		if err != nil {
			return nil, err
		}
		list = append(list, check)
	}
	return list, nil
}

// verify hashes one file of a snapshot.
func (s *Store) verify(ctx context.Context, commit string, f InstalledFile, add func(int64)) (FileCheck, error) {
	check := FileCheck{Path: f.Path, Size: f.Size}
	if f.Missing {
		check.Why = "its data is missing"
		return check, nil
	}
	want := f.Listed()
	if f.Size != want.Size {
		check.Why = fmt.Sprintf("it has %d bytes instead of %d", f.Size, want.Size)
		add(f.Size)
		return check, nil
	}
	file, err := regular.OpenIn(ctx, s.Root, snapshotPath(commit, f.Path))
	if err != nil {
		check.Why = "it cannot be opened"
		return check, nil
	}
	defer file.Close()
	have, plain := NewHash(want), sha256.New()
	known, found := s.ReadSums(want)
	piece := int64(16 << 20)
	if found {
		piece = known.Piece
	}
	sums, err := sumsOf(ctx, file, f.Size, piece, func(b []byte) {
		_, _ = have.Write(b)
		_, _ = plain.Write(b)
		add(int64(len(b)))
	})
	if ctx.Err() != nil {
		return check, context.Cause(ctx)
	}
	if err != nil {
		check.Why = "the disk cannot read it"
		return check, nil
	}
	check.SHA256 = hex.EncodeToString(plain.Sum(nil))
	switch {
	case want.Digest() == "":
		check.Why = "its checksum is unknown, because the listing was not kept"
	case hex.EncodeToString(have.Sum(nil)) == want.Digest():
		check.OK = true
	default:
		check.Why = "its data differs from that of the model store"
		for i, sum := range sums {
			if found && sum != known.CRC32C[i] {
				from := int64(i) * piece
				check.Bad = append(check.Bad, Span{from, min(from+piece, f.Size)})
			}
		}
	}
	return check, nil
}

// sumsOf returns the checksum of each piece of a file, and all bytes to use.
func sumsOf(ctx context.Context, f io.ReaderAt, size, piece int64, use func([]byte)) ([]uint32, error) {
	list := make([]uint32, pieceCount(size, piece))
	for i := range list {
		from := int64(i) * piece
		err := ReadThrough(ctx, f, from, min(from+piece, size), func(b []byte) {
			list[i] = UpdateCRC(list[i], b)
			use(b)
		})
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// HashBlob returns the hash of a blob, and the checksums of its pieces.
func (s *Store) HashBlob(ctx context.Context, f repo.File, piece int64) (string, Sums, error) {
	blob, err := regular.OpenIn(ctx, s.Root, BlobPath(f.Digest()))
	if err != nil {
		return "", Sums{}, err
	}
	defer blob.Close()
	h := NewHash(f)
	list, err := sumsOf(ctx, blob, f.Size, piece, func(b []byte) { _, _ = h.Write(b) })
	if err != nil {
		return "", Sums{}, err
	}
	return hex.EncodeToString(h.Sum(nil)), Sums{Schema: 1, Size: f.Size, Piece: piece, CRC32C: list}, nil
}

// SetAside makes a damaged blob the temporary file of a transfer that lacks the bad parts.
func (s *Store) SetAside(f repo.File, check FileCheck) error {
	known, found := s.ReadSums(f)
	name := BlobPath(f.Digest())
	if !found || len(check.Bad) == 0 || s.Size(name) != f.Size {
		err := s.Root.Remove(name)
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return fault.Storage(err, "the damaged %s cannot be removed", f.Path)
	}
	j := Journal{Schema: JournalSchema, Path: f.Path, Size: f.Size, Digest: f.Digest(), Piece: known.Piece, Unique: NewUnique()}
	bad := map[int64]bool{}
	for _, span := range check.Bad {
		bad[span.From] = true
	}
	for i, sum := range known.CRC32C {
		if from := int64(i) * known.Piece; !bad[from] {
			j.Done = append(j.Done, [3]int64{int64(i), min(known.Piece, f.Size-from), int64(sum)})
		}
	}
	if err := s.ReplaceJSON(JournalPath(j.Digest, j.Unique), j); err != nil {
		return fault.Storage(err, "nothing can be written for %s", f.Path)
	}
	// Copy it, because the damaged file may be in use and its good parts may be what is read.
	if err := s.copyFile(name, TempPath(j.Digest, j.Unique)); err != nil {
		s.DropJournal(j)
		return fault.Storage(err, "nothing can be written for %s", f.Path)
	}
	return fault.Storage(s.Root.Remove(name), "the damaged %s cannot be removed", f.Path)
}
