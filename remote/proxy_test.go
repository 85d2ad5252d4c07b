package remote

import (
	"net"
	"strings"
	"testing"

	"inglenook/hub"
)

// TestProxy: it is known which proxy a server is reached through, without the proxy's password, and said
// where the server cannot be reached.
func TestProxy(t *testing.T) {
	o := hub.Options{Proxy: "http://me:secret@proxy.example:3128", NoProxy: "near.example.com"}
	for server, want := range map[string]string{
		"http://gpu.example.com:8000": "proxy.example:3128", "https://gpu.example.com": "proxy.example:3128",
		"http://near.example.com": "", "http://localhost:8080": "", "http://127.0.0.1:8080": "",
	} {
		if got := address(t, server).Proxy(o); got != want {
			t.Errorf("%s goes through %q, not %q", server, got, want)
		}
	}
	if got := address(t, "http://gpu.example.com").Proxy(hub.Options{Proxy: "direct"}); got != "" {
		t.Errorf("without a proxy it goes through %q", got)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := l.Addr().String()
	l.Close()
	_, err = Recognise(t.Context(), address(t, "http://gpu.example.com"), Options{Network: hub.Options{Proxy: "http://me:secret@" + closed}})
	if err == nil || !strings.Contains(err.Error(), "through the proxy "+closed) || strings.Contains(err.Error(), "secret") {
		t.Errorf("%v", err)
	}
}
