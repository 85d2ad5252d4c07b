// Command loopbackhub serves one GGUF file on a loopback port as if it were each first model
// of the catalogue, for tests of the window: loopbackhub FILE BYTES_PER_SECOND. It prints its
// address and ends by itself after ten minutes.
package main

import (
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"inglenook/catalogue"
	"inglenook/hub/hubtest"
)

func main() {
	if err := serve(); err != nil {
		fmt.Fprintln(os.Stderr, "loopbackhub:", err)
		os.Exit(1)
	}
}

func serve() error {
	if len(os.Args) != 3 {
		return fmt.Errorf("usage: loopbackhub FILE BYTES_PER_SECOND")
	}
	data, err := os.ReadFile(os.Args[1])
	if err != nil {
		return err
	}
	rate, err := strconv.Atoi(os.Args[2])
	if err != nil {
		return err
	}
	entries, err := catalogue.Entries()
	if err != nil {
		return err
	}
	s := hubtest.New()
	defer s.Close()
	s.Throttle(rate)
	for _, e := range entries {
		if d := e.Downloads[0]; e.First {
			s.Add(hubtest.Repo{ID: d.Repo, Task: "text-generation", Tags: []string{"gguf"}, Files: []hubtest.File{{Path: d.File, Data: data, LFS: true}}})
		}
	}
	fmt.Println(s.URL())
	end := make(chan os.Signal, 1)
	signal.Notify(end, syscall.SIGINT, syscall.SIGTERM)
	select {
	case <-end:
	case <-time.After(10 * time.Minute):
	}
	return nil
}
