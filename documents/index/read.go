package index

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"inglenook/documents"
	"inglenook/documents/chunk"
	"inglenook/documents/extract/format"
	"inglenook/documents/store"
	"inglenook/regular"
)

// work is a file on its way through the stages.
type work struct {
	job
	record   store.File
	passages []documents.Chunk
	vectors  [][]float32 // one a passage; nil: to come
	missing  int         // vectors to come
	memory   int64       // of the budget
}

// content returns the key of a content. The same bytes with another file name extension may
// be read in another way.
func (w *work) content() string { return w.record.Hash + ending(w.path) }

func (w *work) tokens() (sum int64) {
	for _, p := range w.passages {
		sum += int64(p.Tokens)
	}
	return sum
}

// errChanged means that a file changed while it was read.
var errChanged = errors.New("it changed while it was read")

// readAgain is how often a file that changes while it is read is read.
const readAgain = 3

// readFile brings one file as far as it goes without the embedder.
func (r *run) readFile(ctx context.Context, j job) {
	w := &work{job: j}
	var err error
	for range readAgain {
		if err = r.Wait(ctx); err == nil {
			err = r.tryFile(ctx, w)
		}
		if !errors.Is(err, errChanged) {
			break
		}
	}
	if err != nil && ctx.Err() == nil {
		r.settle(ctx, w, err)
	}
}

// tryFile hashes a file, and reads and cuts it where its content is new. Whoever
// claimed a content and fails leaves the claim to settle, or releases it with
// errChanged.
func (r *run) tryFile(ctx context.Context, w *work) error {
	w.record = store.File{}
	if w.refused != "" {
		return &format.Error{Reason: format.TooLarge, Text: w.refused}
	}
	hash, info, err := hashFile(ctx, w.path)
	if err != nil {
		return err
	}
	w.record = store.File{Path: w.path, Size: info.Size(), Modified: info.ModTime(), Hash: hash, Retries: w.before.Retries}
	if !r.contents.claim(w.content(), w) {
		return nil
	}
	mine, err := r.others.take(ctx, w.content())
	if err != nil {
		return r.broken(err)
	}
	if !mine {
		r.putOff(w)
		return nil
	}
	linked, err := r.link(ctx, w)
	if linked {
		r.follow(ctx, w)
	}
	if linked || err != nil {
		return err
	}
	doc, err := r.Read(ctx, w.path)
	if changed(ctx, w.path, info) {
		for _, other := range r.release(ctx, w) {
			r.readFile(ctx, other.job)
		}
		return errChanged
	}
	if err != nil {
		return err
	}
	return r.cut(ctx, w, doc)
}

