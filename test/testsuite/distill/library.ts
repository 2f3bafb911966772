import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { readSqliteSchema } from '../../../src/formats/read-sqlite-schema.js';
import type { DistilledSchema, DistillState, DistillTask } from '../../../src/testsuite/distill/distillation.js';
import { distillSchema } from '../../../src/testsuite/distill/distill-schema.js';

const SCHEMA = `
  CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT, born INT);
  CREATE TABLE book (id INTEGER PRIMARY KEY, author INT REFERENCES author (id), title TEXT, pages INT, price REAL);
  CREATE TABLE loan (book INT NOT NULL REFERENCES book (id), day TEXT, days INT, PRIMARY KEY (book, day));
  INSERT INTO author VALUES (1, 'Ada', 'UK', 1815), (2, 'Bo', 'Sweden', 1950), (3, 'Cy', 'UK', 1950);
  INSERT INTO book VALUES (1, 1, 'Notes', 120, 9.5), (2, 2, 'Snow', 310, 12), (3, 2, 'Ice', 310, 8), (4, NULL, 'Fog', 90, 8);
  INSERT INTO loan VALUES (1, '2020-01-01', 7), (2, '2020-01-02', 14), (2, '2020-03-01', 3);`;

/** Golds over the library: of each kind that decides what is done with a database. */
export const GOLDS = {
  filter: "SELECT name FROM author WHERE country = 'UK' AND born > 1900",
  between: 'SELECT title FROM book WHERE pages BETWEEN 100 AND 200',
  ordered: 'SELECT title FROM book ORDER BY pages',
  longest: 'SELECT title FROM book ORDER BY pages DESC LIMIT 1',
  grouped: 'SELECT T1.name, count(*) FROM author AS T1 JOIN book AS T2 ON T1.id = T2.author GROUP BY T1.id',
  often: 'SELECT country FROM author GROUP BY country HAVING count(*) >= 2',
  excepted: 'SELECT id FROM book EXCEPT SELECT book FROM loan WHERE days > 10',
  average: 'SELECT avg(price), max(pages) FROM book WHERE author IS NOT NULL',
} as const;

/** A task over the library in a folder of its own. */
export class Library {
  readonly #folder = mkdtempSync(join(tmpdir(), 'distill-'));

  task(golds: readonly string[], budget: Partial<DistillTask['budget']> = {}, seed = 1): DistillTask {
    const file = join(this.#folder, 'library.sqlite');
    rmSync(file, { force: true });
    const sqlite = new Sqlite(file);
    try {
      sqlite.exec(SCHEMA);
      const database = readSqliteSchema(sqlite, 'library');
      const all = { randomDatabases: 12, targetedDatabases: 1, redundancy: 2, allRound: 0, ...budget };
      return { database, file, golds, seed, budget: all, data: 'observed' };
    } finally {
      sqlite.close();
    }
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }
}

/** All that a distillation gives on its way and at its end. */
export function distill(
  task: DistillTask,
  resume: DistillState | null = null,
): { readonly states: readonly DistillState[]; readonly suite: DistilledSchema } {
  const states: DistillState[] = [];
  const steps = distillSchema(task, resume);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return { states, suite: step.value };
    states.push(step.value);
  }
}
