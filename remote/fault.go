package remote

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"

	"inglenook/hub/fault"
	"inglenook/plain"
	"inglenook/remote/pieces"
)

// temporary reports whether another try, or another server, may succeed.
func temporary(err error) bool { return fault.Temporary(err) || errors.Is(err, errNotReady) }

// atFault reports whether an error is one of the server that gave it, so that another may do
// the work: all but the end of a context, and a refusal of texts.
func atFault(err error) bool {
	var ours *fault.Error
	return temporary(err) || errors.As(err, &ours) && !refuses(err)
}

// lasting reports whether another try with the same server is of no use.
func lasting(err error) bool {
	return errors.Is(err, fault.ErrGated) || errors.Is(err, fault.ErrNotFound) || errors.Is(err, fault.ErrOffline)
}

// errRefused: the server does not want what it was sent.
var errRefused = errors.New("refused")

// refuses reports whether an error may be one of the texts that were sent.
func refuses(err error) bool { return errors.Is(err, errRefused) || errors.Is(err, errTooLong) }

// OfServer reports whether an error is one of the server, and not of the texts that it was sent.
func OfServer(err error) bool { return atFault(err) }

// IsSilent reports whether an error is about a server that did not answer in the time that it had.
func IsSilent(err error) bool { return errors.Is(err, errSilent) }

// errNotReady: the server is there, and its model is not yet, or not any more.
var errNotReady = errors.New("not ready")

// plain returns what somebody else said as one short line without the token.
func (c *client) plain(text string) string { return fault.Plain(c.redact(text)) }

// word is a word of a server in a sentence, in quotation marks, without the token.
func (s *Server) word(text string) string {
	const most = 60
	return fmt.Sprintf("%q", plain.Line(s.replicas[0].redact(text), most))
}

// protocol is the error about an answer that the form does not allow.
func (c *client) protocol(format string, args ...any) error {
	return fault.New(fault.ErrProtocol, nil, "the server "+c.at.Host()+" "+format, args...)
}

// plural counts things.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// notJSON is the error about an answer that is something else.
func (c *client) notJSON(data []byte, err error) error {
	if isPage(data) {
		return c.protocol("answers with a web page and not with data; check the address: it is that of the models, not of a page about them")
	}
	var cut *json.SyntaxError
	if len(data) == 0 {
		return fault.New(fault.ErrUnreachable, err, "the server %s gave an empty answer; see its own log, and try again", c.at.Host())
	}
	if errors.As(err, &cut) && cut.Offset >= int64(len(data)) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fault.New(fault.ErrUnreachable, err, "the server %s broke off in the middle of its answer; try again", c.at.Host())
	}
	return fault.New(fault.ErrProtocol, errForm, "the server %s answers in a form that is not known here (it begins with %q); check that it speaks OpenAI's form, Ollama's or that of text-embeddings-inference", c.at.Host(), plain.Line(c.plain(string(data[:min(len(data), 64<<10)])), 40))
}

// errForm: the server answers, and not in the form that was asked for.
var errForm = errors.New("another form")

// noEvents is the error about an answer to a conversation that does not come in events.
func (c *client) noEvents(data []byte) error {
	if err := c.errorIn(data); err != nil {
		return err
	}
	return c.notJSON(data, errNoEvents)
}

var errNoEvents = errors.New("no events")

func isPage(data []byte) bool {
	head := strings.ToLower(strings.TrimSpace(string(data[:min(len(data), 256)])))
	return strings.HasPrefix(head, "<!doctype") || strings.HasPrefix(head, "<html") || strings.HasPrefix(head, "<?xml") || strings.HasPrefix(head, "<head")
}

// fault describes an error of the connection in a sentence. The end of the caller's own
// context stays what it is.
func (b *body) fault(err error) error {
	var ours *fault.Error
	if errors.As(err, &ours) || errors.As(context.Cause(b.ctx), &ours) {
		return ours
	}
	host := b.c.at.Host()
	switch cause := context.Cause(b.ctx); {
	case errors.Is(cause, errWordless):
		return fault.New(fault.ErrUnreachable, errSilent, "the server %s sent signs of life for long, and no word of its answer; see whether it still works, and try again", host)
	case errors.Is(cause, errSilent) && b.begun:
		return fault.New(fault.ErrUnreachable, errSilent, "the server %s sends its answer so slowly that no word of it came in time; see whether it still works, and try again", host)
	case errors.Is(cause, errSilent):
		return fault.New(fault.ErrUnreachable, errSilent, "the server %s was silent for too long; see whether it still works, and try again", host)
	case cause != nil:
		return cause
	}
	var outer *url.Error
	for errors.As(err, &outer) {
		err = outer.Err
	}
	var name x509.HostnameError
	var authority x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError
	var verify *tls.CertificateVerificationError
	var notTLS tls.RecordHeaderError
	switch {
	case errors.As(err, &name):
		return fault.New(fault.ErrProtocol, err, "the certificate of %s is for another name, so it may be another server; use the name that the certificate has", host)
	case errors.As(err, &authority):
		return fault.New(fault.ErrProtocol, err, "the certificate of %s is from an authority that this computer does not trust; add that authority to the system, or name its file in SSL_CERT_FILE", host)
	case errors.As(err, &invalid), errors.As(err, &verify):
		return fault.New(fault.ErrProtocol, err, "the certificate of %s is not valid (%s); whoever runs the server has to renew it", host, b.c.plain(err.Error()))
	case errors.As(err, &notTLS), strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return fault.New(fault.ErrProtocol, err, "the server %s does not encrypt; if you trust the network between, write its address with http://", host)
	case b.n > 0 || b.status != 0:
		return fault.New(fault.ErrUnreachable, err, "the server %s broke off in the middle of its answer; try again", host)
	}
	if proxy := b.c.at.Proxy(b.c.o.Network); proxy != "" {
		return fault.New(fault.ErrUnreachable, err, "the server %s cannot be reached through the proxy %s, which Settings or the environment (HTTP_PROXY, HTTPS_PROXY) name; check that proxy, or except this server from it with NO_PROXY or in Settings", host, proxy)
	}
	if why, known := WhyUnreachable(err); known {
		return fault.New(fault.ErrUnreachable, err, "the server %s cannot be reached: %s", host, why)
	}
	return fault.New(fault.ErrUnreachable, err, "the server %s cannot be reached; check that it runs, its address, and the proxy in Settings", host)
}

