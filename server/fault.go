package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"inglenook/app/base"
	"inglenook/app/chat"
	"inglenook/app/library"
	"inglenook/app/pool"
	"inglenook/app/servers"
	"inglenook/plain"
	"inglenook/server/outbox"
)

// The kinds of faults, in OpenAI's words.
const (
	kindRequest    = "invalid_request_error"
	kindToken      = "authentication_error"
	kindPermission = "permission_error"
	kindNotFound   = "not_found_error"
	kindRate       = "rate_limit_error"
	kindBusy       = "overloaded_error"
	kindServer     = "api_error"
)

// errTooSlow ends a request that took all the time that one may take.
var errTooSlow = errors.New("the request took longer than one may; ask for a shorter answer")

// statusGone is told of a request whose client has left or does not read; nobody receives it.
const statusGone = 499

// fault is why a request is refused or failed, as its sender is told.
type fault struct {
	status   int
	kind     string
	code     string // for programs; "": none
	param    string // the field of the request that is wrong; "": none
	sentence string
	wait     int // seconds after which it may go better, where they are known
}

func (f *fault) Error() string { return f.sentence }

// wrong returns a fault about a field of the request.
func wrong(param, format string, args ...any) *fault {
	return &fault{status: http.StatusBadRequest, kind: kindRequest, param: param, sentence: fmt.Sprintf(format, args...)}
}

// absent returns a fault about something that clients may ask for and that is not here.
func absent(param, format string, args ...any) *fault {
	f := wrong(param, format, args...)
	f.code = "unsupported"
	return f
}

// busy returns a fault that asks to come again.
func busy(format string, args ...any) *fault {
	return &fault{status: http.StatusServiceUnavailable, kind: kindBusy, code: "busy", sentence: fmt.Sprintf(format, args...) + "; try again soon"}
}

// noModel returns a fault about a model that is not here.
func noModel(sentence string) *fault {
	return &fault{status: http.StatusNotFound, kind: kindNotFound, code: "model_not_found", param: "model", sentence: sentence}
}

// whichAreHere is what to do about a model that is not here.
const whichAreHere = "GET /v1/models lists those that are"

// faultOf says how an error is told.
func faultOf(err error) *fault {
	var f *fault
	var long *chat.TooLongError
	var short *pool.NoMemoryError
	var removed *servers.GoneError
	var missing *library.UnavailableError
	var unmet *chat.SchemaError
	switch {
	case errors.As(err, &f):
		return f
	case errors.As(err, &long):
		return &fault{status: http.StatusBadRequest, kind: kindRequest, code: "context_length_exceeded", param: "messages", sentence: long.Error()}
	case errors.As(err, &short):
		return &fault{status: http.StatusServiceUnavailable, kind: kindBusy, code: "no_memory", sentence: short.Error()}
	case errors.As(err, &removed):
		return noModel(removed.Error())
	case errors.As(err, &missing):
		return noModel(missing.Gone + "; " + whichAreHere + " here")
	case errors.Is(err, outbox.ErrNotTaken):
		return &fault{status: statusGone, kind: kindServer, code: "not_read", sentence: err.Error()}
	case errors.As(err, &unmet): // no fault of the server: asking the same again may give the same
		return &fault{status: http.StatusUnprocessableEntity, kind: kindRequest, code: "schema_not_met", param: "response_format", sentence: unmet.Error()}
	case errors.Is(err, errTooSlow), errors.Is(err, context.DeadlineExceeded):
		return &fault{status: http.StatusGatewayTimeout, kind: kindServer, code: "timeout", sentence: errTooSlow.Error()}
	case errors.Is(err, context.Canceled):
		return &fault{status: statusGone, kind: kindServer, code: "cancelled", sentence: "the request was cancelled, or the server ends"}
	}
	return &fault{status: http.StatusInternalServerError, kind: kindServer, sentence: base.Redact(err.Error())}
}

// maxSentence bounds an error, in characters: it may quote the request.
const maxSentence = 1000

// body is the fault in the form of a route.
func (f *fault) body(as form) any {
	sentence := plain.Line(f.sentence, maxSentence)
	if as == anthropic {
		kind := f.kind
		switch f.status {
		case http.StatusRequestEntityTooLarge:
			kind = "request_too_large"
		case http.StatusGatewayTimeout:
			kind = "timeout_error"
		}
		return map[string]any{"type": "error", "error": map[string]string{"type": kind, "message": sentence}}
	}
	if as == ollama {
		return map[string]string{"error": sentence}
	}
	type inner struct {
		Message string  `json:"message"`
		Type    string  `json:"type"`
		Param   *string `json:"param"`
		Code    *string `json:"code"`
	}
	return map[string]inner{"error": {sentence, f.kind, orNull(f.param), orNull(f.code)}}
}

// orNull is a text as JSON has it where an empty one means none.
func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// refuse answers with a fault, unless an answer has begun.
func (c *call) refuse(err error) {
	var slow *fault // a body that is too slow ends the request as well
	if ended := c.r.Context(); ended.Err() != nil && !(errors.As(err, &slow) && slow.status == http.StatusRequestTimeout) {
		err = context.Cause(ended)
	}
	f := faultOf(err)
	c.note.Status = f.status
	if c.began {
		return
	}
	if c.unread {
		c.bodyWithin(leftTime) // else the refusal would wait for all of it
	}
	if f.status == http.StatusServiceUnavailable || f.status == http.StatusTooManyRequests {
		c.w.Header().Set("Retry-After", strconv.Itoa(cmp.Or(f.wait, 2)))
	}
	if f.wait > 0 { // who guesses on needs a connection for each guess
		c.w.Header().Set("Connection", "close")
	}
	if f.status == http.StatusUnauthorized {
		c.w.Header().Set("WWW-Authenticate", "Bearer")
	}
	status := f.status
	if status == statusGone {
		status = http.StatusServiceUnavailable // where the server ends, somebody still reads
	}
	_ = c.writeJSON(status, f.body(c.form))
	c.note.Status = f.status
}
