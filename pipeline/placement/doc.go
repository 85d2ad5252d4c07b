// Package placement decides on which devices the passes of one open model run. A
// [List] holds the backends, best first and the CPU last. A device leaves the list
// when it fails, when its numbers cannot be right, or when a short pass gives other
// results than on the CPU. An [Outcome] says where passes ran in the end.
package placement
