#!/usr/bin/env python3
"""search-peers.py DIR [--rows N] [--only NAME,…]

Searches the same vectors with our search and with what people use instead: numpy, sqlite-vec, LanceDB and Chroma, one search
after another in one process each, and writes a table of times at equal recall. DIR keeps the vectors and our files. Needs
pip install numpy sqlite-vec pysqlite3-binary lancedb chromadb, and our program: go build -o DIR/searchbench ./scripts/searchbench

The vectors have 384 values and are made up: subjects of very different sizes, in a space whose directions matter less and less,
as those of text are. Queries lie between two vectors of a subject and are moved at random. Peers with an index are given
settings that look at more and more of it until they find 99 of 100 of the nearest ten.
"""
import argparse, json, os, resource, shutil, subprocess, sys, time
os.environ.setdefault("LANCE_LOG", "error")
import numpy as np

ap = argparse.ArgumentParser()
ap.add_argument("dir"); ap.add_argument("--rows", type=int, default=100_000)
ap.add_argument("--queries", type=int, default=200); ap.add_argument("--only", default="ours,numpy,sqlite-vec,lancedb,chromadb")
a = ap.parse_args()
D, TOP, WANT = 384, 10, 0.99
os.makedirs(a.dir, exist_ok=True)
at = lambda name: os.path.join(a.dir, name)


def unit(x):
    return (x / np.linalg.norm(x, axis=1, keepdims=True)).astype(np.float32)


