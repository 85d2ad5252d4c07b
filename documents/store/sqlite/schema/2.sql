-- Where further pages begin in a passage, as JSON; empty: it lies on one page.
ALTER TABLE texts ADD COLUMN breaks TEXT NOT NULL DEFAULT '';
