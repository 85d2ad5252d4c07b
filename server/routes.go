package server

import "strings"

// form is how a route's clients expect an error.
type form int

const (
	openAI form = iota
	anthropic
	ollama
)

// route is what answers at an address.
type route struct {
	method string
	form   form
	open   bool // needs no token
	serve  func(*call) error
}

// routes are the addresses. One that ends with a slash is the beginning of others.
var routes = map[string]route{
	"/health":                   {method: "GET", open: true, serve: (*call).health},
	"/metrics":                  {method: "GET", serve: (*call).metrics},
	"/v1/models":                {method: "GET", serve: (*call).listModels},
	"/v1/models/":               {method: "GET", serve: (*call).showModel},
	"/v1/chat/completions":      {method: "POST", serve: (*call).chatCompletions},
	"/v1/completions":           {method: "POST", serve: (*call).completions},
	"/v1/embeddings":            {method: "POST", serve: (*call).embeddings},
	"/v1/rerank":                {method: "POST", serve: (*call).rerank},
	"/v2/rerank":                {method: "POST", serve: (*call).rerank},
	"/v1/responses":             {method: "POST", serve: (*call).responses},
	"/v1/messages":              {method: "POST", form: anthropic, serve: (*call).messages},
	"/v1/messages/count_tokens": {method: "POST", form: anthropic, serve: (*call).countTokens},
	"/tokenize":                 {method: "POST", serve: (*call).tokenize},
	"/api/version":              {method: "GET", form: ollama, serve: (*call).ollamaVersion},
	"/api/tags":                 {method: "GET", form: ollama, serve: (*call).ollamaTags},
	"/api/ps":                   {method: "GET", form: ollama, serve: (*call).ollamaRunning},
	"/api/show":                 {method: "POST", form: ollama, serve: (*call).ollamaShow},
	"/api/chat":                 {method: "POST", form: ollama, serve: (*call).ollamaChat},
	"/api/generate":             {method: "POST", form: ollama, serve: (*call).ollamaGenerate},
	"/api/embed":                {method: "POST", form: ollama, serve: (*call).ollamaEmbed},
	"/api/embeddings":           {method: "POST", form: ollama, serve: (*call).ollamaEmbedding},
	"/detokenize":               {method: "POST", serve: (*call).detokenize},
}

// findRoute returns the route of a path, its name, and what follows it in the path. Each route that begins
// with /v1 is there without it too.
func findRoute(path string) (name string, r route, tail string) {
	for _, p := range []string{path, "/v1" + path} {
		if r, ok := routes[p]; ok && !strings.HasSuffix(p, "/") {
			return p, r, ""
		}
		for name, r := range routes {
			if tail, ok := strings.CutPrefix(p, name); ok && strings.HasSuffix(name, "/") && tail != "" {
				return name, r, tail
			}
		}
	}
	if strings.HasPrefix(path, "/api/") {
		return "other", route{form: ollama}, "" // whose clients ask for more than is here
	}
	return "other", route{}, ""
}