// cut makes passages of a text and hands them on.
func (r *run) cut(ctx context.Context, w *work, doc documents.Document) (err error) {
	w.record.Title, w.record.Format, w.record.Pages, w.record.Notes = doc.Title, doc.Format, doc.Pages, doc.Notes
	e, err := r.embedder()
	if err != nil {
		r.fail(err)
		return err
	}
	w.passages, err = chunk.Split(&doc, patientCounter{ctx, e}, r.Chunks)
	if err != nil {
		return err
	}
	if len(w.passages) == 0 {
		return &format.Error{Reason: format.NoText, Text: "it has no text"}
	}
	w.vectors, w.missing = make([][]float32, len(w.passages)), len(w.passages)
	r.track.read(w)
	if w.memory, err = r.memory.take(ctx, int64(len(doc.Text))); err != nil {
		return err
	}
	select {
	case r.read <- w:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// link records a file whose content is kept already, as that of a copy or of a file
// that was elsewhere, and reports whether there was one.
func (r *run) link(ctx context.Context, w *work) (bool, error) {
	same, err := r.Collection.Files(ctx, store.FileFilter{Hash: w.record.Hash, States: []store.State{store.Indexed}})
	if err != nil {
		return false, r.broken(err)
	}
	for _, other := range same {
		if ending(other.Path) != ending(w.path) {
			continue
		}
		record := w.record
		record.Title, record.Format, record.Pages, record.Notes = other.Title, other.Format, other.Pages, other.Notes
		linked, err := r.Collection.Link(ctx, record)
		if err != nil {
			return false, r.broken(err)
		}
		if linked {
			if other.Path == w.path && other.Hash != w.before.Hash {
				r.track.byOthers(w)
			} else {
				r.track.linked(w, r.plan.movedFrom(record.Hash))
			}
			return true, nil
		}
	}
	return false, nil
}

// release ends the work on a content, here and among all processes, and returns the files that waited
// for it.
func (r *run) release(ctx context.Context, w *work) []*work {
	r.others.give(ctx, w.content())
	return r.contents.release(w.content())
}

// follow links the files that waited for a content, now that it is kept.
func (r *run) follow(ctx context.Context, first *work) {
	for _, w := range r.release(ctx, first) {
		if _, err := r.link(ctx, w); err != nil {
			return
		}
	}
}

// broken ends the run: the collection itself cannot be read or written.
func (r *run) broken(err error) error {
	r.fail(fmt.Errorf("the index cannot be used: %w", err))
	return err
}

// settle keeps the reason why a file has no passages, for it and for those that
// waited for the same content.
func (r *run) settle(ctx context.Context, w *work, err error) {
	defer r.others.give(ctx, w.content())
	outcome := judge(err)
	for _, w := range append([]*work{w}, r.contents.release(w.content())...) {
		record := store.File{
			Path: w.path, Size: w.size, Modified: w.modified, Hash: w.record.Hash,
			State: outcome.state, Reason: outcome.reason, Retries: w.before.Retries + 1,
		}
		if outcome.temporary {
			record.Hash = ""
			if w.before.Passages > 0 {
				record.State = store.Waiting // its passages are found until it can be read again
			}
		}
		if err := r.Collection.Mark(ctx, record); err != nil {
			_ = r.broken(err)
			return
		}
		r.track.refused(w, record)
	}
}

// outcome is what becomes of a file that gave no passages.
type outcome struct {
	state     store.State
	reason    string
	temporary bool // it may work later, so the next run tries the file again
}

func judge(err error) outcome {
	reason, known := format.ReasonOf(err)
	if !known {
		if errors.Is(err, errChanged) {
			return outcome{state: store.Failed, reason: "it changed each time it was read; it is read again once it stops changing", temporary: true}
		}
		return outcome{state: store.Failed, reason: readable(err), temporary: true}
	}
	o := outcome{state: store.Skipped, reason: err.Error()}
	if hinted, ok := errors.AsType[*format.Error](err); ok && hinted.Hint() != "" {
		o.reason += ". " + hinted.Hint()
	}
	if reason == format.Damaged || reason == format.NoVectors || reason == format.NeedsPassword || reason == format.TimedOut {
		o.state = store.Failed
	}
	return o
}

// hashFile returns the hash of a file's bytes, and what the file was before that.
func hashFile(ctx context.Context, path string) (string, fs.FileInfo, error) {
	f, err := regular.Open(ctx, path)
	if err != nil {
		return "", nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", nil, err
	}
	if info.IsDir() {
		return "", nil, errChanged
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, format.ContextReader(ctx, f)); err != nil {
		return "", nil, err
	}
	if changed(ctx, path, info) {
		return "", nil, errChanged
	}
	return hex.EncodeToString(sum.Sum(nil)), info, nil
}

// changed reports whether a file is no longer what it was. One that is gone is not:
// it is read as it was, and found to be gone the next time.
func changed(ctx context.Context, path string, before fs.FileInfo) bool {
	now, err := regular.Stat(ctx, path)
	return err == nil && (now.Size() != before.Size() || !now.ModTime().Equal(before.ModTime()) || !os.SameFile(now, before))
}

// patientCounter counts tokens in small steps, so that cutting a long text ends with
// its context.
type patientCounter struct {
	ctx context.Context
	documents.Embedder
}

// countStep is how many texts are counted between two looks at the context.
const countStep = 256

// CountTokens implements chunk.Counter.
func (c patientCounter) CountTokens(texts []string) (counts []int, err error) {
	for len(texts) > 0 {
		if err := c.ctx.Err(); err != nil {
			return nil, err
		}
		n := min(len(texts), countStep)
		some, err := c.Embedder.CountTokens(texts[:n])
		if err != nil {
			return nil, err
		}
		counts, texts = append(counts, some...), texts[n:]
	}
	return counts, nil
}
