package hub

// FreeSpace is how many bytes this person may still write on the file system of a
// folder; more than any disk has where the system does not say.
func FreeSpace(dir string) (int64, error) { return freeSpace(dir) }