// WhyUnreachable says why no connection to a server was made, with what can be done; false: the
// reason is none that people meet.
func WhyUnreachable(err error) (string, bool) {
	var name *net.DNSError
	var wait net.Error
	switch {
	case errors.As(err, &name):
		return "no computer of this name was found; check the address", true
	case errors.Is(err, syscall.ECONNREFUSED):
		return "no program answers at this address; check that it runs, and its port", true
	case errors.Is(err, syscall.ENETUNREACH), errors.Is(err, syscall.EHOSTUNREACH):
		return "there is no way to its network; check your connection", true
	case errors.As(err, &wait) && wait.Timeout():
		return "it did not answer in time; check that it runs, its address, and the proxy in Settings", true
	}
	return "", false
}

// refused describes an answer with another status than success.
func (c *client) refused(r *http.Response, said []byte) error {
	host, why := c.at.Host(), c.reason(said)
	if why != "" {
		why = ": " + why
	}
	wait, later := retryAfter(r.Header.Get("Retry-After"), time.Now()), "try again later"
	if wait > 0 {
		later = "it asks to be left alone for " + plain.Duration(wait)
	}
	f := fault.New(fault.ErrProtocol, nil, "the server %s refuses the request (status %d)%s; ask whoever runs it", host, r.StatusCode, why)
	switch status := r.StatusCode; {
	case status < 400:
		f = fault.New(fault.ErrProtocol, nil, "the server %s sends requests on to another address, which Inglenook does not follow; add that address instead", host)
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		f = fault.New(fault.ErrGated, nil, "the server %s wants a token, or another one%s; add the server again with its token", host, why)
	case status == http.StatusNotFound || status == http.StatusMethodNotAllowed || status == http.StatusNotImplemented:
		f = fault.New(fault.ErrNotFound, nil, "the server %s does not have what was asked for (status %d)%s; check its address, and that the model is still there", host, status, why)
	case isTooLong(why):
		f = fault.New(fault.ErrProtocol, errTooLong, "the server %s takes no text of this length%s; give it shorter texts, or start it with room for longer ones", host, why)
	case status == http.StatusBadRequest || status == http.StatusUnprocessableEntity:
		f = fault.New(fault.ErrProtocol, &refusal{said, errRefused}, "%s", f.Sentence)
	case status == http.StatusRequestEntityTooLarge:
		f = fault.New(fault.ErrProtocol, errRefused, "the server %s takes no request of this size%s; give it shorter texts, or less at once", host, why)
	case status == http.StatusTooManyRequests:
		f = fault.New(fault.ErrRateLimited, nil, "the server %s has too much to do%s; %s", host, why, later)
	case status == http.StatusServiceUnavailable:
		f = fault.New(fault.ErrServer, nil, "the server %s is not ready%s; %s", host, why, later)
	case status >= 500:
		f = fault.New(fault.ErrServer, &refusal{said, errFailed}, "the server %s failed (status %d)%s; its own log may say more", host, status, why)
	}
	f.Wait, f.Status = wait, r.StatusCode
	return f
}

// errorIn is the error that an answer is although its status is that of a success; nil: it
// is none.
func (c *client) errorIn(data []byte) error {
	var form struct {
		Error json.RawMessage `json:"error"`
	}
	if json.Unmarshal(data, &form) != nil || !pieces.IsSaid(form.Error) {
		return nil
	}
	return c.failed(data)
}

// failed is the error that a server tells in the place of an answer, or in the middle of it.
func (c *client) failed(data []byte) error {
	why := c.reason(data)
	switch {
	case isPage(data):
		why = " and a web page"
	case why != "":
		why = ": " + why
	}
	return c.protocol("ended its answer with an error%s; its own log may say more", why)
}

// reason is what a server says about an error, in one of the usual forms.
func (c *client) reason(said []byte) string {
	if isPage(said) {
		return ""
	}
	var form struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
		Detail  json.RawMessage `json:"detail"`
	}
	if json.Unmarshal(said, &form) != nil {
		return c.plain(string(said))
	}
	var inner struct {
		Message string `json:"message"`
	}
	var text string
	for _, raw := range []json.RawMessage{form.Error, form.Detail} {
		if json.Unmarshal(raw, &inner) == nil && inner.Message != "" {
			return c.plain(inner.Message)
		}
		if json.Unmarshal(raw, &text) == nil && text != "" {
			return c.plain(text)
		}
	}
	if form.Message != "" {
		return c.plain(form.Message)
	}
	return c.plain(string(said))
}

const longestWait = 1e9 // seconds; longer ones are no times any more

// retryAfter reads the header of that name: seconds, or a time. 0: nothing of use.
func retryAfter(value string, now time.Time) time.Duration {
	if n, err := strconv.ParseFloat(strings.TrimSpace(value), 64); err == nil && n > 0 {
		return time.Duration(min(n, longestWait) * float64(time.Second))
	}
	if t, err := http.ParseTime(value); err == nil {
		return max(0, t.Sub(now))
	}
	return 0
}
