package downloads

import (
	"math"
	"os"
	"path/filepath"

	"inglenook/hub"
)

// FreeDisk is how many bytes downloads may still take of the disk that keeps them; 0: unknown.
func (d *Service) FreeDisk() int64 {
	dir := d.library.ModelFolder()
	for { // the folder itself may not be there yet
		if _, err := os.Lstat(dir); err == nil || dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	free, err := hub.FreeSpace(dir)
	if err != nil || free == math.MaxInt64 {
		return 0
	}
	return free
}
