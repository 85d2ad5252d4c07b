package hub

import (
	"net/http"
	"net/url"
	"path"
	"time"

	"inglenook/hub/fault"
	"inglenook/plain"

	huggingface "github.com/gomlx/go-huggingface/hub"
)

// Headers of the Hub's protocol.
const (
	headerCommit     = huggingface.HeaderXRepoCommit
	headerLinkedETag = huggingface.HeaderXLinkedETag
	headerLinkedSize = huggingface.HeaderXLinkedSize
	headerErrorCode  = "X-Error-Code"
	headerErrorText  = "X-Error-Message"
)

// subject is what a request was about, for its error messages.
type subject struct {
	id, revision, file string
}

func (s subject) String() string {
	switch {
	case s.file != "":
		return s.file + " of " + s.id
	case s.id != "":
		return s.id
	}
	return "that"
}

// statusError describes an unsuccessful response in a sentence. The Hub states the reason
// in X-Error-Code: GatedRepo, RepoNotFound, RevisionNotFound, EntryNotFound.
func (c *Client) statusError(x *exchange, about subject) error {
	host, code := x.at.Host, x.Header.Get(headerErrorCode)
	page := c.endpoint.String()
	if about.id != "" {
		page = c.pageURL(about.id)
	}
	switch status := x.StatusCode; {
	case status == http.StatusTooManyRequests:
		f := fault.New(fault.ErrRateLimited, nil, "%s received too many requests; it will be tried again", host)
		if f.Wait = retryAfter(x.Header, time.Now()); f.Wait > 0 {
			f.Sentence = host + " received too many requests and asks to wait " + plain.Duration(f.Wait)
		}
		return f
	case status == http.StatusRequestTimeout || status == http.StatusTooEarly || status >= 500 && status != http.StatusNotImplemented:
		f := fault.New(fault.ErrServer, nil, "%s has a problem (status %d); try again later", host, status)
		f.Wait = retryAfter(x.Header, time.Now())
		return f
	case x.away:
		return fault.New(fault.ErrProtocol, nil, "%s, which keeps the files, refuses %s (status %d)", host, about, status)
	case code == "GatedRepo" && status == http.StatusForbidden && c.mayHaveToken(x.at):
		return fault.New(fault.ErrGated, nil, "%s is gated, and the token's account may not read it yet: accept its terms at %s", about.id, page)
	case code == "GatedRepo":
		return fault.New(fault.ErrGated, nil, "%s is gated: accept its terms at %s, then set a token of that account%s", about.id, page, c.untold(x.at))
	case code == "RevisionNotFound":
		return fault.New(fault.ErrNotFound, nil, "%s has no revision %q", about.id, fault.Plain(about.revision))
	case code == "EntryNotFound":
		return fault.New(fault.ErrNotFound, nil, "%s has no file %s at this revision", about.id, path.Base(about.file))
	case status == http.StatusUnauthorized && c.mayHaveToken(x.at) && code != "RepoNotFound":
		return fault.New(fault.ErrGated, nil, "%s does not accept the token for %s; make a new one on its page of access tokens", host, about)
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		// The Hub answers 401 for repositories that do not exist, to hide which private
		// ones do.
		return fault.New(fault.ErrGated, nil, "%s gives no access to %s: it does not exist, or it is private or gated; check the name, accept its terms at %s and set a token%s", host, about, page, c.untold(x.at))
	case status == http.StatusNotFound || status == http.StatusGone:
		return fault.New(fault.ErrNotFound, nil, "%s has no %s; check the name and the revision", host, about)
	case status == http.StatusUnavailableForLegalReasons:
		return fault.New(fault.ErrGated, nil, "%s does not offer %s in your region", host, about)
	default:
		return fault.New(fault.ErrProtocol, nil, "%s answers with status %d where %s was asked for; check the model store address", host, status, about)
	}
}

// untold returns the end of a sentence about a token that is set but was not sent.
func (c *Client) untold(u *url.URL) string {
	if c.options.Token != "" && sameOrigin(u, c.endpoint) && !c.mayHaveToken(u) {
		return " (there is one, but it was not sent, because the model store address is not https)"
	}
	return ""
}
