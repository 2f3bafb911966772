import type { OddDatabase } from './odd-databases.js';

const ask = (question: string, query: string): OddDatabase['questions'][number] => ({ question, query });

/**
 * Schemas as well-known applications and samples have them (shops, film rental, music, blogs, book collections, chats,
 * flash cards, maps, baseball), each with the traits that are its own.
 */
export const KNOWN_SCHEMAS: readonly OddDatabase[] = [
  {
    // A trading company: names with spaces, brackets, an image, views on views, a table that refers to itself.
    id: 'trading',
    script: `
      CREATE TABLE [Categories] ([CategoryID] INTEGER PRIMARY KEY AUTOINCREMENT, [CategoryName] TEXT, [Picture] BLOB);
      CREATE TABLE [Employees] ([EmployeeID] INTEGER PRIMARY KEY, [LastName] TEXT NOT NULL, [BirthDate] DATE,
        [ReportsTo] INTEGER REFERENCES [Employees] ([EmployeeID]), CHECK ([BirthDate] < date('2100-01-01')));
      CREATE TABLE [Products] ([ProductID] INTEGER NOT NULL PRIMARY KEY, [ProductName] TEXT NOT NULL,
        [CategoryID] INTEGER, [UnitPrice] NUMERIC DEFAULT 0 CHECK ([UnitPrice] >= (0)), [Discontinued] TEXT NOT NULL DEFAULT '0',
        FOREIGN KEY ([CategoryID]) REFERENCES [Categories] ([CategoryID]));
      CREATE TABLE [Order Details] ([OrderID] INTEGER NOT NULL, [ProductID] INTEGER NOT NULL REFERENCES [Products] ([ProductID]),
        [Quantity] INTEGER NOT NULL DEFAULT 1, [Discount] REAL NOT NULL DEFAULT 0 CHECK ([Discount] >= 0 AND [Discount] <= 1),
        PRIMARY KEY ([OrderID], [ProductID]));
      CREATE VIEW [Alphabetical list of products] AS SELECT Products.*, Categories.CategoryName FROM Categories
        INNER JOIN Products ON Categories.CategoryID = Products.CategoryID WHERE ((([Products].[Discontinued]) = '0'));
      CREATE VIEW [Order Subtotals] AS SELECT [Order Details].OrderID, Sum(Products.UnitPrice * Quantity * (1 - Discount)) AS Subtotal
        FROM [Order Details] JOIN Products USING (ProductID) GROUP BY [Order Details].OrderID;
      CREATE VIEW [Large Orders] AS SELECT OrderID, Subtotal FROM [Order Subtotals] WHERE Subtotal > 50;
      INSERT INTO Categories VALUES (1, 'Beverages', x'89504e47'), (2, 'Seafood', NULL);
      INSERT INTO Employees VALUES (1, 'Stone', '1960-02-03', NULL), (2, 'Ivers', '1971-11-30', 1), (3, 'O''Neil', '1980-01-01', 1);
      INSERT INTO Products VALUES (1, 'Green tea', 1, 18, '0'), (2, 'Lemonade', 1, 4.5, '1'), (3, 'Salmon', 2, 26, '0');
      INSERT INTO [Order Details] VALUES (10, 1, 2, 0), (10, 3, 1, 0.25), (11, 2, 12, 0), (12, 3, 4, 0.05);`,
    // What older builds of SQLite took.
    stored: [["date('2100-01-01')", "date('now')"]],
    questions: [
      ask('Which products are listed?', 'SELECT ProductName, CategoryName FROM [Alphabetical list of products]'),
      ask('Which orders are large?', 'SELECT OrderID FROM [Large Orders]'),
      ask(
        'How many of each product were ordered?',
        'SELECT ProductID, sum([Quantity]) FROM [Order Details] GROUP BY 1',
      ),
      ask(
        'Who reports to Stone?',
        "SELECT e.LastName FROM Employees e JOIN Employees b ON e.ReportsTo = b.EmployeeID WHERE b.LastName = 'Stone'",
      ),
    ],
  },
  {
    // A film rental: triggers that write dates, enumerations as CHECKs, views that concatenate, names in lower case.
    id: 'rental',
    script: `
      CREATE TABLE film (film_id INT NOT NULL, title VARCHAR(255) NOT NULL, release_year VARCHAR(4) DEFAULT NULL,
        rental_rate DECIMAL(4,2) DEFAULT 4.99 NOT NULL, rating VARCHAR(10) DEFAULT 'G', special_features VARCHAR(100) DEFAULT NULL,
        last_update TIMESTAMP NOT NULL, PRIMARY KEY (film_id),
        CONSTRAINT CHECK_special_rating CHECK (rating IN ('G', 'PG', 'PG-13', 'R')),
        CONSTRAINT CHECK_features CHECK (special_features IS NULL OR special_features LIKE '%Trailers%' OR special_features LIKE '%Scenes%'));
      CREATE INDEX idx_title ON film (title);
      CREATE TRIGGER film_insert AFTER INSERT ON film BEGIN
        UPDATE film SET last_update = DATETIME('NOW') WHERE rowid = new.rowid; END;
      CREATE TABLE actor (actor_id NUMERIC NOT NULL PRIMARY KEY, first_name VARCHAR(45) NOT NULL, last_name VARCHAR(45) NOT NULL);
      CREATE TABLE film_actor (actor_id INT NOT NULL, film_id INT NOT NULL, PRIMARY KEY (actor_id, film_id),
        CONSTRAINT fk_actor FOREIGN KEY (actor_id) REFERENCES actor (actor_id) ON DELETE NO ACTION ON UPDATE CASCADE,
        CONSTRAINT fk_film FOREIGN KEY (film_id) REFERENCES film (film_id) ON DELETE NO ACTION ON UPDATE CASCADE);
      CREATE VIEW film_list AS SELECT film.film_id AS FID, film.title AS title, film.rental_rate AS price,
        group_concat(actor.first_name || ' ' || actor.last_name, ', ') AS actors
        FROM film LEFT JOIN film_actor ON film.film_id = film_actor.film_id LEFT JOIN actor ON film_actor.actor_id = actor.actor_id
        GROUP BY film.film_id;
      CREATE VIRTUAL TABLE film_text USING fts4 (content="film", title, special_features);
      INSERT INTO film VALUES (1, 'Quiet Harbor', '2006', 0.99, 'PG', 'Trailers,Deleted Scenes', ''), (2, 'Iron Garden', '2006', 4.99, 'R', NULL, ''),
        (3, 'Paper Moon Bay', '2005', 2.99, 'G', 'Trailers', '');
      INSERT INTO actor VALUES (1, 'ADA', 'REED'), (2, 'SAM', 'HILL');
      INSERT INTO film_actor VALUES (1, 1), (2, 1), (2, 3);
      INSERT INTO film_text (film_text) VALUES ('rebuild');`,
    questions: [
      ask('Which actors play in which films?', 'SELECT title, actors FROM film_list'),
      ask('Which films are rated PG?', "SELECT title FROM film WHERE rating = 'PG'"),
      ask('Which films have a moon in the title?', "SELECT title FROM film_text WHERE film_text MATCH 'moon'"),
      ask(
        'Who played in most films?',
        `SELECT last_name FROM actor a JOIN film_actor fa ON a.actor_id = fa.actor_id
        GROUP BY a.actor_id ORDER BY count(*) DESC LIMIT 1`,
      ),
    ],
  },
  {
    // A music shop: types with lengths in brackets, NVARCHAR, named indexes, keys without actions.
    id: 'music',
    script: `
      CREATE TABLE "Album" ([AlbumId] INTEGER NOT NULL, [Title] NVARCHAR(160) NOT NULL, [ArtistId] INTEGER NOT NULL,
        CONSTRAINT [PK_Album] PRIMARY KEY ([AlbumId]),
        FOREIGN KEY ([ArtistId]) REFERENCES "Artist" ([ArtistId]) ON DELETE NO ACTION ON UPDATE NO ACTION);
      CREATE TABLE "Artist" ([ArtistId] INTEGER NOT NULL, [Name] NVARCHAR(120), CONSTRAINT [PK_Artist] PRIMARY KEY ([ArtistId]));
      CREATE TABLE "Invoice" ([InvoiceId] INTEGER NOT NULL PRIMARY KEY, [InvoiceDate] DATETIME NOT NULL, [Total] NUMERIC(10,2) NOT NULL);
      CREATE UNIQUE INDEX [IPK_Album] ON "Album" ([AlbumId]);
      CREATE INDEX [IFK_AlbumArtistId] ON "Album" ([ArtistId]);
      INSERT INTO Artist VALUES (1, 'Björk''s Band'), (2, 'The Lanterns'), (3, NULL);
      INSERT INTO Album VALUES (1, 'Low Tide', 1), (2, 'High Tide', 1), (3, 'Lamp', 2);
      INSERT INTO Invoice VALUES (1, '2009-01-01 00:00:00', 1.98), (2, '2009-01-02 00:00:00', 3.96);`,
    questions: [
      ask(
        'Which albums are by The Lanterns?',
        `SELECT Title FROM Album NATURAL JOIN Artist WHERE Name = 'The Lanterns'`,
      ),
      ask(
        'What is the total of 2009?',
        "SELECT round(sum(Total), 2) FROM Invoice WHERE strftime('%Y', InvoiceDate) = '2009'",
      ),
      ask('How many artists are there?', 'SELECT count(*) FROM Artist'),
    ],
  },
  {
    // A blog: backticks, dates of zeros, keys and values, serialized options, no declared foreign keys.
    id: 'blog',
    script: `
      CREATE TABLE \`wp_posts\` (\`ID\` INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, \`post_author\` bigint(20) NOT NULL DEFAULT 0,
        \`post_date\` text NOT NULL DEFAULT '0000-00-00 00:00:00', \`post_title\` text NOT NULL COLLATE NOCASE, \`post_status\` text NOT NULL DEFAULT 'publish');
      CREATE TABLE \`wp_postmeta\` (\`meta_id\` INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, \`post_id\` bigint(20) NOT NULL DEFAULT 0,
        \`meta_key\` text DEFAULT NULL COLLATE NOCASE, \`meta_value\` longtext COLLATE NOCASE);
      CREATE TABLE \`wp_options\` (\`option_id\` INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, \`option_name\` text NOT NULL DEFAULT '' COLLATE NOCASE UNIQUE,
        \`option_value\` longtext NOT NULL);
      CREATE TABLE _mysql_data_types_cache (\`table\` TEXT NOT NULL, \`column_or_index\` TEXT NOT NULL, \`mysql_type\` TEXT NOT NULL,
        PRIMARY KEY (\`table\`, \`column_or_index\`));
      CREATE INDEX \`wp_posts__type_status_date\` ON \`wp_posts\` (\`post_status\`, \`post_date\`, \`ID\`);
      CREATE TRIGGER "__wp_posts_post_date_on_update__" AFTER UPDATE ON "wp_posts" FOR EACH ROW BEGIN
        UPDATE "wp_posts" SET "post_date" = CURRENT_TIMESTAMP WHERE rowid = NEW.rowid AND 0; END;
      INSERT INTO wp_posts (post_author, post_date, post_title, post_status) VALUES (1, '2020-05-01 10:00:00', 'Hello', 'publish'),
        (1, '0000-00-00 00:00:00', 'Draft of a post', 'draft'), (2, '2021-01-09 08:30:00', 'News', 'publish');
      INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (1, '_edit_lock', '1588:1'), (3, 'views', '12'), (1, 'views', '7');
      INSERT INTO wp_options (option_name, option_value) VALUES ('siteurl', 'http://localhost'), ('roles', 'a:1:{s:5:"admin";b:1;}');
      INSERT INTO _mysql_data_types_cache VALUES ('wp_posts', 'ID', 'bigint(20)');`,
    questions: [
      ask(
        'Which posts are published?',
        "SELECT `post_title` FROM `wp_posts` WHERE `post_status` = 'PUBLISH' COLLATE NOCASE",
      ),
      ask(
        'How often was each post viewed?',
        `SELECT p.post_title, CAST(m.meta_value AS INTEGER) FROM wp_posts p
        JOIN wp_postmeta m ON m.post_id = p.ID AND m.meta_key = 'views'`,
      ),
      ask('What is the address of the site?', "SELECT option_value FROM wp_options WHERE option_name = 'siteurl'"),
      ask('Which types are cached?', 'SELECT "table", mysql_type FROM _mysql_data_types_cache'),
    ],
  },
  {
    // A book collection: triggers and views with functions and aggregates of the application's own, its tokenizer.
    id: 'books',
    script: `
      CREATE TABLE books (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL DEFAULT 'Unknown' COLLATE NOCASE,
        sort TEXT COLLATE NOCASE, timestamp TIMESTAMP DEFAULT CURRENT_TIMESTAMP, series_index REAL NOT NULL DEFAULT 1.0, uuid TEXT);
      CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT NOT NULL COLLATE NOCASE, sort TEXT COLLATE NOCASE, UNIQUE (name));
      CREATE TABLE books_authors_link (id INTEGER PRIMARY KEY, book INTEGER NOT NULL, author INTEGER NOT NULL, UNIQUE (book, author));
      CREATE TABLE ratings (id INTEGER PRIMARY KEY, rating INTEGER CHECK (rating > -1 AND rating < 11), UNIQUE (rating));
      CREATE VIEW meta AS SELECT id, title, (SELECT group_concat(name) FROM authors WHERE authors.id IN
        (SELECT author FROM books_authors_link WHERE book = books.id)) authors FROM books;
      CREATE VIEW tag_browser_authors AS SELECT id, name, (SELECT count(id) FROM books_authors_link WHERE author = authors.id) count,
        upper(name) AS sort FROM authors;
      CREATE VIEW plain_titles AS SELECT title FROM books;
      CREATE TRIGGER books_insert_trg AFTER INSERT ON books BEGIN
        UPDATE books SET sort = lower(NEW.title), uuid = hex(NEW.id) WHERE id = NEW.id; END;
      CREATE TRIGGER fkc_insert BEFORE INSERT ON books_authors_link BEGIN SELECT CASE
        WHEN (SELECT id FROM books WHERE id = NEW.book) IS NULL THEN RAISE (ABORT, 'Foreign key violation: book not in books') END; END;
      CREATE INDEX books_idx ON books (sort COLLATE NOCASE);
      CREATE VIRTUAL TABLE annotations_fts USING fts5 (searchable_text, content = '', tokenize = 'porter');
      CREATE VIRTUAL TABLE comments_fts USING fts4 (text, tokenize=porter);
      INSERT INTO books (title, series_index) VALUES ('The Red Door', 1), ('A Small Boat', 2.5), ('Salt', 1);
      INSERT INTO authors VALUES (1, 'Ann Poe', 'Poe, Ann'), (2, 'Li Wen', 'Wen, Li');
      INSERT INTO books_authors_link VALUES (1, 1, 1), (2, 2, 1), (3, 3, 2);
      INSERT INTO ratings VALUES (1, 8), (2, 10);`,
    stored: [
      ['lower(NEW.title)', 'title_sort(NEW.title)'],
      ['hex(NEW.id)', 'uuid4()'],
      ['tokenize=porter', 'tokenize=spellfix'],
      ['group_concat(name)', 'sortconcat(id, name)'],
      ['upper(name) AS sort', 'author_to_author_sort(name) AS sort'],
      ["tokenize = 'porter'", "tokenize = 'calibre remove_diacritics 2'"],
    ],
    questions: [
      ask('Which titles are there?', 'SELECT title FROM plain_titles'),
      ask(
        'Who wrote Salt?',
        `SELECT name FROM authors JOIN books_authors_link l ON l.author = authors.id
        JOIN books ON books.id = l.book WHERE books.title = 'Salt'`,
      ),
      ask('Which ratings are given?', 'SELECT rating FROM ratings ORDER BY rating'),
    ],
  },
  {
    // A messenger: a full-text index that triggers keep, partial and expression indexes, JSON, generated columns.
    id: 'messenger',
    script: `
      CREATE TABLE conversations (id STRING PRIMARY KEY ASC, json TEXT, active_at INTEGER, type STRING, name TEXT,
        profileFullName TEXT GENERATED ALWAYS AS (coalesce(json_extract(json, '$.first'), '') || ' ' || coalesce(json_extract(json, '$.last'), '')));
      CREATE TABLE messages (rowid INTEGER PRIMARY KEY ASC, id STRING UNIQUE, json TEXT, sent_at INTEGER, conversationId STRING,
        hasAttachments INTEGER, body TEXT, isStory INTEGER GENERATED ALWAYS AS (type IS 'story'), type STRING,
        readStatus INTEGER GENERATED ALWAYS AS (json_extract(json, '$.read')) STORED,
        FOREIGN KEY (conversationId) REFERENCES conversations (id) ON DELETE CASCADE);
      CREATE INDEX messages_unread ON messages (conversationId, sent_at) WHERE readStatus IS NOT NULL AND hasAttachments = 1;
      CREATE INDEX messages_lower ON messages (lower(body), ifnull(sent_at, 0) DESC);
      CREATE VIRTUAL TABLE messages_fts USING fts5 (body, content = 'messages', content_rowid = 'rowid', tokenize = 'unicode61');
      CREATE TRIGGER messages_on_insert AFTER INSERT ON messages WHEN new.isStory = 0 BEGIN
        INSERT INTO messages_fts (rowid, body) VALUES (new.rowid, new.body); END;
      CREATE TRIGGER messages_on_delete AFTER DELETE ON messages BEGIN
        INSERT INTO messages_fts (messages_fts, rowid, body) VALUES ('delete', old.rowid, old.body); END;
      CREATE TABLE keys (id INTEGER PRIMARY KEY, secret BLOB, uploaded BOOLEAN);
      INSERT INTO conversations (id, json, active_at, type, name) VALUES ('c1', '{"first":"Ada","last":"Lane"}', 1600000000000, 'private', 'Ada'),
        ('c2', '{}', NULL, 'group', 'Climbing');
      INSERT INTO messages (id, json, sent_at, conversationId, hasAttachments, body, type) VALUES
        ('m1', '{"read":1}', 1600000000001, 'c1', 1, 'See you at the harbor', 'incoming'),
        ('m2', '{}', 1600000000002, 'c1', 0, 'Harbor at nine', 'outgoing'), ('m3', '{"read":0}', 1600000000003, 'c2', 0, NULL, 'story');
      INSERT INTO keys VALUES (1, x'00ff', 1);`,
    questions: [
      ask(
        'Which messages mention the harbor?',
        "SELECT body FROM messages_fts WHERE messages_fts MATCH 'harbor' ORDER BY rowid",
      ),
      ask(
        'In which conversations is the harbor mentioned?',
        `SELECT DISTINCT c.name FROM messages_fts f JOIN messages m ON m.rowid = f.rowid JOIN conversations c ON c.id = m.conversationId
         WHERE messages_fts MATCH 'harbor'`,
      ),
      ask('How many messages have been read?', 'SELECT count(*) FROM messages WHERE readStatus = 1'),
      ask('What is the full name of Ada?', "SELECT profileFullName FROM conversations WHERE name = 'Ada'"),
      ask(
        'Which conversation has most messages?',
        `SELECT c.name FROM conversations c JOIN messages m ON m.conversationId = c.id
        GROUP BY c.id ORDER BY count(*) DESC LIMIT 1`,
      ),
    ],
  },
  {
    // Flash cards: a collation of the application's own in primary keys WITHOUT ROWID and in unique indexes.
    id: 'cards',
    script: `
      CREATE TABLE col (id integer PRIMARY KEY, crt integer NOT NULL, conf text NOT NULL);
      CREATE TABLE notes (id integer PRIMARY KEY, guid text NOT NULL, mid integer NOT NULL, tags text NOT NULL, flds text NOT NULL,
        sfld integer NOT NULL, csum integer NOT NULL);
      CREATE TABLE cards (id integer PRIMARY KEY, nid integer NOT NULL, did integer NOT NULL, ivl integer NOT NULL, factor integer NOT NULL);
      CREATE TABLE tags (tag text NOT NULL PRIMARY KEY COLLATE NOCASE, usn integer NOT NULL, collapsed boolean NOT NULL, config blob NULL) WITHOUT ROWID;
      CREATE TABLE fields (ntid integer NOT NULL, ord integer NOT NULL, name text NOT NULL COLLATE NOCASE, PRIMARY KEY (ntid, ord)) WITHOUT ROWID;
      CREATE UNIQUE INDEX idx_fields_name_ntid ON fields (name, ntid);
      CREATE TABLE decks (id integer PRIMARY KEY NOT NULL, name text NOT NULL COLLATE NOCASE, kind blob NOT NULL);
      CREATE UNIQUE INDEX idx_decks_name ON decks (name);
      CREATE INDEX idx_cards_odid ON cards (did) WHERE did != 0;
      INSERT INTO col VALUES (1, 1500000000, '{}');
      INSERT INTO notes VALUES (1, 'a', 5, ' verb ', 'gehen' || char(31) || 'to go', 'gehen', 1), (2, 'b', 5, '', 'Baum' || char(31) || 'tree', 'Baum', 2);
      INSERT INTO cards VALUES (1, 1, 1, 10, 2500), (2, 2, 1, 3, 2300), (3, 2, 2, 0, 0);
      INSERT INTO tags VALUES ('verb', 0, 0, NULL), ('Noun', 0, 1, x'01');
      INSERT INTO fields VALUES (5, 0, 'Front'), (5, 1, 'Back');
      INSERT INTO decks VALUES (1, 'German', x'0a'), (2, 'default', x'0b');`,
    stored: [['COLLATE NOCASE', 'COLLATE unicase']],
    questions: [
      ask('Which tags are collapsed?', 'SELECT tag FROM tags WHERE collapsed = 1'),
      ask(
        'How many cards does each deck have?',
        'SELECT d.name, count(*) FROM decks d JOIN cards c ON c.did = d.id GROUP BY d.id',
      ),
      ask('Which fields are there?', 'SELECT name FROM fields ORDER BY ord'),
      ask('What is the longest interval?', 'SELECT max(ivl) FROM cards'),
    ],
  },
  {
    // A map: rtree indexes that triggers with spatial functions keep, tables of the format, geometries.
    id: 'map',
    script: `
      PRAGMA application_id = 0x47504B47; PRAGMA user_version = 10300;
      CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT NOT NULL, srs_id INTEGER NOT NULL PRIMARY KEY, organization TEXT NOT NULL);
      CREATE TABLE gpkg_contents (table_name TEXT NOT NULL PRIMARY KEY, data_type TEXT NOT NULL, identifier TEXT UNIQUE,
        last_change DATETIME NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')), srs_id INTEGER,
        CONSTRAINT fk_gc_r_srs_id FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys (srs_id));
      CREATE TABLE lakes (fid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, geom POLYGON, lake_name TEXT(80), depth MEDIUMINT, area DOUBLE);
      CREATE VIRTUAL TABLE rtree_lakes_geom USING rtree (id, minx, maxx, miny, maxy);
      CREATE TRIGGER rtree_lakes_geom_insert AFTER INSERT ON lakes WHEN (new.geom NOT NULL AND NOT hex(new.geom)) BEGIN
        INSERT OR REPLACE INTO rtree_lakes_geom VALUES (new.fid, abs(new.geom), abs(new.geom), abs(new.geom), abs(new.geom)); END;
      CREATE TRIGGER gpkg_check BEFORE INSERT ON gpkg_contents FOR EACH ROW BEGIN
        SELECT RAISE (ABORT, 'identifier missing') WHERE NEW.identifier IS NULL; END;
      CREATE VIEW st_lakes AS SELECT abs(geom) AS x, lake_name FROM lakes;
      INSERT INTO gpkg_spatial_ref_sys VALUES ('WGS 84', 4326, 'EPSG'), ('Undefined', -1, 'NONE');
      INSERT INTO gpkg_contents (table_name, data_type, identifier, srs_id) VALUES ('lakes', 'features', 'lakes', 4326);
      INSERT INTO lakes (geom, lake_name, depth, area) VALUES (x'4750', 'Mirror Lake', 40, 12.5), (x'4750', 'Long Lake', 9, 3.25), (NULL, 'Blue Tarn', NULL, 0.5);
      INSERT INTO rtree_lakes_geom VALUES (1, 0, 1, 0, 1), (2, 4, 6, 4, 6);`,
    stored: [
      ['hex(new.geom)', 'ST_IsEmpty(new.geom)'],
      ['abs(', 'ST_MinX('],
    ],
    questions: [
      ask('Which lakes are deeper than 20?', 'SELECT lake_name FROM lakes WHERE depth > 20'),
      ask(
        'Which lakes are east of 3?',
        'SELECT lake_name FROM lakes WHERE fid IN (SELECT id FROM rtree_lakes_geom WHERE minx > 3)',
      ),
      ask(
        'In which system are the lakes?',
        `SELECT srs_name FROM gpkg_contents c JOIN gpkg_spatial_ref_sys s ON c.srs_id = s.srs_id
        WHERE table_name = 'lakes'`,
      ),
    ],
  },
  {
    // Baseball: columns that begin with digits, empty texts for NULL, keys of several columns without a declaration.
    id: 'baseball',
    script: `
      CREATE TABLE batting (playerID varchar(9) NOT NULL, yearID smallint(6) NOT NULL, stint smallint(6) NOT NULL, lgID varchar(2),
        G integer, "2B" integer, "3B" integer, HR integer, UNIQUE (playerID, yearID, stint));
      CREATE TABLE people (ID INTEGER PRIMARY KEY, playerID varchar(9) UNIQUE, birthYear integer, nameFirst varchar(255), nameLast varchar(255));
      INSERT INTO people VALUES (1, 'brownj01', 1950, 'Joe', 'Brown'), (2, 'greena01', '', 'Al', 'Green'), (3, 'whites01', 1961, '', 'White');
      INSERT INTO batting VALUES ('brownj01', 1975, 1, 'AL', 100, 20, 3, 11), ('brownj01', 1975, 2, 'NL', 30, 5, 0, 4),
        ('greena01', 1976, 1, 'NL', 140, 31, 6, 24);`,
    questions: [
      ask(
        'How many doubles did Joe Brown hit?',
        `SELECT sum(b."2B") FROM batting b JOIN people p ON p.playerID = b.playerID
        WHERE p.nameLast = 'Brown'`,
      ),
      ask(
        'Who hit most home runs?',
        `SELECT nameLast FROM people JOIN batting USING (playerID) GROUP BY playerID ORDER BY sum(HR) DESC LIMIT 1`,
      ),
      ask('Whose year of birth is not known?', "SELECT nameLast FROM people WHERE birthYear = ''"),
    ],
  },
];
