package hub

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"inglenook/hub/cache"
	"inglenook/hub/fault"
	"inglenook/hub/repo"
)

// fetchPiece requests the missing part of piece i. It calls started once the response proves
// right.
func (t *transfer) fetchPiece(ctx context.Context, i int, started func()) error {
	from, to := t.span(i)
	t.mu.Lock()
	from += t.pieces[i].Done
	tag := t.j.ETag
	t.mu.Unlock()

	header := http.Header{"Range": {fmt.Sprintf("bytes=%d-%d", from, to-1)}}
	if tag != "" {
		header.Set("If-Range", tag)
	}
	return t.ask(ctx, header, func(x *exchange, read io.Reader) error {
		switch x.StatusCode {
		case http.StatusOK:
			return errWhole
		case http.StatusRequestedRangeNotSatisfiable:
			return odd("%s says that %s ends earlier than its listing says", x.at.Host, t.file.Path)
		}
		if err := t.checkRange(x, from, to); err != nil {
			return err
		}
		started()
		return t.keep(ctx, read, from, to)
	})
}

// fetchStream requests everything from the first gap on. If the server sends the whole file
// instead, it starts again from byte 0.
func (t *transfer) fetchStream(ctx context.Context) error {
	t.mu.Lock()
	from, tag := t.prefix(), t.j.ETag
	t.mu.Unlock()
	header := http.Header{}
	if from > 0 {
		header.Set("Range", fmt.Sprintf("bytes=%d-", from))
		if tag != "" {
			header.Set("If-Range", tag)
		}
	}
	return t.ask(ctx, header, func(x *exchange, read io.Reader) error {
		switch {
		case x.StatusCode == http.StatusRequestedRangeNotSatisfiable:
			return odd("%s says that %s ends earlier than its listing says", x.at.Host, t.file.Path)
		case x.StatusCode == http.StatusOK:
			if x.ContentLength >= 0 && x.ContentLength != t.file.Size {
				return odd("%s sends %d bytes for %s, which has %d", x.at.Host, x.ContentLength, t.file.Path, t.file.Size)
			}
			if from > 0 {
				t.startOver()
				from = 0
			}
			t.learn(x)
		default:
			if err := t.checkRange(x, from, t.file.Size); err != nil {
				return err
			}
		}
		err := t.keep(ctx, read, from, t.file.Size)
		if errors.Is(err, io.EOF) && x.StatusCode == http.StatusOK { // complete, not cut off
			err = oddity{err, true}
		}
		return err
	})
}

// ask requests bytes of the file from the address of the endpoint's last redirect, or else
// from the endpoint. It calls use with a response of status 200, 206 or 416 and a reader that
// fails when no data arrives.
func (t *transfer) ask(ctx context.Context, header http.Header, use func(*exchange, io.Reader) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	w := newWatch(t.c, func() {
		cancel(fault.New(fault.ErrUnreachable, nil, "nothing came for %s", t.c.tuning.stall.Round(time.Second)))
	})
	defer w.stop()

	t.mu.Lock()
	to := t.source
	t.mu.Unlock()
	if to == nil {
		to = t.c.fileURL(t.id, t.commit, t.file.Path)
	}
	x, err := t.c.send(ctx, http.MethodGet, to, header, false)
	if err != nil {
		return err
	}
	defer x.Body.Close()
	if err := t.checkOrigin(x); err != nil {
		return err
	}
	switch x.StatusCode {
	case http.StatusOK, http.StatusPartialContent, http.StatusRequestedRangeNotSatisfiable:
	default:
		return t.c.statusError(x, subject{t.id, t.commit, t.file.Path})
	}
	if err := t.checkForm(x); err != nil {
		return err
	}
	if x.away {
		t.mu.Lock()
		t.source = x.at
		t.mu.Unlock()
	}
	w.body = x.Body
	err = use(x, w)
	if err != nil && ctx.Err() != nil && !errors.Is(err, fault.ErrProtocol) {
		return t.c.sendError(ctx, x.at, err)
	}
	return err
}

// checkOrigin rejects a response in which the endpoint itself describes other bytes than it
// listed.
func (t *transfer) checkOrigin(x *exchange) error {
	first := x.first
	if first == nil {
		first = x.Header
	}
	if tag := plainETag(first.Get(headerLinkedETag)); repo.CheckDigest(tag) == nil && tag != t.file.Digest() {
		return odd("%s now sends other bytes for %s than it listed", t.c.endpoint.Host, t.file.Path)
	}
	return nil
}

