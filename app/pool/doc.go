// Package pool opens models on the device that suits each and keeps them open after
// their use, as long as there is memory.
//
// Use it to borrow an open model. What a model does for a person is the work of the
// packages above: texts, chat and measure.
package pool
