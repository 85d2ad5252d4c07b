-- One row: how often the passages changed, so that another process notices.
CREATE TABLE changes (id INTEGER PRIMARY KEY CHECK (id = 1), count INTEGER NOT NULL);
INSERT INTO changes VALUES (1, 0);

-- The vectors of an embedder, in files of their own. A passage has its bit
-- 1<<slot set if its vector is in the row of its id.
CREATE TABLE sets (
	slot INTEGER PRIMARY KEY CHECK (slot IN (0, 1)),
	file TEXT NOT NULL UNIQUE,
	embedder TEXT NOT NULL UNIQUE,
	dimension INTEGER NOT NULL,
	serving INTEGER NOT NULL
);

-- What was read from files: files of the same bytes share it.
CREATE TABLE contents (
	id INTEGER PRIMARY KEY,
	hash TEXT NOT NULL,
	format TEXT NOT NULL,
	title TEXT NOT NULL,
	pages INTEGER NOT NULL,
	notes TEXT NOT NULL,
	passages INTEGER NOT NULL,
	UNIQUE (hash, format)
);

CREATE TABLE files (
	path TEXT PRIMARY KEY,
	size INTEGER NOT NULL,
	modified INTEGER NOT NULL, -- Unix nanoseconds
	hash TEXT NOT NULL,
	state TEXT NOT NULL,
	reason TEXT NOT NULL,
	retries INTEGER NOT NULL,
	format TEXT NOT NULL,
	content INTEGER REFERENCES contents (id),
	indexed INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX files_content ON files (content);
CREATE INDEX files_hash ON files (hash);
CREATE INDEX files_state ON files (state);

-- Passages without their text, so that all of them are read quickly.
CREATE TABLE passages (
	id INTEGER PRIMARY KEY,
	content INTEGER NOT NULL REFERENCES contents (id),
	place INTEGER NOT NULL,
	first INTEGER NOT NULL,
	last INTEGER NOT NULL,
	page INTEGER NOT NULL,
	line INTEGER NOT NULL,
	tokens INTEGER NOT NULL,
	sets INTEGER NOT NULL,
	UNIQUE (content, place)
);
CREATE TABLE texts (
	id INTEGER PRIMARY KEY REFERENCES passages (id),
	text TEXT NOT NULL,
	context TEXT NOT NULL,
	headings TEXT NOT NULL
);
CREATE VIRTUAL TABLE words USING fts5(title, headings, text,
	content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2');
