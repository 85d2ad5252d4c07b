package loopback

import "testing"

func TestHost(t *testing.T) {
	for host, want := range map[string]bool{
		"localhost": true, "127.0.0.1": true, "127.9.9.9": true, "::1": true, "::ffff:127.0.0.1": true,
		"": false, "LOCALHOST": false, "localhost.": false, "localhost.example.com": false, "0.0.0.0": false, "::": false,
		"192.168.1.7": false, "[::1]": false, "127.0.0.1:80": false, "127.1": false, "example.com": false,
	} {
		if got := Host(host); got != want {
			t.Errorf("%q: %v", host, got)
		}
	}
}
