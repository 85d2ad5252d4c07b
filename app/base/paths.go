package base

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/adrg/xdg"
)

// Paths are the program's own folders and its log file.
type Paths struct {
	Data   string
	Config string
	Cache  string
	Log    string // the newest log file
}

const folderName = "inglenook"

// FindPaths returns the folders: all under home where that is not empty, else
// under INGLENOOK_HOME where that is set, else those of the XDG specification
// (or what takes its place on macOS).
func FindPaths(home string) Paths {
	if home == "" {
		home = os.Getenv("INGLENOOK_HOME")
	}
	p := Paths{
		Data:   filepath.Join(xdg.DataHome, folderName),
		Config: filepath.Join(xdg.ConfigHome, folderName),
		Cache:  filepath.Join(xdg.CacheHome, folderName),
	}
	if home != "" {
		if abs, err := filepath.Abs(home); err == nil {
			home = abs
		}
		p = Paths{
			Data:   filepath.Join(home, "data"),
			Config: filepath.Join(home, "config"),
			Cache:  filepath.Join(home, "cache"),
		}
	}
	// On macOS data and config are one folder, so the log has its own below.
	p.Log = filepath.Join(p.Data, "log", "inglenook.log")
	return p
}

// CheckHome returns a sentence where nothing says in which folders the program's
// files belong: neither home nor INGLENOOK_HOME nor the XDG variables, and HOME,
// from which the others would follow, is missing or no whole path.
func CheckHome(home string) error {
	if home != "" || os.Getenv("INGLENOOK_HOME") != "" || hasHome() {
		return nil
	}
	named := func(name string) bool { return filepath.IsAbs(os.Getenv(name)) }
	if named("XDG_DATA_HOME") && named("XDG_CONFIG_HOME") && named("XDG_CACHE_HOME") {
		return nil
	}
	what := "HOME is not set"
	if set := os.Getenv("HOME"); set != "" {
		what = fmt.Sprintf("HOME is %q, which does not begin at the root of the disk", set)
	}
	return fmt.Errorf("%s, so nothing says where Inglenook's files belong; set HOME to your folder, or INGLENOOK_HOME to one for Inglenook", what)
}

// hasHome reports whether the person's home folder is known.
func hasHome() bool { return runtime.GOOS == "windows" || filepath.IsAbs(os.Getenv("HOME")) }

// HubCache is the folder where Hugging Face's own tools keep models, found by
// their rules: HF_HUB_CACHE, else HF_HOME/hub, else ~/.cache/huggingface/hub.
func HubCache() string {
	if dir := os.Getenv("HF_HUB_CACHE"); dir != "" {
		return ExpandHome(dir)
	}
	if dir := os.Getenv("HF_HOME"); dir != "" {
		return filepath.Join(ExpandHome(dir), "hub")
	}
	// Not xdg.CacheHome: those tools use ~/.cache on macOS too.
	cache := os.Getenv("XDG_CACHE_HOME")
	if cache == "" && !hasHome() {
		return filepath.Join(FindPaths("").Cache, "huggingface", "hub")
	}
	if cache == "" {
		cache = filepath.Join(xdg.Home, ".cache")
	}
	return filepath.Join(ExpandHome(cache), "huggingface", "hub")
}

// ExpandHome replaces a leading ~ by the home folder, as a shell does.
func ExpandHome(path string) string {
	if path == "~" {
		return xdg.Home
	}
	if len(path) > 1 && path[0] == '~' && os.IsPathSeparator(path[1]) {
		return filepath.Join(xdg.Home, path[2:])
	}
	return path
}

// ShortPath writes the home folder as ~.
func ShortPath(path string) string { return hideHome(path, xdg.Home) }
