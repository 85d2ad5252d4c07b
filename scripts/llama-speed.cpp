// llama-speed MODEL PROMPT GENERATE REPEAT: tokens a second of llama.cpp on the CPU, with two threads, measured as its own llama-bench does:
// random tokens, a first pass that does not count, an empty cache for each pass. Build: g++ -O2 -I include -I ggml/include llama-speed.cpp -lllama
#include "llama.h"
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <sys/resource.h>
#include <vector>

static double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

static double seconds(llama_context *ctx, std::vector<llama_token> ids) {
  double start = now();
  if (llama_decode(ctx, llama_batch_get_one(ids.data(), (int)ids.size()))) exit(3);
  llama_synchronize(ctx);
  return now() - start;
}

static double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v.empty() ? 0 : v[v.size() / 2];
}

int main(int argc, char **argv) {
  if (argc != 5) return 2;
  int prompt = atoi(argv[2]), generate = atoi(argv[3]), repeat = atoi(argv[4]);
  llama_log_set([](ggml_log_level, const char *, void *) {}, nullptr);
  llama_backend_init();
  auto mp = llama_model_default_params();
  mp.n_gpu_layers = 0;
  auto *model = llama_model_load_from_file(argv[1], mp);
  if (!model) return 1;
  auto cp = llama_context_default_params();
  cp.n_ctx = prompt + generate + 64, cp.n_batch = 2048, cp.n_ubatch = 512, cp.n_threads = cp.n_threads_batch = 2;
  auto *ctx = llama_init_from_model(model, cp);
  if (!ctx) return 1;
  int words = llama_vocab_n_tokens(llama_model_get_vocab(model));
  std::vector<double> reading, writing;
  for (int pass = -1; pass < repeat; pass++) {
    llama_memory_clear(llama_get_memory(ctx), true);
    std::vector<llama_token> ids(prompt);
    for (auto &id : ids) id = rand() % words;
    double read = seconds(ctx, ids), write = 0;
    for (int i = 0; i < generate; i++) write += seconds(ctx, {(llama_token)(rand() % words)});
    if (pass < 0) continue;
    reading.push_back(prompt / read);
    if (generate) writing.push_back(generate / write);
  }
  struct rusage use;
  getrusage(RUSAGE_SELF, &use);
  printf("prompt %.1f tokens/s, generate %.2f tokens/s, peak memory %ld MB\n", median(reading), median(writing), use.ru_maxrss / 1024);
}