def make():
    r = np.random.default_rng(1)
    weight = (np.arange(1, D + 1) ** -0.5).astype(np.float32)  # of the directions
    subjects = max(50, a.rows // 200)
    centres = r.standard_normal((subjects, D), dtype=np.float32) * weight
    share = (np.arange(1, subjects + 1) ** -0.7); share /= share.sum()
    with open(at("base.f32"), "wb") as f:
        for first in range(0, a.rows, 50_000):
            n = min(50_000, a.rows - first)
            of = r.choice(subjects, n, p=share)
            f.write(unit(centres[of] + 0.8 * r.standard_normal((n, D), dtype=np.float32) * weight).tobytes())
    of = r.choice(subjects, a.queries, p=share)
    unit(centres[of] + r.standard_normal((a.queries, D), dtype=np.float32) * weight).tofile(at("queries.f32"))


if not os.path.exists(at("base.f32")) or os.path.getsize(at("base.f32")) != 4 * D * a.rows:
    make()
base = np.memmap(at("base.f32"), dtype=np.float32, mode="r").reshape(-1, D)
queries = np.fromfile(at("queries.f32"), dtype=np.float32).reshape(-1, D)[:a.queries]


def truth():
    if not os.path.exists(at("truth.npy")) or len(np.load(at("truth.npy"))) < len(queries):
        scores = np.concatenate([queries @ np.asarray(base[i:i + 50_000]).T for i in range(0, len(base), 50_000)], axis=1)
        np.save(at("truth.npy"), np.argpartition(-scores, TOP, axis=1)[:, :TOP])
    return np.load(at("truth.npy"))[:len(queries)]


TRUTH = truth()
recall = lambda found: float(np.mean([len(set(f) & set(t)) / TOP for f, t in zip(found, TRUTH)]))
cpu = lambda: sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
load = lambda: open("/proc/loadavg").read().split()[0]


def measure(name, search, rounds=3):
    """search(vector) returns the ids of the nearest ten."""
    for q in queries[:20]:
        search(q)
    found = [search(q) for q in queries]
    for _ in range(rounds):
        times, before = [], cpu()
        for q in queries:
            start = time.perf_counter(); search(q); times.append(1000 * (time.perf_counter() - start))
        times.sort()
        say(search=name, rows=len(base), recall=recall(found), best_ms=times[0], p50_ms=times[len(times) // 2], p95_ms=times[len(times) * 95 // 100],
            cpu_ms=1000 * (cpu() - before) / len(times), load=load())


def say(**what):
    print(json.dumps({k: round(v, 4) if isinstance(v, float) else v for k, v in what.items()}), flush=True)


def enough(settings, search):
    """The first setting with which searches find enough, or the last."""
    for s in settings:
        found = recall([search(q, s) for q in queries])
        say(setting=s, recall=found)
        if found >= WANT:
            break
    return s


def ours():
    p = subprocess.run([at("searchbench"), "vectors", a.dir], stdout=subprocess.PIPE, text=True, check=True)
    print(p.stdout, end="")
    say(search="ours", rows=len(base), recall=recall(np.fromfile(at("ours.i32"), dtype=np.int32).reshape(-1, TOP)[:len(queries)]))


def with_numpy():
    rows = np.asarray(base)

    def search(q):
        scores = rows @ q
        near = np.argpartition(-scores, TOP)[:TOP]
        return near[np.argsort(-scores[near])]
    measure("numpy", search)


def with_sqlite_vec():
    import sqlite_vec
    try:
        import pysqlite3 as sqlite3  # some Pythons are built without extensions of SQLite
    except ImportError:
        import sqlite3
    db = sqlite3.connect(at("sqlite-vec.db"))
    db.enable_load_extension(True); sqlite_vec.load(db)
    start = time.time()
    try:
        db.execute(f"CREATE VIRTUAL TABLE v USING vec0(e float[{D}])")
        with db:
            db.executemany("INSERT INTO v(rowid, e) VALUES (?, ?)", ((i, base[i].tobytes()) for i in range(len(base))))
    except sqlite3.OperationalError:
        pass  # it was made before
    say(made="sqlite-vec", seconds=time.time() - start)
    measure("sqlite-vec", lambda q: [r[0] for r in db.execute("SELECT rowid FROM v WHERE e MATCH ? ORDER BY distance LIMIT 10", (q.tobytes(),))])


def with_lancedb():
    import lancedb, pyarrow as pa
    shutil.rmtree(at("lance"), ignore_errors=True)
    start = time.time()
    schema = pa.schema([("id", pa.int64()), ("vector", pa.list_(pa.float32(), D))])
    t = lancedb.connect(at("lance")).create_table("v", schema=schema)
    for i in range(0, len(base), 50_000):
        part = np.asarray(base[i:i + 50_000])
        flat = pa.FixedSizeListArray.from_arrays(pa.array(part.reshape(-1)), D)
        t.add(pa.table({"id": pa.array(range(i, i + len(part))), "vector": flat}, schema=schema))
    say(made="lancedb", seconds=time.time() - start)
    ids = lambda q: q.to_arrow()["id"].to_pylist()
    measure("lancedb, all rows", lambda q: ids(t.search(q).select(["id", "_distance"]).limit(TOP)), rounds=1)
    start = time.time()
    t.create_index(metric="l2", vector_column_name="vector", index_type="IVF_HNSW_SQ")
    t.wait_for_index(["vector_idx"])
    say(made="lancedb index", seconds=time.time() - start)
    search = lambda q, s: ids(t.search(q).select(["id", "_distance"]).limit(TOP).nprobes(s[0]).ef(s[1]).refine_factor(4))
    s = enough([(n, ef) for n in (1, 4, 16, 64) for ef in (50, 150, 400)], search)
    measure(f"lancedb IVF_HNSW_SQ nprobes {s[0]} ef {s[1]}", lambda q: search(q, s))


def with_chromadb():
    import chromadb
    start = time.time()
    client = chromadb.PersistentClient(at("chroma"))
    c = client.get_or_create_collection("vectors", configuration={"hnsw": {"space": "cosine", "ef_construction": 100, "max_neighbors": 16, "ef_search": 100}})
    for i in range(c.count(), len(base), 5000):
        c.add(ids=[str(k) for k in range(i, min(i + 5000, len(base)))], embeddings=np.asarray(base[i:i + 5000]))
    say(made="chromadb", seconds=time.time() - start)

    def search(q):
        return [int(i) for i in c.query(query_embeddings=q[None], n_results=TOP, include=[])["ids"][0]]
    for ef in (100, 200, 400, 800, 1600, 3200, 6400):
        c.modify(configuration={"hnsw": {"ef_search": ef}})
        client.clear_system_cache()  # an index that is open keeps its setting
        client = chromadb.PersistentClient(at("chroma"))
        c = client.get_collection("vectors")
        found = recall([search(q) for q in queries])
        say(search="chromadb", ef=ef, recall=found)
        if found >= WANT:
            break
    measure(f"chromadb HNSW ef {ef}", search)


peers = {"ours": ours, "numpy": with_numpy, "sqlite-vec": with_sqlite_vec, "lancedb": with_lancedb, "chromadb": with_chromadb}
for name in a.only.split(","):
    try:
        peers[name]()
    except Exception as e:
        print(f"{name}: {type(e).__name__}: {e}", file=sys.stderr, flush=True)
