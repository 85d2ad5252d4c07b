package documents_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"inglenook/app"
	"inglenook/app/base"
	"inglenook/documents/store"
	"inglenook/documents/store/postgres"
	"inglenook/documents/store/postgres/postgrestest"
	"inglenook/documents/store/sqlite"
	"inglenook/documents/store/storetest"
	"inglenook/documents/store/vectors"
)

const (
	// killedMove names the home of a process that moves a collection until it is killed, into
	// the database at moveAddress, or back from it.
	killedMove  = "INGLENOOK_TEST_MOVE_UNTIL_KILLED"
	moveAddress = "INGLENOOK_TEST_MOVE_ADDRESS"
	moveBack    = "INGLENOOK_TEST_MOVE_BACK"

	moving = "Moving"
)

// moveUntilKilled writes a line for each file that has arrived.
func moveUntilKilled(home, address string, back bool) int {
	a, err := app.New(app.Options{Home: home})
	if err == nil {
		fmt.Println("begins")
		_, err = a.Documents().Move(context.Background(), moving, address, back, func(p base.Progress) { fmt.Println(p.Done) })
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// A move that is killed at any moment loses nothing and leaves nothing half, and goes on.
func TestMoveKilled(t *testing.T) { killMoves(t, 12) }

// The same holds where the server of the database is killed.
func TestMoveServerKilled(t *testing.T) { killMovesServer(t, 3) }

func killMoves(t *testing.T, rounds int) {
	address := postgrestest.Database(t)
	moves{t.TempDir(), address, func(child *exec.Cmd) error { return child.Process.Kill() }}.run(t, rounds)
}

func killMovesServer(t *testing.T, rounds int) {
	kill := postgrestest.Revive(t)
	moves{t.TempDir(), postgrestest.Database(t), kill}.run(t, rounds)
}

// moves are moves between a folder and a database that are killed.
type moves struct {
	home, address string
	kill          func(*exec.Cmd) error
}

func (m moves) run(t *testing.T, rounds int) {
	want := m.fill(t)
	there := m.open(t, true) // as a move leaves it that is killed right after it made it
	if _, err := there.Create(t.Context(), moving); err != nil {
		t.Fatal(err)
	}
	there.Close()
	r := rand.New(rand.NewPCG(uint64(rounds), 5))
	back, killed, arrived := false, 0, 0
	for run := 1; killed < rounds || arrived < 2; run++ {
		lines, after := r.IntN(len(want)), r.IntN(8000)
		switch run % 6 {
		case 0: // it is not killed
			lines = len(want) + 1
		case 2, 4: // after the last file
			lines, after = len(want), r.IntN(60_000)
		}
		ended := storetest.KillAfter(t, m.child(back), m.kill, lines+1, time.Duration(after)*time.Microsecond)
		if ended.Killed {
			killed++
		} else if ended.Err != nil {
			t.Fatalf("a move ended by itself: %v: %s", ended.Err, ended.Said)
		}
		if m.check(t, want, back, ended.Err == nil) {
			back = !back
			arrived++
		}
	}
	t.Logf("killed %d times, arrived %d times", killed, arrived)
	if arrived == 0 {
		t.Error("no move came to its end")
	}
}

// fill makes the collection here, and returns what it holds.
func (m moves) fill(t *testing.T) map[string]string {
	t.Helper()
	here := m.open(t, false)
	defer here.Close()
	c := storetest.Fill(t, here, moving, 60)
	if err := c.SetSetting("folders", []byte(`[{"path":"/d"}]`)); err != nil {
		t.Fatal(err)
	}
	return storetest.Contents(t, c)
}

func (m moves) open(t *testing.T, database bool) (s store.Store) {
	t.Helper()
	var err error
	if database {
		s, err = postgres.Open(context.Background(), m.address)
	} else {
		s, err = sqlite.Open(context.Background(), filepath.Join(m.home, "data", "documents"), vectors.Portable{})
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (m moves) child(back bool) *exec.Cmd {
	child := exec.Command(os.Args[0], "-test.run=^$")
	child.Env = append(os.Environ(), killedMove+"="+m.home, moveAddress+"="+m.address)
	if back {
		child.Env = append(child.Env, moveBack+"=1")
	}
	return child
}

// check makes sure that the whole collection is where it was, or where it moves to, and that
// each file on its way is whole. It reports whether the move came to its end.
func (m moves) check(t *testing.T, want map[string]string, back, said bool) (arrived bool) {
	t.Helper()
	from, to := m.open(t, back), m.open(t, !back)
	defer from.Close()
	defer to.Close()
	source, target := only(t, from), only(t, to)
	if said && (source != nil || target == nil) {
		t.Fatal("a move that says that it came to its end did not")
	}
	if target != nil {
		for path, sum := range storetest.Contents(t, target) {
			if want[path] != sum {
				t.Fatalf("%s is half on its way", path)
			}
		}
	}
	whole := source
	if source == nil {
		whole = target
	}
	if whole == nil {
		t.Fatal("the collection is in neither place")
	}
	if got := storetest.Contents(t, whole); !maps.Equal(got, want) {
		t.Fatalf("%d files are whole, of %d", len(got), len(want))
	}
	if string(whole.Setting("folders")) == "" {
		t.Fatal("its folders are lost")
	}
	return source == nil && len(whole.Setting("moved from")) == 0
}

// only returns the collection of a store, nil where there is none.
func only(t *testing.T, s store.Store) store.Collection {
	t.Helper()
	if notes := s.Notes(); len(notes) > 0 {
		t.Fatalf("%q", notes)
	}
	all, err := s.Collections(t.Context())
	if err != nil || len(all) > 1 {
		t.Fatal(len(all), err)
	}
	if len(all) == 0 {
		return nil
	}
	return all[0]
}
