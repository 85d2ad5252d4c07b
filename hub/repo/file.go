package repo

// MaxFiles limits the number of files in a listing.
const MaxFiles = 100_000

// File is one file of a repository at one commit.
type File struct {
	Path   string // with slashes
	Size   int64
	Git    string // SHA-1 of the git blob; small files only
	SHA256 string // of large files; "" for others
}

// Digest returns the name of the file's blob in a cache: the SHA-256, or the git hash.
func (f File) Digest() string {
	if f.SHA256 != "" {
		return f.SHA256
	}
	return f.Git
}
