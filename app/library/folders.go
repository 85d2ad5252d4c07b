package library

import (
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
	for _, folder := range l.Folders() {
		if _, err := hubPlace(ctx, folder, repository); err == nil {
			return folder
		}
	}
	return l.ModelFolder()
}

// inFolders finds the snapshot of a Hub id in the first of the folders that has one.
func (l *Service) inFolders(ctx context.Context, id string) (at Location, err error) {
	return hubPlace(ctx, l.FolderOf(ctx, id), id)
}
