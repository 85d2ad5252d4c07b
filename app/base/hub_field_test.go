package base

import (
	"context"
	"errors"
	"net"
	"strings"
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

// TestTidied holds that a proxy may be typed without its scheme.
func TestTidied(t *testing.T) {
	for typed, want := range map[string]string{
		"": "", "direct": "direct", " 127.0.0.1:3128 ": "http://127.0.0.1:3128", "localhost:3128": "http://localhost:3128",
		"proxy.example": "http://proxy.example", "socks5://proxy.example:1080": "socks5://proxy.example:1080",
	} {
		n := Network{Proxy: typed}.Tidied()
		if n.Proxy != want {
			t.Errorf("%q is %q, want %q", typed, n.Proxy, want)
		}
		if err := n.check(""); err != nil {
			t.Errorf("%q: %v", typed, err)
		}
	}
	for _, typed := range []string{"not a proxy", "127.0.0.1:99999", ":3128", "ftp://proxy.example"} {
		err := Network{Proxy: typed}.Tidied().check("")
		if FieldOf(err) != FieldProxy || !strings.Contains(err.Error(), "it looks like http://proxy.example:3128") {
			t.Errorf("%q: %v", typed, err)
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
