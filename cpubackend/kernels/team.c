// The team of threads. It runs operations one after the other. The threads take the
// pieces of an operation one by one, so a thread that the system delays holds up
// only its own piece.
//
// The ticket holds the number of the operation (high half) and how many of its
// pieces are not yet taken (low half). A thread takes a piece by one compare and
// swap. If that succeeds the operation is running, and only then does the thread
// read the run. A thread that comes late finds no pieces and touches nothing.

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "cpu.h"

// How long a waiting thread spins before it sleeps.
enum { SPIN_NANOSECONDS = 40000 };

struct worker {
	struct team *team;
	pthread_t thread;
	float *scratch;
};

struct team {
	struct worker *workers; // the first is the caller
	int threads;
	size_t scratch;

	// one run
	struct op *ops;
	const int32_t *stop;

	_Alignas(64) atomic_uint_fast64_t ticket;
	_Alignas(64) atomic_uint_fast32_t left; // pieces of the operation not done yet
	atomic_int asleep;                      // workers in pthread_cond_wait
	atomic_int caller_asleep;
	atomic_int closing;
	pthread_mutex_t lock;
	pthread_cond_t work, done;
};

static int64_t now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void breathe(void) {
#if defined(__x86_64__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

// run_piece computes a piece, and what follows from the rows of the result that it wrote.
static void run_piece(const struct op *o, int64_t piece, float *scratch) {
	o->kernel(o, piece, scratch);
	if (o->then != NULL) {
		const struct op q = {.rows = o->rows, .inner = o->cols, .x = o->out, .row_block = o->row_block, .levels = o->levels, .form = o->form};
		o->then(&q, piece, scratch);
	}
}

static int stopped(const int32_t *stop) { return __atomic_load_n(stop, __ATOMIC_RELAXED) != 0; }

// take does one piece and reports whether there was one.
static int take(struct worker *w) {
	struct team *p = w->team;
	uint_fast64_t t = atomic_load(&p->ticket);
	do {
		if ((uint32_t)t == 0) {
			return 0;
		}
	} while (!atomic_compare_exchange_weak(&p->ticket, &t, t - 1));
	const struct op *o = &p->ops[t >> 32];
	if (!stopped(p->stop)) {
		run_piece(o, o->pieces - (uint32_t)t, w->scratch);
	}
	if (atomic_fetch_sub(&p->left, 1) == 1 && atomic_load(&p->caller_asleep)) {
		pthread_mutex_lock(&p->lock);
		pthread_cond_signal(&p->done);
		pthread_mutex_unlock(&p->lock);
	}
	return 1;
}

static int idle(struct team *p) { return (uint32_t)atomic_load(&p->ticket) == 0; }

static void *work(void *arg) {
	struct worker *w = arg;
	struct team *p = w->team;
	int64_t since = now();
	for (;;) {
		if (take(w)) {
			since = 0;
			continue;
		}
		if (atomic_load(&p->closing)) {
			return NULL;
		}
		if (since == 0) {
			since = now();
		}
		for (int i = 0; i < 64 && idle(p); i++) {
			breathe();
		}
		if (!idle(p) || now() - since < SPIN_NANOSECONDS) {
			continue;
		}
		pthread_mutex_lock(&p->lock);
		atomic_fetch_add(&p->asleep, 1);
		while (idle(p) && !atomic_load(&p->closing)) {
			pthread_cond_wait(&p->work, &p->lock);
		}
		atomic_fetch_sub(&p->asleep, 1);
		pthread_mutex_unlock(&p->lock);
		since = 0;
	}
}

// wake wakes as many sleeping workers as there is work for.
static void wake(struct team *p, uint32_t wanted) {
	if (atomic_load(&p->asleep) == 0) {
		return;
	}
	pthread_mutex_lock(&p->lock);
	if (wanted >= (uint32_t)atomic_load(&p->asleep)) {
		pthread_cond_broadcast(&p->work);
	} else {
		for (; wanted > 0; wanted--) {
			pthread_cond_signal(&p->work);
		}
	}
	pthread_mutex_unlock(&p->lock);
}

// share hands operation i to all threads and returns when it is done.
static void share(struct team *p, int64_t i, uint32_t pieces) {
	atomic_store(&p->left, pieces);
	atomic_store(&p->ticket, (uint64_t)i << 32 | pieces);
	wake(p, pieces - 1);
	while (take(&p->workers[0])) {
	}
	for (int64_t since = now(); atomic_load(&p->left) != 0 && now() - since < SPIN_NANOSECONDS;) {
		for (int n = 0; n < 32 && atomic_load(&p->left) != 0; n++) {
			breathe();
		}
	}
	if (atomic_load(&p->left) == 0) {
		return;
	}
	pthread_mutex_lock(&p->lock);
	atomic_store(&p->caller_asleep, 1);
	while (atomic_load(&p->left) != 0) {
		pthread_cond_wait(&p->done, &p->lock);
	}
	atomic_store(&p->caller_asleep, 0);
	pthread_mutex_unlock(&p->lock);
}

void team_run(struct team *p, struct op *ops, int64_t n, const int32_t *stop) {
	p->ops = ops;
	p->stop = stop;
	int64_t start = now();
	for (int64_t i = 0; i < n && !stopped(stop); i++) {
		struct op *o = &ops[i];
		if (p->threads == 1 || o->pieces == 1) {
			for (int64_t piece = 0; piece < o->pieces && !stopped(stop); piece++) {
				run_piece(o, piece, p->workers[0].scratch);
			}
		} else {
			share(p, i, (uint32_t)o->pieces);
		}
		int64_t end = now();
		o->nanoseconds = end - start;
		start = end;
	}
}

int team_scratch(struct team *p, size_t bytes) {
	if (bytes <= p->scratch) {
		return 1;
	}
	for (int i = 0; i < p->threads; i++) {
		struct worker *w = &p->workers[i];
		if (w->scratch != NULL) {
			memory_unmap(w->scratch, p->scratch);
		}
		w->scratch = NULL;
	}
	p->scratch = 0;
	for (int i = 0; i < p->threads; i++) {
		p->workers[i].scratch = memory_map(bytes);
		if (p->workers[i].scratch == NULL) {
			while (i-- > 0) {
				memory_unmap(p->workers[i].scratch, bytes);
				p->workers[i].scratch = NULL;
			}
			return 0;
		}
	}
	p->scratch = bytes;
	return 1;
}

// finish ends the first n workers and frees the team.
static void finish(struct team *p, int n) {
	atomic_store(&p->closing, 1);
	pthread_mutex_lock(&p->lock);
	pthread_cond_broadcast(&p->work);
	pthread_mutex_unlock(&p->lock);
	for (int i = 1; i < n; i++) {
		pthread_join(p->workers[i].thread, NULL);
	}
	for (int i = 0; i < p->threads; i++) {
		if (p->workers[i].scratch != NULL) {
			memory_unmap(p->workers[i].scratch, p->scratch);
		}
	}
	pthread_cond_destroy(&p->work);
	pthread_cond_destroy(&p->done);
	pthread_mutex_destroy(&p->lock);
	free(p->workers);
	free(p);
}

struct team *team_new(int threads) {
	void *room = NULL;
	if (posix_memalign(&room, 64, sizeof(struct team)) != 0) {
		return NULL;
	}
	struct team *p = room;
	*p = (struct team){.threads = threads};
	p->workers = calloc(threads, sizeof *p->workers);
	if (p->workers == NULL) {
		free(p);
		return NULL;
	}
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->work, NULL);
	pthread_cond_init(&p->done, NULL);

	// the threads of the team inherit that all signals are blocked
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	p->workers[0].team = p;
	int started = 1;
	for (; started < threads; started++) {
		struct worker *w = &p->workers[started];
		w->team = p;
		if (pthread_create(&w->thread, NULL, work, w) != 0) {
			break;
		}
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (started < threads) {
		finish(p, started);
		return NULL;
	}
	return p;
}

void team_free(struct team *p) { finish(p, p->threads); }
