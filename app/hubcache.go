package app

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// The layout of the cache that Hugging Face's tools share (their
// documentation: "Understand caching"): models--ORG--NAME holds refs/main, a
// text file with a commit; snapshots/COMMIT, a folder of links; and blobs, the
// files themselves.
const hubPrefix = "models--"

var (
	// hubName is one part of a Hub id, by the Hub's own rules.
	hubName = regexp.MustCompile(`^[A-Za-z0-9_](?:[A-Za-z0-9._-]{0,94}[A-Za-z0-9_])?$`)
	// hubCommit is a folder name under snapshots.
	hubCommit = regexp.MustCompile(`^[0-9a-f]{7,64}$`)
)

// validHubID says whether id has the form ORG/NAME or NAME.
func validHubID(id string) bool {
	if strings.Contains(id, "..") || strings.Contains(id, "--") || strings.Count(id, "/") > 1 {
		return false
	}
	for part := range strings.SplitSeq(id, "/") {
		if !hubName.MatchString(part) {
			return false
		}
	}
	return true
}

// hubID gives the Hub id of a folder name of the cache.
func hubID(folder string) (string, bool) {
	rest, ok := strings.CutPrefix(folder, hubPrefix)
	if !ok {
		return "", false
	}
	id := strings.Replace(rest, "--", "/", 1)
	return id, validHubID(id)
}

// hubPlace finds the snapshot of a Hub id in a cache folder. The id is checked
// before any path is made of it.
func hubPlace(cache, id string) (place, error) {
	if !validHubID(id) {
		return place{}, fmt.Errorf("%q is not a Hub id; those look like org/name", id)
	}
	repo := filepath.Join(cache, hubPrefix+strings.ReplaceAll(id, "/", "--"))
	root, err := os.OpenRoot(repo)
	if err != nil {
		return place{}, fmt.Errorf("%s is not in the Hub cache of this computer (%s); download it with Hugging Face's own tool (hf download %s) or give a folder that holds it", id, ShortPath(cache), id)
	}
	defer root.Close()
	commit := hubSnapshot(root.FS())
	if commit == "" {
		return place{}, fmt.Errorf("the Hub cache has no complete copy of %s; download it again (hf download %s)", id, id)
	}
	return place{
		id: id, name: id, source: SourceHubCache,
		path: filepath.Join(repo, "snapshots", commit),
		root: repo, sub: path.Join("snapshots", commit),
	}, nil
}

// hubSnapshot picks the snapshot that refs/main names, else the newest one.
func hubSnapshot(repo fs.FS) string {
	if data, err := fs.ReadFile(repo, "refs/main"); err == nil && len(data) < 200 {
		commit := strings.TrimSpace(string(data))
		if info, err := fs.Stat(repo, path.Join("snapshots", commit)); hubCommit.MatchString(commit) && err == nil && info.IsDir() {
			return commit
		}
	}
	entries, err := fs.ReadDir(repo, "snapshots")
	if err != nil {
		return ""
	}
	newest, when := "", time.Time{}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !e.IsDir() || !hubCommit.MatchString(e.Name()) {
			continue
		}
		if newest == "" || info.ModTime().After(when) {
			newest, when = e.Name(), info.ModTime()
		}
	}
	return newest
}

// hubPlaces lists the models of a cache folder by id; none where there is no
// such folder.
func hubPlaces(ctx context.Context, cache string) ([]place, error) {
	entries, err := os.ReadDir(cache)
	if err != nil {
		return nil, nil
	}
	var list []place
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if id, ok := hubID(e.Name()); ok {
			if p, err := hubPlace(cache, id); err == nil {
				list = append(list, p)
			}
		}
	}
	slices.SortFunc(list, func(a, b place) int { return strings.Compare(a.id, b.id) })
	return list, nil
}
