package cache

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"inglenook/hub/repo"

	huggingface "github.com/gomlx/go-huggingface/hub"
)

// The names of a cache's folders and files. All code that turns a name from
// outside into a path is in this file; what such a name may be, name.go decides.
const (
	folderPrefix = string(huggingface.RepoTypeModel) + huggingface.RepoIdSeparator

	BlobsFolder     = "blobs"
	SnapshotsFolder = "snapshots"
	refsFolder      = "refs"
	treesFolder     = "trees"      // listings of commits, shared with the Python client
	ownFolder       = ".inglenook" // journals and jobs, in the repository's folder
	locksFolder     = ".locks"     // in the cache folder, shared with the Python client
	trashFolder     = ".inglenook-trash"
	askedFolder     = ".inglenook-asked" // in the cache folder
)

// uniqueName distinguishes the temporary files of one blob.
var uniqueName = regexp.MustCompile(`^[0-9a-f]{8}$`)

// FolderName returns the name of a repository's folder in a cache.
func FolderName(id string) (string, error) {
	if err := repo.CheckID(id); err != nil {
		return "", err
	}
	return folderPrefix + strings.ReplaceAll(id, "/", huggingface.RepoIdSeparator), nil
}

// IDOfFolder is the inverse of FolderName.
func IDOfFolder(name string) (id string, ok bool) {
	rest, ok := strings.CutPrefix(name, folderPrefix)
	if !ok {
		return "", false
	}
	id = strings.Replace(rest, huggingface.RepoIdSeparator, "/", 1)
	return id, repo.ValidID(id)
}

// Paths within a repository's folder, with slashes. Their parts have been checked.

// BlobPath returns the path of a complete file.
func BlobPath(digest string) string { return path.Join(BlobsFolder, digest) }

// TempPath returns the path of an incomplete file.
func TempPath(digest, unique string) string { return BlobPath(digest) + "." + unique + ".incomplete" }

// JournalPath returns the path of the journal of an incomplete file.
func JournalPath(digest, unique string) string {
	return path.Join(ownFolder, digest+"."+unique+".journal")
}

// SumsPath returns the path of the checksums of a blob's pieces.
func SumsPath(digest string) string { return path.Join(ownFolder, digest+".sums") }

func jobPath(commit string) string                { return path.Join(ownFolder, commit+".job") }
func treePath(commit string) string               { return path.Join(treesFolder, commit+".json") }
func refPath(revision string) string              { return path.Join(refsFolder, revision) }
func snapshotPath(commit string, f string) string { return path.Join(SnapshotsFolder, commit, f) }

// lockPath returns the lock file of a blob, relative to the cache folder.
func lockPath(folder, digest string) string { return path.Join(locksFolder, folder, digest+".lock") }

// journalOf parses the name of a journal.
func journalOf(name string) (digest, unique string, ok bool) {
	parts := strings.Split(name, ".")
	if len(parts) != 3 || parts[2] != "journal" || repo.CheckDigest(parts[0]) != nil || !uniqueName.MatchString(parts[1]) {
		return "", "", false
	}
	return parts[0], parts[1], true
}

// linkTarget returns the target of the link of a snapshot's file: the path of the
// blob relative to the folder of the link.
func linkTarget(file, digest string) string {
	up := slices.Repeat([]string{".."}, strings.Count(file, "/")+2)
	return path.Join(append(up, BlobsFolder, digest)...)
}
