import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { InputFormatError } from '../../src/errors.js';
import { sha256Of } from '../../src/run/sha256.js';

/** Places of the test part in the order of the keys' SHA-256; 0 to 100 are the validation part. As in training/table_data.py. */
const TEST_PART: readonly [number, number] = [100, 400];

const SETS = ['tabfact', 'wikitablequestions'] as const;

const recordSchema = z.looseObject({
  id: z.string(),
  title: z.string(),
  columns: z.array(z.string()),
  rows: z.array(z.array(z.coerce.string())),
  questions: z.array(z.string()).optional(),
});

/** A table of TabFact or WikiTableQuestions as the shared data has it; titles are those of pages, or empty. */
export interface WebTable {
  readonly id: string;
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly questions: readonly string[];
}

function parseLine(line: string, file: string, number: number): WebTable {
  try {
    const { id, title, columns, rows, questions } = recordSchema.parse(JSON.parse(line));
    return { id, title, columns, rows, questions: questions ?? [] };
  } catch (cause) {
    throw new InputFormatError('a shared table is malformed', {
      fix: 'Fetch the shared data again, or name its folder with --data.',
      where: { file, line: number },
      cause,
    });
  }
}

/** All shared tables. @throws InputFormatError where a line is none. */
export function readWebTables(folder: string): readonly WebTable[] {
  return SETS.flatMap((name) => {
    const file = join(folder, `${name}.jsonl.gz`);
    const lines = gunzipSync(readFileSync(file)).toString('utf8').split('\n');
    return lines.flatMap((line, position) => (line.trim() === '' ? [] : [parseLine(line, file, position + 1)]));
  });
}

/** The keys of the test part: distinct, by the SHA-256 of their UTF-8 bytes. */
export function chooseTestKeys(keys: Iterable<string>): readonly string[] {
  const hashed = [...new Set(keys)].map((key) => ({ key, hash: sha256Of(key) }));
  return hashed
    .sort((a, b) => (a.hash < b.hash ? -1 : 1))
    .slice(...TEST_PART)
    .map(({ key }) => key);
}

/** The held-out tables with questions that no encoder of ours was trained on. */
export function chooseTestTables(tables: readonly WebTable[]): readonly WebTable[] {
  const asked = new Map(tables.filter(({ questions }) => questions.length > 0).map((table) => [table.id, table]));
  return chooseTestKeys(asked.keys()).map((id) => asked.get(id)!);
}

/** The tables of each held-out page with two tables or more. */
export function chooseTestPages(tables: readonly WebTable[]): readonly (readonly WebTable[])[] {
  const pages = new Map<string, WebTable[]>();
  for (const table of tables) {
    const title = table.title.toLowerCase();
    if (title !== '') pages.set(title, [...(pages.get(title) ?? []), table]);
  }
  const shared = [...pages].filter(([, found]) => found.length > 1).map(([title]) => title);
  return chooseTestKeys(shared).map((title) => pages.get(title)!);
}
