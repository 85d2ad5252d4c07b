package hub

import (
	"path"
	"regexp"
	"slices"
	"strings"

	huggingface "github.com/gomlx/go-huggingface/hub"
)

// The names of a cache's folders and files. All code that turns a name from
// outside into a path is in this file; what such a name may be, name.go decides.
const (
	folderPrefix = string(huggingface.RepoTypeModel) + huggingface.RepoIdSeparator

	blobsFolder     = "blobs"
	snapshotsFolder = "snapshots"
	refsFolder      = "refs"
	treesFolder     = "trees"      // listings of commits, shared with the Python client
	ownFolder       = ".inglenook" // journals and jobs, in the repository's folder
	locksFolder     = ".locks"     // in the cache folder, shared with the Python client
	trashFolder     = ".inglenook-trash"
)

// uniqueName distinguishes the temporary files of one blob.
var uniqueName = regexp.MustCompile(`^[0-9a-f]{8}$`)

// FolderName returns the name of a repository's folder in a cache.
func FolderName(id string) (string, error) {
	if err := CheckID(id); err != nil {
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
	return id, ValidID(id)
}

// Paths within a repository's folder, with slashes. Their parts have been checked.

func blobPath(digest string) string         { return path.Join(blobsFolder, digest) }
func tempPath(digest, unique string) string { return blobPath(digest) + "." + unique + ".incomplete" }
func journalPath(digest, unique string) string {
	return path.Join(ownFolder, digest+"."+unique+".journal")
}
func sumsPath(digest string) string               { return path.Join(ownFolder, digest+".sums") }
func jobPath(commit string) string                { return path.Join(ownFolder, commit+".job") }
func treePath(commit string) string               { return path.Join(treesFolder, commit+".json") }
func refPath(revision string) string              { return path.Join(refsFolder, revision) }
func snapshotPath(commit string, f string) string { return path.Join(snapshotsFolder, commit, f) }

// lockPath returns the lock file of a blob, relative to the cache folder.
func lockPath(folder, digest string) string { return path.Join(locksFolder, folder, digest+".lock") }

// journalOf parses the name of a journal.
func journalOf(name string) (digest, unique string, ok bool) {
	parts := strings.Split(name, ".")
	if len(parts) != 3 || parts[2] != "journal" || checkDigest(parts[0]) != nil || !uniqueName.MatchString(parts[1]) {
		return "", "", false
	}
	return parts[0], parts[1], true
}

// linkTarget returns the target of the link of a snapshot's file: the path of the
// blob relative to the folder of the link.
func linkTarget(file, digest string) string {
	up := slices.Repeat([]string{".."}, strings.Count(file, "/")+2)
	return path.Join(append(up, blobsFolder, digest)...)
}
