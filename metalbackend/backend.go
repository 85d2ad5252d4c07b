package metalbackend

import "inglenook/engine"

// Backend is an [engine.Backend] on a GPU.
type Backend struct {
	device   engine.Device
	features Features
}
