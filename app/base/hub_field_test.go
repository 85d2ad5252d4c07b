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
	for _, c := range []struct {
		err  error
		want NetworkField
	}{
		{fault.New(fault.ErrGated, nil, "no"), FieldToken},
		{fault.New(fault.ErrUnreachable, nil, "no"), FieldEndpoint},
		{fault.New(fault.ErrProtocol, nil, "no"), FieldEndpoint},
		{fault.New(fault.ErrUnreachable, refused, "no"), FieldProxy},
		{errors.New("the disk is full"), ""},
		{context.DeadlineExceeded, ""},
	} {
		if got := FieldOf(c.err); got != c.want {
			t.Errorf("%v: the field is %q, want %q", c.err, got, c.want)
		}
	}
}

// TestErrorsKnowTheirField holds that an error names the field that its sentence is about,
// whichever others are wrong, too.
func TestErrorsKnowTheirField(t *testing.T) {
	a, _, _ := newTestHub(t, false)
	ctx := context.Background()
	addresses, proxies, tokens := []string{"", "htp:/x", "ftp://mirror.example"}, []string{"direct", "not a proxy", "http://anna:secret@proxy.example"}, []string{"", "two words"}
	about := map[string]NetworkField{} // by the sentence
	for i, endpoint := range addresses {
		for j, proxy := range proxies {
			for k, token := range tokens {
				want := NetworkField("")
				switch {
				case i > 0:
					want = FieldEndpoint
				case j > 0:
					want = FieldProxy
				case k > 0:
					want = FieldToken
				default:
					continue
				}
				n := Network{Endpoint: endpoint, Proxy: proxy}
				_, err := a.TestConnection(ctx, n, token, "")
				if err == nil || FieldOf(err) != want {
					t.Errorf("%+v, token %q: %v is about %q, want %q", n, token, err, FieldOf(err), want)
					continue
				}
				if before, known := about[err.Error()]; known && before != want {
					t.Errorf("%v is about %q and about %q", err, before, want)
				}
				about[err.Error()] = want
				if want == FieldToken {
					_, err = a.SetToken(ctx, token)
				} else {
					err = a.SetNetwork(n)
				}
				if FieldOf(err) != want {
					t.Errorf("%+v, token %q is kept: %v", n, token, err)
				}
			}
		}
	}
	if len(about) != 4 {
		t.Errorf("the sentences are %v", about)
	}
}
