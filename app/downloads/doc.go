// Package downloads brings models of the Hub to this computer and takes them away again:
// search, preview, downloads, verification, trash.
//
// Use it for all that asks the Hub about models or changes its cache. Package library
// finds what lies there. It opens no connection while the settings forbid that.
package downloads
