// Package base is what all parts of the application share: the program's folders,
// settings and secrets, the connection to the Hub, the lifetime of work, progress, and
// files that survive a crash.
//
// Use it for what a part keeps on the disk or says in the end to a person. It knows no
// model and no device, and draws and prints nothing.
package base
