package search

import (
	"testing"

	"inglenook/documents/store"
)

// Copies are known by the names that file managers and people give them.
func TestIsCopy(t *testing.T) {
	for path, want := range map[string]bool{
		"/a/lease.pdf": false, "/a/lease (1).pdf": true, "/a/lease(2).pdf": true, "/a/lease - Copy.docx": true, "/a/lease - Copy (2).docx": true, "/a/Copy of lease.pdf": true,
		"/a/lease copy.txt": true, "/a/lease_copy.txt": true, "/a/lease copy 3.txt": true, "/a/Kopie von Vertrag.odt": true, "/a/Vertrag - Kopie.odt": true,
		"/a/photocopy.txt": false, "/copy of x/lease.txt": false, "/a/copying.md": false, "/a/chapter 2.txt": false,
		"/a/lease.txt~": true, "/a/lease.txt.bak": true, "/a/lease_backup.md": true, "/a/lease-copy.txt": true, "/a/copyright.txt": false, "/a/hardcopy.txt": false, "/a/copy.txt": false,
		"/a/report (2024).pdf": false, "/a/photocopy of a lease.pdf": false, "/a/a copy of a lease and more.pdf": false,
	} {
		if got := IsCopy(path); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}

// Of files with the same bytes the original stands for all of them.
func TestOriginalsComeFirst(t *testing.T) {
	files := []store.File{{Path: "/a/lease (1).pdf"}, {Path: "/a/lease - Copy.pdf"}, {Path: "/a/lease.pdf"}, {Path: "/b/lease.pdf"}}
	originalsFirst(files)
	if files[0].Path != "/a/lease.pdf" || files[1].Path != "/b/lease.pdf" || files[2].Path != "/a/lease (1).pdf" {
		t.Errorf("%+v", files)
	}
}
