package cache

import "inglenook/hub/repo"

// treeFile is the listing of a commit in the Python client's format (trees/COMMIT.json), so
// that each program can use the other's.
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

// WriteTree stores the listing of a commit. It writes nothing if a git hash is missing,
// because the Python client could not use such a listing.
func (s *Store) WriteTree(commit string, files []repo.File) error {
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
	return s.ReplaceJSON(treePath(commit), t)
}

// readTree returns the listing of a commit by path, or nothing if it was not stored.
func (s *Store) readTree(commit string) map[string]repo.File {
	var t treeFile
	if s.readJSON(treePath(commit), &t) != nil || t.Version != 1 {
		return nil
	}
	files := map[string]repo.File{}
	for name, e := range t.Files {
		f := repo.File{Path: name, Size: e.Size, Git: e.Blob, SHA256: e.SHA256}
		if repo.CheckFile(name) == nil && repo.CheckDigest(f.Digest()) == nil && f.Size >= 0 {
			files[name] = f
		}
	}
	return files
}