// checkForm rejects a response whose body cannot be the file's raw bytes.
func (t *transfer) checkForm(x *exchange) error {
	if encoding := x.Header.Get("Content-Encoding"); encoding != "" && encoding != "identity" {
		return odd("%s sends %s in another encoding than was asked for", x.at.Host, t.file.Path)
	}
	kind, _, _ := mime.ParseMediaType(x.Header.Get("Content-Type"))
	if kind == "text/html" && !strings.HasSuffix(t.file.Path, ".html") {
		return odd("%s sends a web page instead of %s; perhaps the network wants a login first", x.at.Host, t.file.Path)
	}
	return nil
}

// checkRange accepts a response only if it is exactly the requested range, of a file of the
// right size, unchanged since the previous response.
func (t *transfer) checkRange(x *exchange, from, to int64) error {
	want := fmt.Sprintf("bytes %d-%d/%d", from, to-1, t.file.Size)
	got := strings.TrimSpace(x.Header.Get("Content-Range"))
	if got != want || x.ContentLength >= 0 && x.ContentLength != to-from {
		return odd("%s sends another part of %s than was asked for", x.at.Host, t.file.Path)
	}
	if !t.learn(x) {
		return odd("%s at %s changed on the way", t.file.Path, x.at.Host)
	}
	return nil
}

// learn stores the response's strong ETag for If-Range, which does not allow weak ones. It
// reports whether the tag matches the stored one.
func (t *transfer) learn(x *exchange) bool {
	tag := x.Header.Get("ETag")
	if !strings.HasPrefix(tag, `"`) || !strings.HasSuffix(tag, `"`) || len(tag) > 200 {
		return true // nothing to compare; the hash decides
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.j.ETag == "" || x.StatusCode == http.StatusOK {
		t.j.ETag = tag
		t.dirty = true
	}
	return t.j.ETag == tag
}

// keep writes a body to its position in the temporary file.
func (t *transfer) keep(ctx context.Context, body io.Reader, from, to int64) error {
	buf := make([]byte, min(256<<10, to-from+1))
	at := from
	for {
		if at == to {
			return t.checkEnd(body)
		}
		n, err := body.Read(buf[:t.c.speed.chunk(int(min(int64(len(buf)), to-at)))])
		if n > 0 {
			if err := t.write(buf[:n], at); err != nil {
				return err
			}
			at += int64(n)
			if err := t.c.speed.wait(ctx, n); err != nil {
				return err
			}
			if err := t.room.look(); err != nil {
				return err
			}
		}
		switch {
		case err == nil || at == to:
		case errors.Is(err, io.EOF) && at == from:
			return odd("%s sends nothing for %s", t.c.endpoint.Host, t.file.Path)
		default: // also io.EOF: a body without a length that ends early was cut off
			return fault.New(fault.ErrUnreachable, err, "the connection broke while %s was on its way", t.file.Path)
		}
	}
}

// checkEnd rejects a response that continues past its expected end.
func (t *transfer) checkEnd(body io.Reader) error {
	var one [1]byte
	if n, _ := body.Read(one[:]); n > 0 {
		return odd("more bytes came for %s than were asked for", t.file.Path)
	}
	return nil
}

// write writes bytes to the temporary file, piece by piece.
func (t *transfer) write(b []byte, at int64) error {
	for len(b) > 0 {
		i := int(at / t.j.Piece)
		_, to := t.span(i)
		part := b[:min(int64(len(b)), to-at)]
		if _, err := t.temp.WriteAt(part, at); err != nil {
			return fault.Storage(err, "%s cannot be written", t.file.Path)
		}
		t.mu.Lock()
		sum := t.pieces[i].Sum
		t.mu.Unlock()
		t.wrote(i, int64(len(part)), cache.UpdateCRC(sum, part))
		b, at = b[len(part):], at+int64(len(part))
	}
	return nil
}

// watch reads a body and calls back if less than a trickle arrives for too long. Time spent
// outside of Read does not count.
type watch struct {
	body    io.Reader
	timer   *time.Timer
	patient time.Duration
	trickle int64
	n       int64         // bytes in the current window
	spent   time.Duration // in reads of the current window
	giveUp  func()
}

func newWatch(c *Client, giveUp func()) *watch {
	return &watch{timer: time.AfterFunc(c.tuning.stall, giveUp), patient: c.tuning.stall, trickle: c.tuning.trickle, giveUp: giveUp}
}

func (w *watch) Read(p []byte) (int, error) {
	w.timer.Reset(w.patient)
	start := time.Now()
	n, err := w.body.Read(p)
	w.timer.Stop()
	w.n += int64(n)
	w.spent += time.Since(start)
	if w.spent > w.patient {
		if w.n < w.trickle && err == nil {
			w.giveUp()
		}
		w.n, w.spent = 0, 0
	}
	return n, err
}

func (w *watch) stop() { w.timer.Stop() }
