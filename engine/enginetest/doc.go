// Package enginetest tests backends. [Reference] defines every operation in
// float64 and in the plainest loops; [Cases] are the shapes, types and
// parameters to try, as data; [Run] compares a backend with the reference and
// [Bench] measures it on the same cases.
//
// [ReferenceBackend] runs whole graphs by the reference, for tests of everything
// above a backend: it can refuse operations and pretend to be a device with
// memory of its own. It is far too slow for real work.
package enginetest
