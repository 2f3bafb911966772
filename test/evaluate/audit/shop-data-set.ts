import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { auditDataset, type AuditOptions } from '../../../src/evaluate/audit/audit-dataset.js';
import type { AuditReport } from '../../../src/evaluate/audit/audit-report.js';

const SCRIPT = `
  CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, price TEXT, stock INTEGER, kind TEXT, sold INTEGER);
  INSERT INTO item VALUES
    (1, 'Lamp', '9', 5, 'light', 3), (2, 'Desk ', '120', 'none', 'wood', NULL), (3, 'Chair', '45', 12, 'wood', 7),
    (4, 'Stool', '45', 7, 'wood', 1), (5, 'Shelf', '80', 9, 'wood', 4);
  CREATE TABLE review (id INTEGER PRIMARY KEY, item_id INTEGER REFERENCES item (id), stars INTEGER, day TEXT);
  INSERT INTO review VALUES (1, 1, 5, '2011-05-05'), (2, 3, 4, '2020-01-02'), (3, 3, 2, '2040-03-04');
  CREATE TABLE refund (id INTEGER PRIMARY KEY, item_id INTEGER);
  CREATE TABLE parcel (id INTEGER PRIMARY KEY, weight TEXT, fee TEXT, sent TEXT, state TEXT);
  INSERT INTO parcel VALUES
    (1, '9', '$4.50', '2020-01-02', 'NY'), (2, '120', '$20', '2021-03-04', 'NC'), (3, 'null', '$7', '2020-05-06', 'NC');
`;

/** One example of a file of questions. */
export interface AskedQuestion {
  readonly sql: string;
  readonly question?: string;
  readonly id?: string | number;
}

/** Writes a shop's database and a file of questions about it, as the format sqlite reads them. */
export function writeShop(
  folder: string,
  asked: readonly AskedQuestion[],
): Pick<AuditOptions, 'examples' | 'databases'> {
  mkdirSync(folder, { recursive: true });
  const databases = join(folder, 'shop.sqlite');
  const sqlite = new Sqlite(databases);
  sqlite.exec(SCRIPT);
  sqlite.close();
  const examples = join(folder, 'dev.json');
  const records = asked.map(({ sql, question = 'What is asked?', id }, i) => ({
    ...(id === undefined ? {} : { id }),
    question: question === 'What is asked?' ? `What is asked, number ${'i'.repeat(i + 1)}?` : question,
    query: sql,
  }));
  writeFileSync(examples, JSON.stringify(records));
  return { examples, databases };
}

/** Audits questions about the shop. */
export function auditShop(
  folder: string,
  asked: readonly AskedQuestion[],
  options: AuditOptions = {},
): Promise<AuditReport> {
  return auditDataset({ dataset: 'sqlite', ...writeShop(folder, asked), jobs: 1, ...options });
}
