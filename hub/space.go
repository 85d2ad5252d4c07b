package hub

// FreeSpace returns how many bytes this user may still write on the file system
// of a folder, or a huge number if the system does not tell.
func FreeSpace(dir string) (int64, error) { return freeSpace(dir) }
