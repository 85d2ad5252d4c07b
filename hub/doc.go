// Package hub finds models on the Hugging Face Hub, or on a server that speaks
// its protocol, and brings them to this computer: whole, checked and at most
// once. It keeps them in the cache folder that Hugging Face's own tools share,
// in both directions.
//
//	client, err := hub.NewClient(hub.Options{Token: token})
//	info, err := client.Info(ctx, "Qwen/Qwen2.5-0.5B-Instruct", "main")
//	cache := cache.Open(folder)
//	result, err := client.Pull(ctx, cache, hub.Request{ID: info.ID}, report)
//
// A [Queue] is for programs with a window: several downloads that can be paused,
// resumed and put in another order, and that are there again after a crash.
//
// # What it promises
//
// A file has its final name only when its SHA-256 (or git hash, for small files)
// is that of the Hub's listing. A transfer that was cut off, by whatever, goes on
// where it was. A token goes to the endpoint's own scheme and host and nowhere
// else. No name that a server sends makes a path outside of the repository's
// folder: names go through [repo.CheckID], [repo.CheckRevision] and [repo.CheckFile], files are
// opened by os.Root.
//
// # What it will not do
//
// It opens no connection by itself, shows nothing, and reads no model. It never
// uploads. Data sets and Spaces are not for it.
//
// # What comes from go-huggingface
//
// The vocabulary of the protocol (the description of a repository, the names of
// headers and folders) is that of github.com/gomlx/go-huggingface/hub. Its own
// requests are not used: they go through an http.Client that nobody can reach, so
// that there would be no proxy, no offline switch, no log of connections and no
// rule for the token; its listing has neither sizes nor hashes; and its transfer
// takes a connection that was cut for the end of the file.
package hub
