// Package repo says what a repository of the Hub is made of: its files, and which names of
// repositories, revisions, commits and files are accepted from outside.
package repo

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

const (
	maxPathBytes = 1000
	maxPartBytes = 255
	maxIDPart    = 96 // bytes
	maxSlashes   = 7  // of a revision
)

var (
	// idPart matches one part of a Hub id, by the Hub's own rules.
	idPart = regexp.MustCompile(`^[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9_])?$`)
	// hexDigits matches hashes of any length.
	hexDigits = regexp.MustCompile(`^[0-9a-f]+$`)
	// revisionPart matches one part of a branch, a tag, a commit or refs/pr/N.
	revisionPart = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._+-]*$`)
	// reservedName matches a device of Windows, with or without an extension.
	reservedName = regexp.MustCompile(`(?i)^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?: *\..*)?$`)
)

// ValidID reports whether id has the form ORG/NAME or NAME.
func ValidID(id string) bool {
	if strings.Contains(id, "..") || strings.Contains(id, "--") || strings.Count(id, "/") > 1 {
		return false
	}
	for part := range strings.SplitSeq(id, "/") {
		if len(part) > maxIDPart || !idPart.MatchString(part) {
			return false
		}
	}
	return true
}

// CheckID returns an error with a sentence if ValidID is false.
func CheckID(id string) error {
	if !ValidID(id) {
		return fmt.Errorf("%.200q is not a Hub id; those look like org/name", id)
	}
	return nil
}

// CheckRevision rejects what can be neither a branch nor a tag nor a commit.
func CheckRevision(revision string) error {
	bad := len(revision) > 200 || strings.Count(revision, "/") > maxSlashes || strings.Contains(revision, "..")
	for part := range strings.SplitSeq(revision, "/") {
		bad = bad || !revisionPart.MatchString(part) || reservedName.MatchString(part) || strings.HasSuffix(part, ".") || strings.HasSuffix(part, ".lock")
	}
	if bad {
		return fmt.Errorf("%.200q is not a revision; give a branch, a tag or a commit", revision)
	}
	return nil
}

// CheckFile rejects names of files that could lead out of a folder, or that some
// system cannot store: a name has to mean the same on every system.
func CheckFile(name string) error {
	if why := fileFault(name); why != "" {
		return fmt.Errorf("the file name %.200q is refused: %s", name, why)
	}
	return nil
}

func fileFault(name string) string {
	switch {
	case name == "":
		return "it is empty"
	case len(name) > maxPathBytes:
		return "it is too long"
	case !utf8.ValidString(name):
		return "it is not UTF-8"
	case strings.ContainsAny(name, `\:*?"<>|`):
		return "it has a character that not every system allows"
	case strings.ContainsFunc(name, func(r rune) bool {
		return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r)
	}):
		return "it has an invisible character"
	case path.Clean(name) != name || path.IsAbs(name):
		return "it is not a plain path inside the folder"
	}
	for part := range strings.SplitSeq(name, "/") {
		switch {
		case part == "." || part == "..":
			return "it leads out of its folder"
		case len(part) > maxPartBytes:
			return "a part of it is too long"
		case strings.HasSuffix(part, ".") || strings.HasSuffix(part, " ") || strings.HasPrefix(part, " "):
			return "a part of it begins or ends with a blank or ends with a dot"
		case reservedName.MatchString(part):
			return "Windows keeps that name for a device"
		}
	}
	return ""
}

// CheckFiles rejects a list in which two files would have the same name on some
// systems, or in which a file has the name of a folder that another needs.
func CheckFiles(files []File) error {
	seen := map[string]string{}
	for _, f := range files {
		if err := CheckFile(f.Path); err != nil {
			return err
		}
		key := foldName(f.Path)
		if other, twice := seen[key]; twice {
			return fmt.Errorf("the files %q and %q have the same name on systems that do not tell letter case or accents apart, so they are refused", other, f.Path)
		}
		seen[key] = f.Path
	}
	for _, f := range files {
		for dir := path.Dir(f.Path); dir != "."; dir = path.Dir(dir) {
			if _, isFile := seen[foldName(dir)]; isFile {
				return fmt.Errorf("%q is both a file and a folder in the listing, so it is refused", dir)
			}
		}
	}
	return nil
}

// foldName returns the same key for two names that some file system treats as one,
// because it ignores letter case or normalizes accents.
func foldName(name string) string {
	return norm.NFC.String(strings.ToLower(strings.ToUpper(norm.NFC.String(name))))
}

// ValidCommit reports whether name can be that of a snapshot's folder.
func ValidCommit(name string) bool {
	return len(name) >= 7 && len(name) <= 64 && hexDigits.MatchString(name)
}

// CheckDigest rejects what is neither a git hash nor a SHA-256, which name blobs.
func CheckDigest(digest string) error {
	if (len(digest) != 40 && len(digest) != 64) || !hexDigits.MatchString(digest) {
		return fmt.Errorf("%.100q is neither a git hash nor a SHA-256", digest)
	}
	return nil
}

func CheckCommit(commit string) error {
	if !ValidCommit(commit) {
		return fmt.Errorf("%.100q is not a commit", commit)
	}
	return nil
}
