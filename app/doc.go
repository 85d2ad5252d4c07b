// Package app is the whole of Inglenook without a window: models and where
// they lie, similarity, embedding and reranking, devices, settings, the log,
// and the rule that one window owns one data folder. Windows (ui) and
// subcommands (cli) ask it for plain data and draw or print that.
//
// It draws nothing, prints nothing and knows no model family: pipeline turns
// text into numbers, models and the backends do the work. It opens no network
// connection by itself: the Hub is asked (by hub) when somebody searches, looks
// at or downloads a model, and never while --offline or the switch of the
// settings forbids it. A second start of the program reaches the first by a
// socket in the data folder.
package app
