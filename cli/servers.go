package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"inglenook/app/servers"
	"inglenook/regular"
)

func serversCommand() command {
	return command{
		name: "servers", args: "list | add URL… | remove NAME", about: "Engines elsewhere: OpenAI-compatible servers, Ollama, text-embeddings-inference",
		notes: "A model of a server is named NAME/MODEL wherever a model is named; its texts are sent there. Several addresses of one server have to have the\n" +
			"same models; work is spread over them. A token comes from --token-file or the variable INGLENOOK_SERVER_TOKEN and is kept apart from the settings.",
		examples: []string{
			`inglenook servers add http://localhost:8080`,
			`inglenook servers add --name lab --token-file token.txt https://gpu1.example.com https://gpu2.example.com`,
			`inglenook chat --model lab/Qwen2.5-7B-Instruct`,
		},
		setup: func(f *flags) action {
			var r servers.AddRequest
			var tokenFile string
			f.StringVar(&r.Name, "name", "", "of add: call the server `NAME`; without it, by its address")
			f.StringVar(&tokenFile, "token-file", "", "of add: send the token that `FILE` holds")
			f.require(func(args []string) error {
				switch {
				case len(args) == 0:
					return errors.New("say what to do: list, add URL or remove NAME")
				case args[0] == "list" && len(args) > 1, args[0] == "remove" && len(args) != 2:
					return fmt.Errorf("%s takes %s", args[0], map[string]string{"list": "nothing more", "remove": "the name of one server"}[args[0]])
				case args[0] == "add" && len(args) < 2:
					return errors.New("add takes the address of a server, such as http://localhost:8080")
				case args[0] != "list" && args[0] != "add" && args[0] != "remove":
					return fmt.Errorf("%q is none of list, add, remove", args[0])
				case args[0] != "add" && (r.Name != "" || tokenFile != ""):
					return errors.New("--name and --token-file go with add")
				}
				return nil
			})
			return func(ctx context.Context, c *call) error {
				switch c.args[0] {
				case "add":
					r.Addresses = c.args[1:]
					return addServer(ctx, c, r, tokenFile)
				case "remove":
					if err := c.Engines().Remove(ctx, c.args[1]); err != nil {
						return err
					}
					if c.json {
						return c.printJSON(map[string]any{"removed": c.args[1]})
					}
					c.write(c.args[1] + " is forgotten here, and its token; nothing changed on the server.\n")
					return nil
				}
				return listServers(ctx, c)
			}
		},
	}
}

// serverJSON is a server of the list.
type serverJSON struct {
	Name      string        `json:"name"`
	Form      string        `json:"form"`
	Leaves    bool          `json:"leaves_this_computer"`
	Addresses []addressJSON `json:"addresses"`
	Models    []serverModel `json:"models"`
}

type addressJSON struct {
	URL    string `json:"url"`
	Up     bool   `json:"up"`
	Proxy  string `json:"proxy,omitempty"` // that it is reached through
	Reason string `json:"reason,omitempty"`
}

type serverModel struct {
	ID        string `json:"id"`
	Kind      string `json:"kind"` // "": not known
	Writes    bool   `json:"writes,omitempty"`
	Reason    string `json:"reason,omitempty"`
	Context   int    `json:"context,omitempty"`
	Dimension int    `json:"dimension,omitempty"`
}

func listServers(ctx context.Context, c *call) error {
	list, err := c.Engines().Check(ctx)
	if err != nil {
		return err
	}
	out := []serverJSON{}
	for _, x := range list {
		out = append(out, serverOf(x))
	}
	if c.json {
		return c.printJSON(out)
	}
	if len(out) == 0 {
		c.write("No server was added. inglenook servers add URL adds one.\n")
	}
	for i, x := range out {
		c.writeServer(x, list[i].Leaves)
	}
	return nil
}

func serverOf(x servers.Checked) serverJSON {
	out := serverJSON{Name: x.Name, Form: x.Form, Leaves: x.Leaves != "", Models: []serverModel{}}
	for _, s := range x.States {
		out.Addresses = append(out.Addresses, addressJSON{s.Address, s.Up, s.Proxy, s.Why})
	}
	for _, m := range x.Models {
		kind := m.Kind
		if m.Wrong != "" && m.Guessed {
			kind = ""
		}
		out.Models = append(out.Models, serverModel{x.Name + "/" + m.ID, kind, m.Writes, m.Wrong, m.Context, m.Dimension})
	}
	return out
}

func (c *call) writeServer(x serverJSON, leaves string) {
	c.write(inLine(x.Name) + ": " + servers.FormInWords(x.Form) + ", " + leavesInWords(leaves) + "\n")
	for _, a := range x.Addresses {
		state := "answers"
		if !a.Up {
			state = a.Reason
		}
		if a.Up && a.Proxy != "" {
			state += " through the proxy " + a.Proxy
		}
		c.write("  " + inLine(a.URL) + "  " + inLine(state) + "\n")
	}
	for _, m := range x.Models {
		facts := cmp.Or(m.Kind, "kind not known")
		if m.Writes {
			facts += " and chat"
		}
		if m.Context > 0 {
			facts += fmt.Sprintf(", %d tokens", m.Context)
		}
		if m.Dimension > 0 {
			facts += fmt.Sprintf(", %d numbers a vector", m.Dimension)
		}
		if m.Reason != "" {
			facts += "; when it was asked for a vector or a score, it answered wrongly: " + inLine(m.Reason)
		}
		c.write("    " + inLine(m.ID) + "  " + facts + "\n")
	}
}

func leavesInWords(hosts string) string {
	if hosts == "" {
		return "on this computer"
	}
	return "texts leave this computer for " + inLine(hosts)
}

// tokenVariable is where scripts put a token, which in an argument others could see.
const tokenVariable = "INGLENOOK_SERVER_TOKEN"

func addServer(ctx context.Context, c *call, r servers.AddRequest, tokenFile string) error {
	r.Token = os.Getenv(tokenVariable)
	if tokenFile != "" {
		data, err := regular.ReadFile(ctx, tokenFile, maxTokenFile)
		if err != nil {
			return fmt.Errorf("the token cannot be read: %w; give a file that holds it", err)
		}
		r.Token = strings.TrimSpace(string(data))
		if r.Token == "" {
			return fmt.Errorf("%s is empty; put the token into it", inLine(tokenFile))
		}
	}
	got, err := c.Engines().Add(ctx, r)
	if err != nil {
		return err
	}
	x := servers.Checked{Server: got.Server, Leaves: got.Leaves, States: got.States}
	if c.json {
		return c.printJSON(serverOf(x))
	}
	c.writeServer(serverOf(x), got.Leaves)
	if len(got.Before) > 0 {
		c.note(got.Name + " was " + inLine(strings.Join(got.Before, " ")) + " before; that server is forgotten, with its token")
	}
	if got.Token != "" {
		c.note("the token is kept " + got.Token)
	}
	return nil
}
