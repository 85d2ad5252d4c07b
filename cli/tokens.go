package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

func tokensCommand() command {
	return command{
		name: "tokens", args: "list | add NAME | remove NAME", about: "List, make and revoke the tokens with which other programs may ask",
		notes:    "A token is shown once, when it is made, and kept as a hash. inglenook serve --tokens asks for one of them, and so may the server of\nthe window. A token that is removed lets nobody in from that moment, also where the server is running.",
		examples: []string{"inglenook tokens add editor", "inglenook tokens list", "inglenook tokens remove editor"},
		setup: func(f *flags) action {
			f.require(func(args []string) error {
				switch {
				case len(args) == 1 && args[0] == "list", len(args) == 2 && (args[0] == "add" || args[0] == "remove"):
					return nil
				case len(args) == 1 && (args[0] == "add" || args[0] == "remove"):
					return fmt.Errorf("tokens %s needs a name, such as that of the program that uses the token", args[0])
				case len(args) == 0:
					return errors.New("say what to do: list, add NAME, remove NAME")
				}
				return fmt.Errorf("%q does not fit; it is tokens list, tokens add NAME or tokens remove NAME", strings.Join(args, " "))
			})
			return manageTokens
		},
	}
}

func manageTokens(_ context.Context, c *call) error {
	switch c.args[0] {
	case "add":
		name := strings.TrimSpace(c.args[1])
		secret, err := c.Tokens().Add(name)
		if err != nil {
			return err
		}
		if c.json {
			return c.printJSON(map[string]string{"name": name, "token": secret})
		}
		c.note("this is the only time that the token is shown")
		c.printf("%s\n", secret)
		return nil
	case "remove":
		if err := c.Tokens().Remove(c.args[1]); err != nil {
			return err
		}
		if c.json {
			return c.printJSON(map[string]string{"removed": c.args[1]})
		}
		c.printf("removed %s\n", c.args[1])
		return nil
	}
	list, err := c.Tokens().List()
	if err != nil {
		return err
	}
	if c.json {
		return c.printJSON(list)
	}
	if len(list) == 0 {
		c.printf("there are no tokens; inglenook tokens add NAME makes one\n")
	}
	for _, t := range list {
		c.printf("%-40s  made on %s\n", t.Name, t.Made.Local().Format(time.DateOnly))
	}
	return nil
}
