package hub

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"inglenook/hub/cache"
	"inglenook/hub/hubtest"
)

// BenchmarkPull compares a download, hashed and kept for certain, with curl, which does neither,
// of the same file from the same server. Both write to memory where the system has such a disk,
// so that it is the program that is measured.
func BenchmarkPull(b *testing.B) {
	curl, err := exec.LookPath("curl")
	if err != nil {
		b.Skip("curl is not here to compare with")
	}
	top := b.TempDir()
	if dir, err := os.MkdirTemp("/dev/shm", "hub"); err == nil {
		top = dir
		b.Cleanup(func() { os.RemoveAll(dir) })
	}
	file := hubtest.File{Path: "model.safetensors", Data: hubtest.Random(512<<20, 1), LFS: true}
	s := startHub(b)
	s.Add(hubtest.Repo{ID: "org/name", Files: []hubtest.File{file}})
	c := connect(b, s.URL())
	c.tuning = defaultTuning()
	var ours, theirs time.Duration
	for i := 0; b.Loop(); i++ {
		cache := cache.Open(filepath.Join(top, "hub"))
		runtime.GC()
		start := time.Now()
		if _, err := c.Pull(context.Background(), cache, Request{ID: "org/name"}, nil); err != nil {
			b.Fatal(err)
		}
		ours += time.Since(start)
		os.RemoveAll(cache.Dir())
		start = time.Now()
		if out, err := exec.Command(curl, "-sSfL", "-o", filepath.Join(top, "file"), c.fileURL("org/name", "main", file.Path).String()).CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, out)
		}
		theirs += time.Since(start)
	}
	rate := func(d time.Duration) float64 { return float64(b.N) * float64(len(file.Data)) / d.Seconds() / 1e6 }
	b.ReportMetric(rate(ours), "MB/s")
	b.ReportMetric(rate(theirs), "curl-MB/s")
	b.ReportMetric(theirs.Seconds()/ours.Seconds(), "of-curl")
}

// BenchmarkMemory is the memory of a process that downloads a large file, as the system sees it.
func BenchmarkMemory(b *testing.B) {
	for b.Loop() {
		b.ReportMetric(peakMemory(b, 512<<20), "MiB-resident")
	}
}

// peakMemory is the most resident memory, in MiB, of a process that downloads so many bytes.
func peakMemory(t testing.TB, bytes int) (most float64) {
	s := startHub(t)
	s.Add(hubtest.Repo{ID: "org/name", Files: []hubtest.File{{Path: "model.safetensors", Data: hubtest.Random(bytes, 1), LFS: true}}})
	cmd := begin(t, s, newCache(t), "org/name")
	for {
		status, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(cmd.Process.Pid), "status"))
		if err != nil || !strings.Contains(string(status), "VmHWM:") { // it has ended, or there is no proc(5) here
			break
		}
		for line := range strings.Lines(string(status)) {
			if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
				kib, _ := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 64)
				most = max(most, kib/1024)
			}
		}
		time.Sleep(2 * time.Millisecond)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	return most
}
