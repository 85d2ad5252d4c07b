package metalbackend

import "inglenook/metalbackend/objc"

// System returns the runtime to make a [Backend] of this machine's GPU on: on
// macOS alone.
func System() (objc.Runtime, error) { return objc.System() }
