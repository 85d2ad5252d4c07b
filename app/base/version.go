package base

import (
	"runtime"
	"runtime/debug"
)

// version is set at link time: -ldflags "-X inglenook/app/base.version=1.2.3".
var version string

// Build says which program this is.
type Build struct {
	Version string // "development" where the build did not set one
	Commit  string // empty where unknown
	Changed bool   // built from a tree with changes after Commit
	Go      string
	System  string // "linux/amd64"
}

// Version describes this program.
func Version() Build {
	b := Build{Version: version, Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok {
		if v := info.Main.Version; b.Version == "" && v != "(devel)" {
			b.Version = v
		}
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				b.Commit = s.Value
			case "vcs.modified":
				b.Changed = s.Value == "true"
			}
		}
	}
	if b.Version == "" {
		b.Version = "development"
	}
	return b
}
