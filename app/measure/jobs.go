package measure

import (
	"inglenook/app/devices"
	"inglenook/app/library"
)

// Job is one kind of work that is measured of a model, and how much of it at a time.
type Job struct {
	Work   string // one of the Work constants
	Amount int    // texts, pairs or tokens
}

// Jobs are what Measure has a model do, each so many times at the least, where a request leaves
// the amounts open; none where the model cannot be measured.
func Jobs(m library.Model, thorough bool) (jobs []Job, times int) {
	p, err := planFor(library.Entry{Model: m}, Request{Targets: []devices.Target{{Device: "cpu"}}, Thorough: thorough})
	if err != nil {
		return nil, 0
	}
	for _, j := range p.jobs {
		jobs = append(jobs, Job{j.work, j.amount})
	}
	return jobs, p.pace.least * p.rounds
}
