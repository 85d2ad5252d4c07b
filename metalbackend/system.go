package metalbackend

import "inglenook/metalbackend/objc"

// System returns the runtime for a [Backend] on this machine's GPU. It succeeds
// only on macOS.
func System() (objc.Runtime, error) { return objc.System() }
