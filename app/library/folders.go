package library

import (
	"cmp"
	"context"

	"inglenook/app/base"
)

// Folders are where models of the Hub lie, in the layout of Hugging Face's own tools: first the
// folder to which downloads go, then that of those tools, where a person chose another one.
func (l *Service) Folders() []string {
	usual := base.HubCache()
	if own := l.settings.Settings().ModelFolder; own != "" && own != usual {
		return []string{own, usual}
	}
	return []string{usual}
}

// ModelFolder is the folder to which downloads go.
func (l *Service) ModelFolder() string { return l.Folders()[0] }

// KeepModelFolder notes the folder to which downloads go from now on; "": the usual one.
func (l *Service) KeepModelFolder(folder string) error {
	return l.settings.SaveSettings(func(s *base.Settings) { s.ModelFolder = folder })
}

// FolderOf is the folder that has a repository of the Hub, or the one to which it would be
// downloaded.
func (l *Service) FolderOf(ctx context.Context, repository string) string {
	folder, _, _ := l.inFolders(ctx, repository)
	return folder
}

// inFolders finds the snapshot of a Hub id in the first of the folders that has one. Where none
// has, it is the folder to which downloads go that is returned, and what is wrong there.
func (l *Service) inFolders(ctx context.Context, id string) (folder string, at Location, err error) {
	folders := l.Folders()
	for _, folder := range folders {
		at, e := hubPlace(ctx, folder, id)
		if e == nil {
			return folder, at, nil
		}
		err = cmp.Or(err, e)
	}
	return folders[0], Location{}, err
}
