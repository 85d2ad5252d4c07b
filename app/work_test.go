package app

import (
	"context"
	"errors"
	"io/fs"
	"sync"
	"testing"
	"time"

	"inglenook/app/apptest"
	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/app/measure"
	"inglenook/app/texts"
	"inglenook/engine"
	"inglenook/pipeline"
)

// soon is the time within which a cancelled call returns: 200 ms, and much more
// where other programs and the race detector take the processor. What is
// cancelled here would go on for minutes, or for ever.
const soon = 20 * time.Second

func TestCancelIsPrompt(t *testing.T) {
	d := &double{slow: make(chan struct{})}
	a := newTestApp(t, d)
	jobs := map[string]func(context.Context) error{
		"embed": func(ctx context.Context) error {
			_, err := a.Embed(ctx, texts.EmbedRequest{Texts: []string{"x"}}, nil)
			return err
		},
		"similarity": func(ctx context.Context) error {
			_, err := a.Similarity(ctx, texts.SimilarityRequest{Texts: []string{"x", "y"}}, nil)
			return err
		},
		"measure": func(ctx context.Context) error {
			_, err := a.Measure(ctx, measure.Request{Targets: []devices.Target{{Device: "cpu"}}, Amounts: measure.Amounts{Texts: 4, Repeat: 2}}, nil)
			return err
		},
	}
	for name, job := range jobs {
		ctx, cancel := context.WithCancel(context.Background())
		result := make(chan error)
		go func() { result <- job(ctx) }()
		time.Sleep(20 * time.Millisecond)
		cancelled := time.Now()
		cancel()
		err := <-result
		if took := time.Since(cancelled); !errors.Is(err, context.Canceled) || took > soon {
			t.Errorf("%s ended after %v with %v", name, took, err)
		}
	}
}

func TestCancelWhileAnotherModelOpens(t *testing.T) {
	a := newTestApp(t, &double{})
	entered, leave := make(chan struct{}), make(chan struct{})
	a.openers.Embedder = func(context.Context, fs.FS, []engine.Backend, pipeline.EmbedderOptions) (pipeline.Embedder, error) {
		close(entered)
		<-leave
		return nil, errors.New("opened too late")
	}
	var wg sync.WaitGroup
	wg.Go(func() { _, _ = a.Embed(context.Background(), texts.EmbedRequest{Texts: []string{"x"}}, nil) })
	<-entered
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
	defer cancel()
	start := time.Now()
	_, err := a.Embed(ctx, texts.EmbedRequest{NoNormalize: true, Texts: []string{"x"}}, nil)
	if took := time.Since(start); !errors.Is(err, context.DeadlineExceeded) || took > 30*time.Millisecond+soon {
		t.Errorf("waited %v, error %v", took, err)
	}
	close(leave)
	wg.Wait()
}

func TestCloseWhileEverythingRuns(t *testing.T) {
	apptest.Home(t)
	a, err := New(Options{Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	d := &double{slow: make(chan struct{})}
	useDouble(a, d)
	a.patience = soon
	if first, err := a.Claim(nil, nil); !first || err != nil {
		t.Fatal(first, err)
	}
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			var err error
			switch i % 4 {
			case 0:
				_, err = a.Embed(context.Background(), texts.EmbedRequest{Texts: []string{"x"}}, nil)
			case 1:
				_, err = a.Similarity(context.Background(), texts.SimilarityRequest{Texts: []string{"x", "y"}}, nil)
			case 2:
				_, err = a.Measure(context.Background(), measure.Request{Targets: []devices.Target{{Device: "cpu"}}, Amounts: measure.Amounts{Texts: 4, Repeat: 2}}, nil)
			case 3:
				for err == nil {
					_, err = a.Models(context.Background())
					_ = a.SaveSettings(func(s *base.Settings) { s.Threads = i })
				}
			}
			if !errors.Is(err, context.Canceled) && !errors.Is(err, base.ErrClosing) {
				t.Errorf("job %d ended with %v", i, err)
			}
		})
	}
	for d.asked.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	if err := a.Close(context.Background()); err != nil {
		t.Error(err)
	}
	wg.Wait()
	if d.closed.Load() == 0 {
		t.Error("the model is still open")
	}
	if _, err := a.Embed(context.Background(), texts.EmbedRequest{Texts: []string{"x"}}, nil); !errors.Is(err, base.ErrClosing) {
		t.Errorf("after Close: %v", err)
	}
	if err := a.Close(context.Background()); err != nil {
		t.Errorf("closing twice: %v", err)
	}
}

// A model that does not listen must not keep the program from ending.
func TestCloseDoesNotWaitForever(t *testing.T) {
	apptest.Home(t)
	a, err := New(Options{Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	useDouble(a, &double{})
	entered, leave := make(chan struct{}), make(chan struct{})
	a.openers.Embedder = func(context.Context, fs.FS, []engine.Backend, pipeline.EmbedderOptions) (pipeline.Embedder, error) {
		close(entered)
		<-leave
		return nil, errors.New("deaf")
	}
	var wg sync.WaitGroup
	wg.Go(func() { _, _ = a.Embed(context.Background(), texts.EmbedRequest{Texts: []string{"x"}}, nil) })
	<-entered
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if err := a.Close(ctx); err == nil {
		t.Error("closed although work was going on")
	}
	close(leave)
	wg.Wait()
	time.Sleep(10 * time.Millisecond) // the goroutine that waits for the work ends with it
}
