# make help lists the targets. Works with GNU Make 3.81 (macOS) and later.

GO ?= go
FUZZTIME ?= 20s
VERSION = $(shell sed -n 's/^Version = "\(.*\)"/\1/p' FyneApp.toml)
export GO

.PHONY: help run build test sweeps test-arm64 lint fuzz quality soak bench kernels-check kernels-mutants sanitize metal-selftest uitest framegaps licenses setup clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' Makefile

run: build ## set up, build and open the window; MODEL=DIR opens a model of yours, ARGS=... adds flags
	@MODEL='$(MODEL)' scripts/run.sh $(ARGS)

build: setup ## set up and build bin/inglenook
	@test -x bin/inglenook || echo "Building bin/inglenook. The first time takes minutes, most of them for the window's C code."
	@emulator=$$(sha256sum bin/metal-emulator.so 2>/dev/null | cut -d ' ' -f 1); \
	$(GO) build -ldflags "-X inglenook/app/base.version=$(VERSION) -X inglenook/gpu/emulator.digest=$$emulator" -o bin/inglenook .

test: setup ## set up, vet and run every test but the long targets below
	@$(GO) run ./scripts/gotest

sweeps: setup ## run whole the sweeps of which make test runs an even sample: every case of the kernels with each number of threads, on the emulated GPUs, and by the reference itself, and all toys on an emulated GPU (minutes)
	INGLENOOK_TEST_WHOLE=1 $(GO) test -count=1 -timeout 60m ./engine/enginetest ./cpubackend ./metalbackend/emulated ./cudabackend ./models

test-arm64: ## run the tests of kernels and models as arm64 does, under qemu (minutes)
	@scripts/arm64.sh

lint: setup ## check the format and the code with pinned tools
	@scripts/lint.sh

fuzz: setup ## run every fuzz target for a while; FUZZTIME=20s each
	@scripts/fuzz.sh $(FUZZTIME)

quality: setup ## measure STS-B, the document search on Cranfield, and how answers are judged, with the models at hand (data of ../shared; minutes)
	$(GO) test -count=1 -tags quality -run TestQuality -v -timeout 60m ./pipeline ./documents/search ./documents/support ./app/chat

soak: setup ## write 20,000 tokens and watch the memory, kill what keeps conversations, downloads and documents hundreds of times, ask the questions about documents, read 1.5 million damaged files, cut 500,000 streams everywhere, fill the window with hostile texts, ask the server from 64 clients for ten minutes (the models of ../shared; minutes)
	$(GO) test -count=1 -tags soak -run TestSoak -v -timeout 60m ./pipeline ./chats ./app/chat ./app/documents ./hub ./cli ./tokenizer ./weights/... ./documents/... ./server ./ui

bench: setup ## measure the kernels against this machine's own peak (minutes)
	$(GO) test -run '^$$' -bench 'Encoder|Linear|CausalAttention' -timeout 30m ./cpubackend

kernels-check: setup ## check the Metal kernels: dialect, address spaces, results, every access (minutes; no Mac needed)
	@scripts/kernels.sh

kernels-mutants: setup ## plant mistakes in the Metal kernels one at a time, and list what no test finds (hours)
	@$(GO) run ./scripts/mutants

sanitize: setup ## run the kernels of the processor and the emulator of Metal under the address and the undefined-behaviour sanitizers (minutes)
	@scripts/sanitize.sh

metal-selftest: setup ## on a Mac: try every Metal kernel and the bundled model on its GPU (minutes; EMULATED=1 without a Mac)
	@EMULATED='$(EMULATED)' scripts/metal-selftest.sh

uitest: setup ## drive the real window under a virtual display with mouse, keyboard and a dropped file
	@scripts/uitest.sh

framegaps: setup ## measure how long the window pauses while an answer streams (a minute; virtual display)
	@scripts/framegaps.sh

licenses: setup ## write THIRD_PARTY_LICENSES.md anew from what the program links
	@$(GO) run ./scripts/licenses > build/licenses.md && mv build/licenses.md THIRD_PARTY_LICENSES.md

clean: ## remove what was built here (the tokenizer library stays in your cache folder)
	rm -rf bin build

# System packages, Rust, the tokenizer library and the emulator of Metal; after the first time a
# matter of milliseconds.
setup: build/ready
	@scripts/tokenizers.sh
	@scripts/emulator.sh

build/ready: scripts/setup.sh scripts/apt.sh
	@scripts/setup.sh
	@mkdir -p build && touch $@
