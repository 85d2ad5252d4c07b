package base

import (
	"context"
	"errors"
	"net"
	"testing"

	"inglenook/hub/fault"
)

// TestFieldOf holds which field is named for an error of a connection.
func TestFieldOf(t *testing.T) {
	refused := &net.OpError{Op: "proxyconnect", Net: "tcp", Err: errors.New("refused")}
	wrong := errors.New("that is no address")
	for _, c := range []struct {
		with Network
		err  error
		want NetworkField
	}{
		{Network{}, fault.New(fault.ErrGated, nil, "no"), FieldToken},
		{Network{}, fault.New(fault.ErrUnreachable, nil, "no"), FieldEndpoint},
		{Network{}, fault.New(fault.ErrProtocol, nil, "no"), FieldEndpoint},
		{Network{Proxy: "http://proxy.example:1"}, fault.New(fault.ErrUnreachable, refused, "no"), FieldProxy},
		{Network{Proxy: "http://anna:secret@proxy.example"}, wrong, FieldProxy},
		{Network{Proxy: "::"}, wrong, FieldProxy},
		{Network{Endpoint: "ftp://mirror.example"}, wrong, FieldEndpoint},
		{Network{Endpoint: " https://mirror.example "}, wrong, ""},
		{Network{}, context.DeadlineExceeded, ""},
	} {
		if got := c.with.FieldOf(c.err); got != c.want {
			t.Errorf("%+v, %v: the field is %q, want %q", c.with, c.err, got, c.want)
		}
	}
}
