import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { replaceInSchema } from '../sql/execution/stored-schema.js';

/** A database as people have them, and what is asked of it. */
export interface OddDatabase {
  readonly id: string;
  /** What this build of SQLite makes of it as it is. */
  readonly script: string;
  /**
   * Texts that replace others in the stored schema: what this build of SQLite would not create, such as double-quoted
   * strings, or a collation that an application brings with it.
   */
  readonly stored?: readonly (readonly [from: string, to: string])[];
  readonly questions: readonly { readonly question: string; readonly query: string }[];
}

const ask = (question: string, query: string): OddDatabase['questions'][number] => ({ question, query });

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i);

/** A double-quoted string, which this build takes for a name, as a placeholder. */
const quoted = (text: string): readonly [string, string] => [`'${text}'`, `"${text}"`];

export const ODD_DATABASES: readonly OddDatabase[] = [
  {
    id: 'quoted',
    script: `
      CREATE TABLE visitor (visitor_id INTEGER PRIMARY KEY, kind TEXT CHECK (kind IN ('person', 'company')),
        city TEXT, nights INTEGER, size TEXT AS (CASE WHEN nights > 3 THEN 'long stay' ELSE 'short stay' END) STORED);
      CREATE INDEX persons ON visitor (city) WHERE kind = 'person';
      CREATE INDEX labels ON visitor (city || ' town');
      CREATE VIEW persons_only AS SELECT city, nights FROM visitor WHERE kind = 'person';
      CREATE VIEW persons_again AS SELECT city FROM persons_only WHERE city <> 'nowhere';
      CREATE TRIGGER moved AFTER UPDATE ON visitor BEGIN UPDATE visitor SET kind = 'company' WHERE 0; END;
      INSERT INTO visitor (kind, city, nights) VALUES ('person', 'Oslo', 2), ('company', 'Oslo', 7),
        ('person', 'Lima', 5), ('person', 'Rome', 1);`,
    stored: ['person', 'company', 'long stay', 'short stay', ' town', 'nowhere'].map(quoted),
    questions: [
      ask('Which cities do persons come from?', 'SELECT city FROM persons_only'),
      ask('Which cities do persons come from, once more?', 'SELECT city FROM persons_again'),
      ask('How many nights did the companies stay?', "SELECT sum(nights) FROM visitor WHERE kind = 'company'"),
      ask('How many visitors are there of each size?', 'SELECT size, count(*) FROM visitor GROUP BY size'),
    ],
  },
  {
    id: 'unprepared',
    script: `
      CREATE TABLE book (book_id INTEGER PRIMARY KEY, title TEXT, price REAL, key TEXT AS (upper(title)) VIRTUAL);
      CREATE VIEW by_function AS SELECT upper(title) AS name FROM book;
      CREATE VIEW by_collation AS SELECT title FROM book ORDER BY title COLLATE NOCASE;
      CREATE VIEW by_window AS SELECT sum(price) OVER (ORDER BY title) AS running FROM book;
      CREATE VIEW by_list (a, b) AS SELECT title, price FROM book;
      CREATE VIEW on_nothing AS SELECT title FROM book;
      CREATE VIEW cheap AS SELECT title FROM book WHERE price < 10;
      INSERT INTO book (title, price) VALUES ('Dune', 9.5), ('Emma', 12), ('Ulysses', 20.25);`,
    stored: [
      ['upper(', 'shelf_mark('],
      ['COLLATE NOCASE', 'COLLATE shelf'],
      ['sum(price) OVER', 'shelf_sum(price) OVER'],
      ['by_list (a, b)', 'by_list (a, b, c)'],
      ['on_nothing AS SELECT title FROM book', 'on_nothing AS SELECT title FROM gone'],
    ],
    questions: [
      ask('Which books are there?', 'SELECT title FROM book'),
      ask('Which books are cheap?', 'SELECT title FROM cheap'),
      ask('What is the price of Emma?', "SELECT price FROM book WHERE title = 'Emma'"),
    ],
  },
  {
    id: 'searched',
    script: `
      CREATE TABLE job (job_id INTEGER PRIMARY KEY, title TEXT, skills TEXT, city_id INTEGER REFERENCES town (town_id));
      CREATE TABLE town (town_id INTEGER PRIMARY KEY, town_name TEXT, population INTEGER);
      CREATE VIRTUAL TABLE notes USING fts5 (body, author);
      CREATE VIRTUAL TABLE old_notes USING fts4 (body);
      CREATE VIRTUAL TABLE skill_search USING fts5 (title, skills, content='job', content_rowid='job_id');
      CREATE VIRTUAL TABLE places USING rtree (id, min_x, max_x);
      CREATE TRIGGER job_added AFTER INSERT ON job BEGIN
        INSERT INTO skill_search (rowid, title, skills) VALUES (new.job_id, new.title, new.skills); END;
      INSERT INTO town VALUES (1, 'Oslo', 700000), (2, 'Lima', 9000000);
      INSERT INTO job VALUES (1, 'baker', 'bread and cake', 1), (2, 'smith', 'iron', 2), (3, 'cook', 'soup and bread', 2);
      INSERT INTO notes VALUES ('the first note', 'Ann'), ('the second', 'Bob');
      INSERT INTO old_notes VALUES ('an old note');
      INSERT INTO places VALUES (1, 0, 2), (2, 5, 6);
      INSERT INTO skill_search (skill_search) VALUES ('rebuild');`,
    questions: [
      ask('Which notes mention a second?', "SELECT author FROM notes WHERE notes MATCH 'second'"),
      ask('Which jobs ask for bread?', "SELECT title FROM skill_search WHERE skill_search MATCH 'bread'"),
      ask('Which old notes are there?', "SELECT body FROM old_notes WHERE old_notes MATCH 'old'"),
      ask('Which places begin after 3?', 'SELECT id FROM places WHERE min_x > 3'),

      ask('Which jobs are there?', 'SELECT title FROM job'),
      ask(
        'In which towns are bakers sought?',
        "SELECT town_name FROM town JOIN job ON city_id = town_id WHERE title = 'baker'",
      ),
      ask('Which town has the most people?', 'SELECT town_name FROM town ORDER BY population DESC LIMIT 1'),
    ],
  },
  {
    id: 'collated',
    script: `
      CREATE TABLE author (author_id INTEGER PRIMARY KEY, name TEXT NOT NULL COLLATE NOCASE, sort TEXT COLLATE NOCASE, born INTEGER,
        UNIQUE (name));
      CREATE INDEX by_sort ON author (sort COLLATE NOCASE);
      CREATE TABLE prize (prize_id INTEGER PRIMARY KEY, author_id INTEGER REFERENCES author (author_id), year INTEGER);
      INSERT INTO author VALUES (1, 'ann', 'b', 1950), (2, 'Bob', 'A', 1960), (3, 'Zoe', 'c', 1970);
      INSERT INTO prize VALUES (1, 1, 2001), (2, 3, 2002);`,
    stored: [['COLLATE NOCASE', 'COLLATE unicase']],
    questions: [
      ask('Who was born in 1960?', 'SELECT name FROM author WHERE born = 1960'),
      ask('Which authors are there, by name?', 'SELECT name FROM author ORDER BY name'),
      ask(
        'When did Zoe win a prize?',
        "SELECT year FROM prize JOIN author ON prize.author_id = author.author_id WHERE name = 'Zoe'",
      ),
    ],
  },
  {
    id: 'kinds',
    script: `
      PRAGMA encoding = 'UTF-16le';
      CREATE TABLE parcel (parcel_id INTEGER PRIMARY KEY AUTOINCREMENT, width REAL, height REAL,
        area REAL GENERATED ALWAYS AS (width * height) STORED, label TEXT AS ('p' || parcel_id));
      CREATE TABLE strict_one (code TEXT PRIMARY KEY, amount INTEGER NOT NULL, note ANY) STRICT;
      CREATE TABLE rate (country TEXT, year INTEGER, rate REAL, PRIMARY KEY (country, year)) WITHOUT ROWID;
      CREATE INDEX by_width ON parcel (width, height);
      CREATE INDEX wide_ones ON parcel (height) WHERE width > 1;
      INSERT INTO parcel (width, height) VALUES (1.5, 2), (3, 4), (0.5, 8);
      INSERT INTO strict_one VALUES ('a', 1, 'x'), ('b', 2, 3);
      INSERT INTO rate VALUES ('Perú', 2020, 1.5), ('Perú', 2021, 1.75), ('Norge', 2020, 3);`,
    questions: [
      ask('What is the greatest area of a parcel?', 'SELECT max(area) FROM parcel'),
      ask('What are the amounts?', 'SELECT amount FROM strict_one'),
      ask('What was the rate in Perú in 2021?', "SELECT rate FROM rate WHERE country = 'Perú' AND year = 2021"),
      ask('How high are the parcels of width 3?', 'SELECT height FROM parcel INDEXED BY by_width WHERE width = 3'),
      ask('How high are wide parcels?', 'SELECT height FROM parcel INDEXED BY wide_ones WHERE width > 1'),
      ask('Which labels do the parcels have?', "SELECT value FROM parcel, json_each('[\"' || label || '\"]')"),
      ask('How many parcels were ever made?', "SELECT seq FROM sqlite_sequence WHERE name = 'parcel'"),
    ],
  },
  {
    id: 'wide',
    script: `
      CREATE TABLE survey (respondent INTEGER PRIMARY KEY, ${range(299)
        .map((i) => `answer_${i + 1} INTEGER`)
        .join(', ')});
      INSERT INTO survey (respondent, answer_1, answer_2) VALUES (1, 3, 4), (2, 5, 1), (3, 2, 2);`,
    questions: [
      ask('What is the mean of the first answers?', 'SELECT avg(answer_1) FROM survey'),
      ask('Who gave 4 as the second answer?', 'SELECT respondent FROM survey WHERE answer_2 = 4'),
    ],
  },
];

/** Writes a database as it is stored. */
function writeOddDatabase(file: string, { script, stored = [] }: OddDatabase): void {
  const sqlite = new Database(file);
  try {
    sqlite.exec(script);
    replaceInSchema(sqlite, stored);
  } finally {
    sqlite.close();
  }
}

/** Writes databases and their questions into a folder: what `--dataset sqlite` reads. */
export function writeOddSet(
  folder: string,
  databases: readonly OddDatabase[],
): { databases: string; examples: string } {
  const home = join(folder, 'databases');
  mkdirSync(home, { recursive: true });
  for (const one of databases) writeOddDatabase(join(home, `${one.id}.sqlite`), one);
  const examples = join(folder, 'questions.json');
  const records = databases.flatMap(({ id, questions }) =>
    questions.map((each, i) => ({ id: `${id}-${i}`, db_id: id, ...each })),
  );
  writeFileSync(examples, JSON.stringify(records, null, 1));
  return { databases: home, examples };
}
