package server

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"inglenook/app/texts"
)

type embedded struct {
	Data []struct {
		Index     int
		Embedding json.RawMessage
	}
	Usage struct {
		Prompt int `json:"prompt_tokens"`
	}
	Truth truth `json:"inglenook"`
}

// Vectors are those of the application, as numbers, as base64, shortened, and of token ids.
func TestEmbeddings(t *testing.T) {
	s := start(t, Options{})
	want, err := s.app.Embed(context.Background(), texts.EmbedRequest{Model: embedModel, Texts: []string{"a cat sleeps", "rates rose"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	get := func(fields string) embedded {
		t.Helper()
		status, header, body := s.post(t, "/v1/embeddings", `{"model":"starter-embed",`+fields+`}`)
		if status != 200 || header.Get(headerDevice) != "cpu" {
			t.Fatalf("%d %v %s", status, header, body)
		}
		return read[embedded](t, body)
	}
	plain := get(`"input":["a cat sleeps","rates rose"]`)
	if len(plain.Data) != 2 || plain.Usage.Prompt != want.Tokens[0]+want.Tokens[1] || plain.Data[1].Index != 1 {
		t.Fatalf("%+v", plain)
	}
	for i := range 2 {
		if got := read[[]float32](t, string(plain.Data[i].Embedding)); !slices.Equal(got, want.Vectors[i]) {
			t.Errorf("vector %d differs", i)
		}
	}
	data, err := base64.StdEncoding.DecodeString(read[string](t, string(get(`"input":"a cat sleeps","encoding_format":"base64"`).Data[0].Embedding)))
	if err != nil || len(data) != 4*len(want.Vectors[0]) {
		t.Fatalf("%d bytes, %v", len(data), err)
	}
	for i, x := range want.Vectors[0] {
		if got := math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:])); got != x {
			t.Fatalf("number %d is %v in base64, and %v", i, got, x)
		}
	}
	short := get(`"input":"a cat sleeps","dimensions":8`)
	v := read[[]float32](t, string(short.Data[0].Embedding))
	length := 0.0
	for _, x := range v {
		length += float64(x) * float64(x)
	}
	if len(v) != 8 || math.Abs(length-1) > 1e-5 || math.Abs(float64(v[0]/v[1]-want.Vectors[0][0]/want.Vectors[0][1])) > 1e-4 || len(short.Truth.Notes) == 0 {
		t.Errorf("shortened to %v with notes %q", v, short.Truth.Notes)
	}
	_, _, body := s.post(t, "/tokenize", `{"model":"starter-embed","content":"a cat sleeps"}`)
	ids := read[struct{ Tokens []int32 }](t, body).Tokens
	list, _ := json.Marshal(ids)
	for _, input := range []string{string(list), "[" + string(list) + "]"} {
		answer := get(`"input":` + input)
		if got := read[[]float32](t, string(answer.Data[0].Embedding)); !slices.Equal(got, want.Vectors[0]) || len(answer.Truth.Notes) != 1 || len(plain.Truth.Notes) != 0 {
			t.Errorf("the ids %s give another vector than their text", input)
		}
	}
	if _, _, body := s.post(t, "/detokenize", `{"model":"starter-embed","tokens":`+string(list)+`}`); !strings.Contains(body, "a cat sleeps") {
		t.Errorf("%s became %s", list, body)
	}
	slices.Reverse(ids)
	for _, alien := range []string{`[3923,374,279,220,99999999]`, `[[791,8415,100257]]`} { // of another model's tokenizer
		status, _, body := s.post(t, "/v1/embeddings", `{"model":"starter-embed","input":`+alien+`}`)
		if status != 400 || !strings.Contains(body, "check_embedding_ctx_length=False") {
			t.Errorf("%s: %d %s", alien, status, body)
		}
	}
}

