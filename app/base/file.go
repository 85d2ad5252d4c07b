package base

import (
	"bytes"
	"context"
	"fmt"
	"os"

	"inglenook/regular"
)

// copyAside copies path to a free name that begins with path and label, and
// returns that name. A copy that is there already serves.
func copyAside(path, label string) (string, error) {
	data, err := regular.ReadFile(context.Background(), path, maxOwnFile)
	if err != nil {
		return "", err
	}
	for i := range 1000 {
		name := fmt.Sprintf("%s.%s", path, label)
		if i > 0 {
			name = fmt.Sprintf("%s-%d", name, i+1)
		}
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if os.IsExist(err) {
			if have, err := regular.ReadFile(context.Background(), name, maxOwnFile); err == nil && bytes.Equal(have, data) {
				return name, nil
			}
			continue
		}
		if err != nil {
			return "", err
		}
		if _, err := f.Write(data); err != nil {
			f.Close()
			os.Remove(name)
			return "", err
		}
		return name, f.Close()
	}
	return "", fmt.Errorf("%s: too many copies with the label %s", path, label)
}
