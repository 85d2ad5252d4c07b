// Command mutants plants mistakes in the Metal kernels, one at a time, and tells
// which of them the conformance cases and the emulator's check find. What they
// don't find is a case that is missing, or a change that changes nothing.
//
//	mutants [-sample n] [-seed n] [-files pattern] [-minutes n] [-workers n] [-ready]
//
// Mistakes that the dialect or the compiler refuses do not count.
package main

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"sync"
	"time"

	"inglenook/metalbackend/kernels"
)

func main() {
	sample := flag.Int("sample", 300, "mistakes to plant; 0 for all")
	seed := flag.Uint64("seed", 1, "of the sample")
	pattern := flag.String("files", ".", "a pattern of the sources' names")
	minutes := flag.Int("minutes", 24*60, "after which no more is planted")
	workers := flag.Int("workers", 2, "mistakes that are judged at a time")
	ready := flag.Bool("ready", false, "the programs of the tests are in "+folder+" already: for a machine without Go")
	flag.Parse()
	s, err := newSuite(folder, *ready)
	if err == nil {
		err = plantAll(s, *sample, *seed, *pattern, *workers, time.Now().Add(time.Duration(*minutes)*time.Minute))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

// folder is where what is compiled goes.
const folder = "build/metal/mutants"

func plantAll(s *suite, sample int, seed uint64, pattern string, workers int, deadline time.Time) error {
	wanted, err := regexp.Compile(pattern)
	if err != nil {
		return err
	}
	var all []mutant
	sources := files(kernels.Source())
	for _, name := range slices.Sorted(maps.Keys(sources)) {
		if wanted.MatchString(name) {
			all = append(all, mutants(name, sources[name])...)
		}
	}
	rand.New(rand.NewPCG(seed, 0)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	fmt.Printf("%d mistakes can be planted\n", len(all))
	if sample > 0 && sample < len(all) {
		all = all[:sample]
	}
	if err := s.prepare(all, workers); err != nil {
		return err
	}
	return report(s, all, workers, deadline)
}

// report judges some mutants at a time and prints what became of them.
func report(s *suite, all []mutant, count int, deadline time.Time) error {
	var mu sync.Mutex
	var firstError error
	found, planted := map[string]int{}, 0
	next := make(chan mutant)
	var workers sync.WaitGroup
	for worker := range count {
		workers.Go(func() {
			for m := range next {
				verdict, err := s.judge(m, worker)
				mu.Lock()
				if err != nil && firstError == nil {
					firstError = err
				}
				found[verdict]++
				planted++
				if verdict != invalid {
					fmt.Printf("%-9s %s: %s  ->  %s\n", verdict, m, m.was, m.is)
				}
				mu.Unlock()
			}
		})
	}
	for _, m := range all {
		if time.Now().After(deadline) {
			break
		}
		next <- m
	}
	close(next)
	workers.Wait()
	if firstError != nil {
		return firstError
	}
	valid := planted - found[invalid]
	fmt.Printf("%d planted, %d of them compile: %d found by results, %d by the check, %d survived (%.1f %% found)\n", planted, valid,
		found[results], found[everyOne], found[survived], 100*float64(valid-found[survived])/float64(max(valid, 1)))
	return nil
}
