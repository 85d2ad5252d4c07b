// Inglenook computes with language models on this computer: in a window, or in
// the terminal with a subcommand (see "inglenook help").
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"inglenook/app"
	"inglenook/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := cli.Run(ctx, os.Args[1:], cli.IO{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}, newApp)
	stop()
	os.Exit(code)
}

func newApp(o app.Options) (cli.App, error) { return app.New(o) }
