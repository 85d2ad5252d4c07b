package chats

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"
)

// killChild is the environment variable that makes this test binary make the changes of a
// walk until it is killed.
const killChild = "INGLENOOK_CHATS_KILL"

// killOrder says what the child has to do.
type killOrder struct {
	Dir   string
	Seed  uint64
	Kills []int // the steps after which the processes before were killed
}

// walkTo returns the walk of an order after some steps.
func (o killOrder) walkTo(step int) *walk {
	w := newWalk(o.Seed, time.Second)
	for _, kill := range o.Kills {
		for w.step < kill {
			w.next()
		}
		w.model.crash()
	}
	for w.step < step {
		w.next()
	}
	return w
}

func (o killOrder) open(w *walk) (*Store, []string, error) {
	options := defaults()
	w.clocked(&options)
	options.syncEvery, options.least = time.Millisecond, 8<<10
	return openWith(o.Dir, options)
}

// walkUntilKilled writes the number of each step to standard output once the store has made
// it.
func walkUntilKilled(order string) error {
	var o killOrder
	if err := json.Unmarshal([]byte(order), &o); err != nil {
		return err
	}
	w := o.walkTo(0)
	s, _, err := o.open(w)
	if err != nil {
		return err
	}
	writers := map[string]*Writer{}
	for {
		if err := w.next().apply(s, writers); err != nil {
			return fmt.Errorf("step %d: %w", w.step, err)
		}
		if _, err := fmt.Println(w.step); err != nil {
			return err
		}
	}
}

// A process that is killed at any moment while it streams, edits, deletes and compacts loses
// no completed call. The next process finds all steps up to the last completed one, or one
// more, which was being made.
func TestKill(t *testing.T) { killOften(t, 20) }

func killOften(t *testing.T, rounds int) {
	r := rand.New(rand.NewPCG(uint64(rounds), 4))
	o := killOrder{Dir: t.TempDir(), Seed: r.Uint64()}
	further, torn := 0, 0
	for range rounds {
		done := killOnce(t, o, time.Duration(r.IntN(60_000))*time.Microsecond)
		w := o.walkTo(done)
		s, notices, err := o.open(w)
		try(t, err)
		torn += len(notices)
		got := s.dump()
		w.model.crash()
		diff := firstDifference(got, w.model.dump())
		if diff != "" {
			further++
			w = o.walkTo(done + 1)
			w.model.crash()
			if firstDifference(got, w.model.dump()) != "" {
				t.Fatalf("killed after step %d: %s", done, diff)
			}
		}
		o.Kills = append(o.Kills, w.step)
		try(t, s.Close())
	}
	list := must(segments(o.Dir))(t)
	compactions := list[len(list)-1].number/2 - 1
	if compactions < rounds/4 {
		t.Errorf("only %d compactions", compactions)
	}
	t.Logf("%d kills in %d steps and %d compactions; %d times the step after the last one was there, %d torn ends", rounds, o.Kills[rounds-1], compactions, further, torn)
}

// killOnce starts a child, kills it some time after its first step and returns the number of
// the last step that it reported.
func killOnce(t *testing.T, o killOrder, after time.Duration) int {
	t.Helper()
	order, err := json.Marshal(o)
	try(t, err)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), killChild+"="+string(order))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	try(t, err)
	try(t, cmd.Start())
	lines := bufio.NewReader(out)
	step := 0
	for {
		line, err := lines.ReadString('\n')
		if errors.Is(err, io.EOF) {
			break
		}
		try(t, err)
		if step == 0 {
			time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
		}
		if step, err = strconv.Atoi(line[:len(line)-1]); err != nil {
			t.Fatal(err)
		}
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != -1 {
		t.Fatalf("the child ended by itself after step %d: %v", step, err)
	}
	return step
}
