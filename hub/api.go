package hub

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"inglenook/hub/fault"
)

func (c *Client) apiURL(parts ...string) *url.URL {
	return c.endpoint.JoinPath(append([]string{"api"}, parts...)...)
}

func (c *Client) pageURL(id string) string { return c.endpoint.JoinPath(id).String() }

// fileURL returns the address of a file at a revision. A slash in the revision's name is
// escaped, as the Hub requires.
func (c *Client) fileURL(id, revision, file string) *url.URL {
	u := *c.endpoint
	u.Path = strings.TrimSuffix(u.Path, "/") + "/" + id + "/resolve/" + revision + "/" + file
	u.RawPath = strings.TrimSuffix(c.endpoint.EscapedPath(), "/") + "/" + id + "/resolve/" + url.PathEscape(revision) + "/" + (&url.URL{Path: file}).EscapedPath()
	return &u
}

func (c *Client) getJSON(ctx context.Context, at *url.URL, into any) error {
	return c.getJSONAbout(ctx, at, into, subject{})
}

func (c *Client) getJSONAbout(ctx context.Context, at *url.URL, into any, about subject) error {
	_, err := c.getPage(ctx, at, into, about)
	return err
}

// getPage decodes one response of the API into the given value. next is the address of the
// following page, on the same host.
func (c *Client) getPage(ctx context.Context, at *url.URL, into any, about subject) (next *url.URL, err error) {
	err = c.patiently(ctx, func(ctx context.Context) error {
		x, err := c.send(ctx, http.MethodGet, at, nil, false)
		if err != nil {
			return err
		}
		defer x.Body.Close()
		if x.StatusCode != http.StatusOK {
			return c.statusError(x, about)
		}
		data, err := io.ReadAll(io.LimitReader(x.Body, maxJSON+1))
		if err != nil {
			return c.sendError(x.ctx, at, err)
		}
		if len(data) > maxJSON {
			return fault.New(fault.ErrProtocol, nil, "the answer of %s is too long to be right; check the model store address", at.Host)
		}
		if err := json.Unmarshal(data, into); err != nil {
			return fault.New(fault.ErrProtocol, fmt.Errorf("%s: %w", at.Path, err), "%s does not answer as a model store does; check the model store address (a page of a login or a proxy looks like this)", at.Host)
		}
		next = nextPage(x)
		return nil
	})
	return next, err
}

// patiently retries a request to the API a few times. An attempt is aborted when no data
// arrives for too long.
func (c *Client) patiently(ctx context.Context, try func(context.Context) error) error {
	for n := 0; ; n++ {
		limited, cancel := context.WithTimeoutCause(ctx, c.tuning.answer, c.silence())
		err := try(limited)
		cancel()
		if err == nil || ctx.Err() != nil || !fault.Temporary(err) || n+1 >= c.tuning.tries || fault.Wait(err) > c.tuning.answer {
			return err
		}
		if err := sleep(ctx, c.tuning.backoff(n, fault.Wait(err))); err != nil {
			return err
		}
	}
}

// nextPage reads <URL>; rel="next" from the Link header (RFC 8288). It ignores pages on
// other hosts.
func nextPage(x *exchange) *url.URL {
	for part := range strings.SplitSeq(x.Header.Get("Link"), ",") {
		address, rest, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(part), "<"), ">")
		if !ok || !strings.Contains(rest, `rel="next"`) {
			continue
		}
		if next, err := x.at.Parse(address); err == nil && sameOrigin(next, x.at) {
			return next
		}
	}
	return nil
}
