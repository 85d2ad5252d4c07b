package hub

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"inglenook/hub/fault"
	"inglenook/hub/repo"
)

// maxPeek limits how much of a file is read without a download.
const maxPeek = 64 << 20

// Peek returns the bytes from..to of a file at a commit, such as its header, or fewer at
// the end of the file. They are not stored and cannot be verified.
func (c *Client) Peek(ctx context.Context, id, commit string, f repo.File, from, to int64) ([]byte, error) {
	if err := errors.Join(repo.CheckID(id), repo.CheckCommit(commit), repo.CheckFile(f.Path)); err != nil {
		return nil, err
	}
	if to = min(to, f.Size); from < 0 || from > to || to-from > maxPeek {
		return nil, fmt.Errorf("bytes %d to %d of %s are no part that can be looked at", from, to, f.Path)
	}
	if from == to {
		return nil, nil
	}
	var data []byte
	err := c.patiently(ctx, func(ctx context.Context) error {
		header := http.Header{"Range": {fmt.Sprintf("bytes=%d-%d", from, to-1)}, "Accept-Encoding": {"identity"}}
		x, err := c.send(ctx, http.MethodGet, c.fileURL(id, commit, f.Path), header, false)
		if err != nil {
			return err
		}
		defer x.Body.Close()
		skip := int64(0)
		switch x.StatusCode {
		case http.StatusPartialContent:
			if got, want := x.Header.Get("Content-Range"), fmt.Sprintf("bytes %d-%d/%d", from, to-1, f.Size); got != want {
				return fault.New(fault.ErrProtocol, nil, "%s sends another part of %s than was asked for", x.at.Host, f.Path)
			}
		case http.StatusOK: // the whole file: what comes before is read and dropped
			skip = from
		default:
			return c.statusError(x, subject{id, commit, f.Path})
		}
		if _, err := io.CopyN(io.Discard, x.Body, skip); err == nil {
			data, err = io.ReadAll(io.LimitReader(x.Body, to-from))
			if err == nil && int64(len(data)) < to-from {
				err = io.ErrUnexpectedEOF
			}
			if err != nil {
				return c.sendError(x.ctx, x.at, err)
			}
			return nil
		}
		return c.sendError(x.ctx, x.at, io.ErrUnexpectedEOF)
	})
	return data, err
}
