// Package documents finds passages in a person's files. It brings together the
// collections of package documents/store, the readers of documents/extract, the
// indexer of documents/index and the embedding models of the pool.
//
// Files stay where they are. What is kept of them lies in the folder documents of the
// program's data folder.
package documents
