import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { InputFormatError } from '../../../src/errors.js';
import { renderVerification } from '../../../src/cli/verification-lines.js';
import { isVerified } from '../../../src/variants/verify/verdict.js';
import { type Verification, verifyRun } from '../../../src/variants/verify/verify-run.js';
import { NOOP_HOST } from '../../../src/run/run-host.js';
import { rejectionOf } from '../../error-of.js';

const folder = mkdtempSync(join(tmpdir(), 'verify-run-'));
const at = (...parts: string[]): string => join(folder, ...parts);
afterAll(() => rmSync(folder, { recursive: true }));

interface Line {
  readonly source: string;
  readonly db_id: string;
  readonly original_db_id: string;
  readonly kind: 'original' | 'RPL' | 'ADD';
}

/** A record of the variant of a table item: its price is called cost, or a size is added. */
const LINES: readonly Line[] = [
  { source: 'dev:0', db_id: 'shop', original_db_id: 'shop', kind: 'original' },
  { source: 'dev:0', db_id: 'shop__rpl_1', original_db_id: 'shop', kind: 'RPL' },
  { source: 'dev:0', db_id: 'shop__add_1', original_db_id: 'shop', kind: 'ADD' },
];
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  shop: ['name', 'price'],
  shop__rpl_1: ['name', 'cost'],
  shop__add_1: ['name', 'price', 'size'],
};

function writeRun(lines: readonly Line[]): void {
  const manifest = { command: 'augment', version: '0', seed: 0, settings: {}, inputs: {}, complete: true };
  writeFileSync(at('run.json'), JSON.stringify(manifest));
  const tables = Object.entries(COLUMNS).map(([db_id, columns]) => ({
    db_id,
    table_names: ['item'],
    table_names_original: ['item'],
    column_names: [[-1, '*'], ...columns.map((name) => [0, name])],
    column_names_original: [[-1, '*'], ...columns.map((name) => [0, name])],
    column_types: ['text', ...columns.map(() => 'text')],
    primary_keys: [],
    foreign_keys: [],
  }));
  writeFileSync(at('tables.json'), JSON.stringify(tables));
  const query = (kind: Line['kind']): string => `SELECT name FROM item WHERE ${kind === 'RPL' ? 'cost' : 'price'} > 1`;
  const examples = lines.map(({ db_id, kind }) => ({ db_id, question: 'Which?', query: query(kind) }));
  writeFileSync(at('examples.json'), JSON.stringify(examples));
  writeFileSync(
    at('provenance.jsonl'),
    lines.map((line, index) => `${JSON.stringify({ index, ...line, changes: [], edits: [] })}\n`).join(''),
  );
}

function writeDatabases(): void {
  for (const [id, columns] of Object.entries(COLUMNS)) {
    mkdirSync(at('database', id), { recursive: true });
    const sqlite = new Sqlite(at('database', id, `${id}.sqlite`));
    sqlite.exec(`CREATE TABLE item(${columns.join(', ')}); INSERT INTO item(${columns.slice(0, 2).join(', ')})
      VALUES ('pen', 1), ('ink', 3)`);
    sqlite.close();
  }
}

const verify = (): Promise<Verification> => verifyRun({ run: folder, databases: null, jobs: 1 }, NOOP_HOST);

beforeEach(() => {
  for (const name of ['database', 'verified']) rmSync(at(name), { recursive: true, force: true });
  writeRun(LINES);
  writeDatabases();
});

describe('verifyRun', () => {
  it('finds the variants of a whole run equal', async () => {
    expect(await verify()).toMatchObject({ RPL: { equal: 1 }, ADD: { equal: 1 }, withoutDatabase: 0, items: [] });
  });

  it('counts variants whose gold query names no renamed column apart', async () => {
    expect(await verify()).not.toHaveProperty('goldUnchanged');
    const examples = JSON.parse(readFileSync(at('examples.json'), 'utf8')) as { query: string }[];
    for (const example of examples) example.query = 'SELECT name FROM item';
    writeFileSync(at('examples.json'), JSON.stringify(examples));
    const found = await verify();
    expect(found).toMatchObject({ RPL: { equal: 1 }, goldUnchanged: { RPL: 1 } });
    expect(renderVerification(found)).toContain('  RPL with the gold query of the original: 1');
  });

  it('fails variants whose own database is there, but not the original’s', async () => {
    rmSync(at('database/shop'), { recursive: true });
    rmSync(at('database/shop__add_1/shop__add_1.sqlite'));
    writeFileSync(at('database/shop__add_1/shop__add_1.sql'), '');
    const found = await verify();
    expect(isVerified(found)).toBe(false);
    expect(found).toMatchObject({ RPL: { failed: 1 }, ADD: { failed: 1 }, withoutDatabase: 0 });
    expect(found.items[0]).toMatchObject({ db_id: 'shop__rpl_1', detail: 'the original’s database is gone' });
  });

  it('is refuted by a variant of any kind that is different', () => {
    const [fine, wrong] = [{ equal: 1 }, { different: 1 }];
    expect(isVerified({ RPL: fine, ADD: fine, mixed: fine, mutant: fine })).toBe(true);
    expect(isVerified({ RPL: fine, ADD: fine, mixed: wrong })).toBe(false);
    expect(isVerified({ RPL: fine, ADD: fine, mutant: wrong })).toBe(false);
  });

  it('counts variants without a database of their own where the original has none, too', async () => {
    rmSync(at('database'), { recursive: true });
    mkdirSync(at('database'));
    const found = await verify();
    expect(isVerified(found)).toBe(true);
    expect(found).toMatchObject({ withoutDatabase: 2, items: [] });
  });

  it('gives the report of a finished verification again, and refuses one that is damaged', async () => {
    const out = at('verified');
    const options = { run: folder, databases: null, jobs: 1, out };
    const found = await verifyRun(options, NOOP_HOST);
    expect(await verifyRun(options, NOOP_HOST)).toEqual(found);
    const file = join(out, 'report.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"ADD"', '"OTHER"'));
    const error = await rejectionOf(InputFormatError, () => verifyRun(options, NOOP_HOST));
    expect(error).toMatchObject({ where: { file }, message: 'field "ADD" is missing' });
  });

  it.each(['db_id', 'original_db_id'])('refuses a %s that is not among the schemas', async (field) => {
    writeRun(LINES.map((line, i) => (i === 1 ? { ...line, [field]: 'nowhere' } : line)));
    const error: unknown = await verify().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(InputFormatError);
    expect(error).toMatchObject({
      message: `field "${field}" is wrong: tables.json has no database nowhere`,
      where: { file: at('provenance.jsonl'), line: 2, id: 'record 1' },
      fix: expect.stringContaining('run it again') as string,
    });
  });
});
