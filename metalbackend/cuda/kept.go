package cuda

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"

	"inglenook/cudabackend/nvrtc"
	"inglenook/gpu/msl"
)

// kept compiles a program, which takes a minute, but keeps the code in the folder that
// INGLENOOK_CUBINS names, by the source's digest. Without one it keeps nothing.
func kept(p *msl.Program, architecture string) ([]byte, error) {
	folder := os.Getenv("INGLENOOK_CUBINS")
	if folder == "" {
		return nvrtc.Compile(p, architecture)
	}
	digest := sha256.New()
	if err := p.WriteCUDA(digest); err != nil {
		return nil, err
	}
	path := filepath.Join(folder, fmt.Sprintf("%s-%x.cubin", architecture, digest.Sum(nil)[:8]))
	if code, err := os.ReadFile(path); err == nil {
		return code, nil
	}
	code, err := nvrtc.Compile(p, architecture)
	if err != nil {
		return nil, err
	}
	return code, os.WriteFile(path, code, 0o644)
}
