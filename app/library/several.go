package library

import (
	"fmt"
	"path/filepath"
)

// SeveralError is about a folder that holds several models, where one is wanted.
type SeveralError struct {
	Folder string      // its name
	Models [][2]string // of each one its path below the folder, for people, and its whole path
}

func (e *SeveralError) Error() string {
	return fmt.Sprintf("%s holds %d models; add them in Models, or choose the folder or the file of one of them", e.Folder, len(e.Models))
}

func several(folder Location, places []Location) error {
	e := &SeveralError{Folder: folder.Name}
	for _, p := range places {
		name, err := filepath.Rel(folder.Path, p.Path)
		if err != nil || name == "." {
			name = p.Name
		}
		e.Models = append(e.Models, [2]string{name, p.Path})
	}
	return e
}
