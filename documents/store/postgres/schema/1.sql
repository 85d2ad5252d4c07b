-- Paths are bytes: a name of a file need not be UTF-8, and bytes have one order everywhere.
CREATE TABLE collections (
	id text PRIMARY KEY,
	name text NOT NULL
);
CREATE UNIQUE INDEX collections_name ON collections (lower(name));

CREATE TABLE settings (
	collection text NOT NULL REFERENCES collections ON DELETE CASCADE,
	key text NOT NULL,
	value bytea NOT NULL,
	PRIMARY KEY (collection, key)
);

-- The vectors of an embedder. The first set of a collection serves searches.
CREATE TABLE sets (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	collection text NOT NULL REFERENCES collections ON DELETE CASCADE,
	embedder text NOT NULL,
	dimension int NOT NULL,
	serving boolean NOT NULL,
	UNIQUE (collection, embedder)
);

-- What was read from files: files of the same bytes share it.
CREATE TABLE contents (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	collection text NOT NULL REFERENCES collections ON DELETE CASCADE,
	hash text NOT NULL,
	format text NOT NULL,
	title text NOT NULL,
	pages int NOT NULL,
	notes text NOT NULL,
	passages int NOT NULL,
	size bigint NOT NULL, -- words of all passages
	UNIQUE (collection, hash, format)
);

CREATE TABLE files (
	collection text NOT NULL REFERENCES collections ON DELETE CASCADE,
	path bytea NOT NULL,
	name text NOT NULL, -- in small letters, for its ending
	size bigint NOT NULL,
	modified bigint NOT NULL, -- Unix nanoseconds
	hash text NOT NULL,
	state text NOT NULL,
	reason text NOT NULL,
	retries int NOT NULL,
	format text NOT NULL,
	content bigint REFERENCES contents,
	indexed bigint NOT NULL,
	PRIMARY KEY (collection, path)
);
CREATE INDEX files_content ON files (content);
CREATE INDEX files_hash ON files (collection, hash);

CREATE TABLE passages (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	collection text NOT NULL REFERENCES collections ON DELETE CASCADE,
	content bigint NOT NULL REFERENCES contents ON DELETE CASCADE,
	place int NOT NULL,
	first int NOT NULL,
	last int NOT NULL,
	page int NOT NULL,
	line int NOT NULL,
	tokens int NOT NULL,
	text text NOT NULL,
	context text NOT NULL,
	headings text NOT NULL,
	breaks text NOT NULL,
	words tsvector NOT NULL, -- stems of the title, the headings and the text
	size int NOT NULL, -- how many words
	UNIQUE (content, place)
);
CREATE INDEX passages_collection ON passages (collection);
CREATE INDEX passages_words ON passages USING gin (words);

CREATE TABLE vectors (
	set bigint NOT NULL REFERENCES sets ON DELETE CASCADE,
	passage bigint NOT NULL REFERENCES passages ON DELETE CASCADE,
	vector vector NOT NULL,
	PRIMARY KEY (set, passage)
);
CREATE INDEX vectors_passage ON vectors (passage);
