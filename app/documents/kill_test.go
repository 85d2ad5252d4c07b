package documents_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"inglenook/app"
	"inglenook/app/documents"
)

// killed names the home of a process that indexes until it is killed.
const killed = "INGLENOOK_TEST_INDEX_UNTIL_KILLED"

func TestMain(m *testing.M) {
	if home := os.Getenv(killed); home != "" {
		os.Exit(indexUntilKilled(home))
	}
	if home := os.Getenv(killedMove); home != "" {
		os.Exit(moveUntilKilled(home, os.Getenv(moveAddress), os.Getenv(moveBack) != ""))
	}
	goleak.VerifyTestMain(m)
}

func indexUntilKilled(home string) int {
	a, err := app.New(app.Options{Home: home})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Println("begins")
	_, err = a.Documents().Index(context.Background(), documents.IndexRequest{Collection: documents.DefaultName}, nil, nil)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func TestKilled(t *testing.T) { killOften(t, 8) }

// killOften kills processes that index at random moments. Whatever they stored is complete, and
// the last run finishes the rest.
func killOften(t *testing.T, rounds int) {
	t.Helper()
	home, dir := t.TempDir(), t.TempDir()
	const files = 40
	random := rand.New(rand.NewPCG(3, 4))
	write := func(i, version int) {
		text := strings.Repeat(fmt.Sprintf("Sentence of letter number %d about subject%dv%d. ", i, i, version), 5+random.IntN(60))
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.txt", i)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	version := make([]int, files)
	for i := range files {
		write(i, 0)
	}
	prepare(t, home, dir)
	for round := range rounds {
		killOne(t, home, time.Duration(random.IntN(700))*time.Millisecond)
		i := random.IntN(files)
		version[i] = round + 1
		write(i, version[i])
	}
	s := newApp(t, home).Documents()
	got, err := s.Index(t.Context(), documents.IndexRequest{Collection: documents.DefaultName}, nil, nil)
	if err != nil || got.Collection.Files != files || got.Collection.Missing != 0 || got.Collection.Unread != 0 || got.Failed > 0 {
		t.Fatalf("%+v, error %v", got, err)
	}
	for i, v := range version {
		found, err := s.Search(t.Context(), documents.SearchRequest{Text: fmt.Sprintf(`"subject%dv%d"`, i, v)})
		if err != nil || len(found.Files) != 1 || filepath.Base(found.Files[0].File.Path) != fmt.Sprintf("%d.txt", i) {
			t.Errorf("file %d, version %d: found %d files, error %v", i, v, len(found.Files), err)
		}
	}
}

// prepare makes the collection and closes it again.
func prepare(t *testing.T, home, dir string) {
	t.Helper()
	a, err := app.New(app.Options{Home: home})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Documents().Add(t.Context(), documents.AddRequest{Paths: []string{dir}}); err != nil {
		t.Fatal(err)
	}
	if err := a.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// killOne starts a process that indexes and kills it some time after it began.
func killOne(t *testing.T, home string, after time.Duration) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), killed+"="+home)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	begun := make([]byte, 6)
	if _, err := out.Read(begun); err != nil || string(begun) != "begins" {
		t.Fatalf("the process says %q, error %v", begun, err)
	}
	time.Sleep(after)
	_ = cmd.Process.Kill() // it may have finished
	_ = cmd.Wait()
}
