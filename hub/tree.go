package hub

// treeFile is a listing of a commit as the Python client keeps it (trees/COMMIT.json), so that
// either finds what the other asked for.
type treeFile struct {
	Version int                  `json:"format_version"` // 1
	Files   map[string]treeEntry `json:"files"`
}

type treeEntry struct {
	Size    int64  `json:"size"`
	Blob    string `json:"blob_id"`
	SHA256  string `json:"lfs_sha256,omitempty"`
	LFSSize *int64 `json:"lfs_size,omitempty"`
}

// writeTree keeps the listing of a commit. Without the git hash of each file it would be one
// that the Python client cannot use.
func (s *store) writeTree(commit string, files []File) error {
	t := treeFile{Version: 1, Files: map[string]treeEntry{}}
	for _, f := range files {
		if f.Git == "" {
			return nil
		}
		e := treeEntry{Size: f.Size, Blob: f.Git, SHA256: f.SHA256}
		if f.SHA256 != "" {
			e.LFSSize = &f.Size
		}
		t.Files[f.Path] = e
	}
	return s.replaceJSON(treePath(commit), t)
}

// readTree returns the listing of a commit by path; nothing where it was not kept.
func (s *store) readTree(commit string) map[string]File {
	var t treeFile
	if s.readJSON(treePath(commit), &t) != nil || t.Version != 1 {
		return nil
	}
	files := map[string]File{}
	for name, e := range t.Files {
		f := File{Path: name, Size: e.Size, Git: e.Blob, SHA256: e.SHA256}
		if CheckFile(name) == nil && checkDigest(f.Digest()) == nil && f.Size >= 0 {
			files[name] = f
		}
	}
	return files
}
