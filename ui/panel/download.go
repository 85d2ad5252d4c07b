package panel

import (
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"inglenook/app/downloads"
	"inglenook/ui/kit"
)

// TryNow has a download that waits go on at once.
func TryNow(a interface {
	PauseDownload(id, revision string) error
	ResumeDownload(id, revision string) error
}, id, revision string,
) error {
	if err := a.PauseDownload(id, revision); err != nil {
		return err
	}
	return a.ResumeDownload(id, revision)
}

// DownloadState says in a few words what a download does.
func DownloadState(d downloads.Download) string {
	switch d.State {
	case downloads.DownloadDone:
		return "Complete and verified"
	case downloads.DownloadPaused:
		return "Paused"
	case downloads.DownloadQueued:
		return "In line"
	case downloads.DownloadFailed:
		if d.Done > 0 {
			return "Failed; the part that arrived is kept"
		}
		return "Failed"
	case downloads.DownloadWaiting:
		if left := time.Until(d.Until); left > time.Second {
			return "Waiting to try again in " + kit.Seconds(left)
		}
		return "Waiting to try again"
	case downloads.DownloadAsking:
		return "Asking the model store for its files"
	}
	return "Downloading"
}

// DownloadFigures says how much is downloaded, how fast, and how long the rest takes.
func DownloadFigures(d downloads.Download) string {
	var parts []string
	if d.Total > 0 {
		parts = append(parts, humanize.Bytes(uint64(max(0, d.Done)))+" of "+humanize.Bytes(uint64(d.Total)))
	}
	if d.Files > 1 {
		parts = append(parts, humanize.Comma(int64(d.FilesDone))+" of "+kit.Count(d.Files, "file"))
	}
	if d.Speed > 0 {
		parts = append(parts, humanize.Bytes(uint64(d.Speed))+"/s")
	}
	if d.Left >= time.Second {
		parts = append(parts, kit.Left(d.Left))
	}
	return strings.Join(parts, " · ")
}

// DownloadBrief is a download in a few words, for a button.
func DownloadBrief(d downloads.Download) string {
	text := DownloadState(d)
	if d.Total > 0 && d.Done < d.Total {
		text += " " + kit.Percent(float64(d.Done)/float64(d.Total))
	}
	return text
}

// DiskTooSmall says that a download of so many bytes does not fit into what is free of the disk; "":
// it does, or one of both is not known (0).
func DiskTooSmall(bytes, free int64) string {
	if free <= 0 || bytes <= free {
		return ""
	}
	return "The disk has too little room: the download takes " + humanize.Bytes(uint64(bytes)) + ", and " + humanize.Bytes(uint64(free)) + " are free. Free some space first, or choose a smaller version."
}
