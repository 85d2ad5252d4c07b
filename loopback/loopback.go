// Package loopback tells this computer from others by the host of an address.
package loopback

import "net"

// Host reports whether a host is this computer: localhost in small letters, or an IP
// address that leads back here. No name is looked up.
func Host(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
