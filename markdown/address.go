package markdown

import (
	"net/url"
	"strings"

	"golang.org/x/net/idna"

	"inglenook/plain"
)

// linkTo returns a link to an address. It counts as a web link only if the
// visible address is the one that would be opened: the host in ASCII (letters
// of other scripts can look like Latin ones), nothing before the host that
// resembles another, nothing invisible.
func linkTo(address string) Link {
	if web, ok := webAddress(address); ok {
		return Link{Address: web, Web: true}
	}
	if len(address) > maxAddress {
		address = strings.ToValidUTF8(address[:maxAddress], "") + "…"
	}
	return Link{Address: plain.Visible(address)}
}

// webAddress returns an http or https address in full; false if it is not one,
// or cannot be trusted.
func webAddress(address string) (string, bool) {
	if len(address) > maxAddress || plain.Visible(address) != address || strings.ContainsRune(address, '\\') {
		return "", false
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.Opaque != "" || u.Hostname() == "" {
		return "", false
	}
	if !isASCII(u.Host) {
		host, err := idna.Lookup.ToASCII(u.Hostname())
		if err != nil {
			return "", false
		}
		if port := u.Port(); port != "" {
			host += ":" + port
		}
		u.Host = host
	}
	return u.String(), true
}

// hostOf returns the host from which an image would be loaded.
func hostOf(address string) string {
	web, ok := webAddress(strings.TrimSpace(address))
	if !ok {
		return ""
	}
	u, err := url.Parse(web)
	if err != nil {
		return ""
	}
	return u.Host
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
