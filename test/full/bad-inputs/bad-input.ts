import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { EXAMPLE_DATA, EXAMPLES, type JsonRecord, readRecords } from '../../e2e/example-data.js';

/** A command line with input that it can't use, or must use in spite of it. */
export interface BadInput {
  readonly name: string;
  readonly args: readonly string[];
  /** Files of its folder: texts, bytes, JSON of anything else. */
  readonly files: Readonly<Record<string, unknown>>;
  /** What the refusal, exit code 2, says besides its fix; null where the input is taken, with 0 or 3. */
  readonly refusal: string | null;
}

/** A bad input as it is listed. */
export type Row = readonly [
  name: string,
  args: readonly string[],
  refusal: string | null,
  files?: Readonly<Record<string, unknown>>,
];

/** The bad inputs of a list, each named after what it is about. */
export function group(title: string, rows: readonly Row[]): readonly BadInput[] {
  return rows.map(([name, args, refusal, files = {}]) => ({ name: `${title}: ${name}`, args, files, refusal }));
}

export const TABLES = readRecords(EXAMPLE_DATA.tables);
export const DEV = readRecords(EXAMPLE_DATA.examples);
export const FIRST = DEV[0] ?? {};

/** Options of the example data set, and of its schemas with other questions. */
export const DATA = EXAMPLE_DATA.options;
export const BARE = ['--tables', EXAMPLE_DATA.tables, '--examples', EXAMPLE_DATA.examples];
export const OWN = ['--tables', EXAMPLE_DATA.tables, '--examples', 'dev.json'];
export const OUT = ['--out', 'out'];
export const W2V = ['--recipe', 'w2v'];
export const DATABASES = ['--databases', join(EXAMPLES, 'database')];

/** JSON lines. */
export const lines = (...records: readonly unknown[]): string =>
  records.map((one) => `${JSON.stringify(one)}\n`).join('');

/** The first example with other golds. */
export const asked = (...queries: readonly string[]): readonly JsonRecord[] =>
  queries.map((query) => ({ ...FIRST, query }));

export const utf16 = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, 'utf16le');

/** The bytes of a database. */
export function database(sql: string): Buffer {
  const sqlite = new Sqlite(':memory:');
  sqlite.exec(sql);
  const bytes = sqlite.serialize();
  sqlite.close();
  return bytes;
}