// Each form of reranking gives the application's ranking.
func TestRerank(t *testing.T) {
	s := start(t, Options{})
	docs := []string{"The bank raised its rates.", "A kitten naps on the sofa.", "Steam rose from the kettle."}
	want, err := s.app.Rerank(context.Background(), texts.RerankRequest{Model: embedModel, Query: "Where does the cat sleep?", Texts: docs}, nil)
	if err != nil {
		t.Fatal(err)
	}
	list, _ := json.Marshal(docs)
	for _, path := range []string{"/v1/rerank", "/rerank", "/v2/rerank"} {
		_, _, body := s.post(t, path, `{"model":"starter-embed","query":"Where does the cat sleep?","documents":`+string(list)+`,"return_documents":true}`)
		got := read[struct {
			Results []struct {
				Index    int
				Score    float32 `json:"relevance_score"`
				Document struct{ Text string }
			}
		}](t, body).Results
		if len(got) != 3 {
			t.Fatalf("%s: %s", path, body)
		}
		for i, x := range got {
			if x.Index != want.Ranking[i].Index || x.Score != want.Ranking[i].Score || x.Document.Text != docs[x.Index] {
				t.Errorf("%s: place %d is %+v; want %+v", path, i, x, want.Ranking[i])
			}
		}
	}
	_, _, body := s.post(t, "/rerank", `{"model":"starter-embed","query":"Where does the cat sleep?","texts":`+string(list)+`}`)
	bare := read[[]struct {
		Index int
		Score float32
	}](t, body)
	if len(bare) != 3 || bare[0].Index != want.Ranking[0].Index || bare[0].Score != want.Ranking[0].Score {
		t.Errorf("%s", body)
	}
	long := strings.Repeat("cat ", 3000)
	for more, want := range map[string]int{
		`,"truncate":true`: 200, `,"truncate":false`: 400, `,"raw_scores":true`: 400, `,"raw_scores":false`: 200,
		`,"truncation_direction":"Left"`: 400, `,"truncation_direction":"Right"`: 200,
	} {
		if status, _, body := s.post(t, "/rerank", `{"model":"starter-embed","query":"cat","texts":["a","`+long+`"]`+more+`}`); status != want {
			t.Errorf("%s: %d %s, want %d", more, status, body, want)
		}
	}
	if status, _, body := s.post(t, "/rerank", `{"model":"starter-embed","query":"cat","texts":["a","b"],"truncate":false}`); status != 200 {
		t.Errorf("nothing is too long: %d %s", status, body)
	}
	_, _, body = s.post(t, "/v1/rerank", `{"model":"starter-embed","query":"Where does the cat sleep?","documents":[{"text":"a"},"b"],"top_n":1}`)
	if n := strings.Count(body, "relevance_score"); n != 1 {
		t.Errorf("top_n 1 gave %d results", n)
	}
}

// The list tells chat models and embedders apart; one model has its own address, with /v1 and without.
func TestModels(t *testing.T) {
	s := start(t, Options{})
	s.post(t, "/v1/embeddings", `{"model":"starter-embed","input":"a"}`)
	for _, path := range []string{"/v1/models", "/models"} {
		_, _, body := do(t, request(t, "GET", s.url+path, ""))
		list := read[struct{ Data []modelJSON }](t, body).Data
		kinds := map[string]string{}
		for _, m := range list {
			kinds[m.ID] = fmt.Sprint(m.Type, m.Capabilities, m.Loaded)
		}
		if len(list) != 2 || kinds[chatModel] != "chat[chat completion] false" || kinds[embedModel] != "embedding[embedding rerank] true" {
			t.Errorf("%s: %s", path, body)
		}
	}
	status, _, body := do(t, request(t, "GET", s.url+"/v1/models/starter-chat", ""))
	if m := read[modelJSON](t, body); status != 200 || m.ID != chatModel || m.Context <= 0 {
		t.Errorf("%d %s", status, body)
	}
	s.requests(t, 4)
	_, _, metrics := do(t, request(t, "GET", s.url+"/metrics", ""))
	for _, want := range []string{`inglenook_requests_total{route="/v1/embeddings",status="200"} 1`, "inglenook_models_open 1", "inglenook_requests_active 0", "inglenook_requests_waiting 0"} {
		if !strings.Contains(metrics, want) {
			t.Errorf("the metrics lack %s:\n%s", want, metrics)
		}
	}
}
