import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { ConfigError, InputFormatError, RunFolderError } from '../../../src/errors.js';
import { MutantSet } from '../../../src/variants/mutate/mutant-set.js';
import { previewMutants, mutate } from '../../../src/variants/mutate/mutate.js';
import type { MutateInput } from '../../../src/variants/mutate/mutate-options.js';
import type { MutantRecord } from '../../../src/formats/artifacts/mutants.js';
import { NOOP_HOST, type RunHost } from '../../../src/run/run-host.js';
import { rejectionOf } from '../../error-of.js';
import { EXAMPLES } from '../relations/cases.js';

const inExamples = (name: string): string => fileURLToPath(new URL(`../../../examples/${name}`, import.meta.url));
const newFolder = (): string => join(mkdtempSync(join(tmpdir(), 'mutate-')), 'run');

/** Without models and lexicon: no guard, none of the relations that ask one. */
function inputFor(out: string, more: Partial<MutateInput> = {}): MutateInput {
  return {
    tables: inExamples('tables.json'),
    examples: inExamples('dev.json'),
    relations: ['PI', 'PR', 'SS', 'TS', 'CRm'],
    guard: false,
    out,
    ...more,
  };
}

function readMutants(out: string): MutantRecord[] {
  const lines = readFileSync(join(out, 'mutants.jsonl'), 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as MutantRecord);
}

describe('mutate', () => {
  test('writes mutants, their schemas and a report that counts them', async () => {
    const out = newFolder();
    const { report, fresh } = await mutate(inputFor(out));
    const mutants = readMutants(out);
    expect(fresh).toBe(true);
    expect(Object.keys(report.relations)).toEqual(['PI', 'PR', 'SS', 'TS', 'CRm']);
    for (const [id, { cases, written, applied, notApplicable }] of Object.entries(report.relations)) {
      const own = mutants.filter(({ relations }) => relations.join('+') === id);
      expect(cases).toBe(own.length);
      expect(written).toBe(own.length);
      expect(applied + Object.values(notApplicable).reduce((sum, n) => sum + n, 0)).toBe(30);
    }
    expect(report.total.cases).toBe(mutants.length);
    expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length);
    // What consistency reads.
    const run = new MutantSet(out);
    expect(run.records).toEqual(mutants);
    for (const mutant of mutants) {
      expect(mutant.fluency === null).toBe(mutant.db_id !== mutant.origin);
      expect(mutant.id).toMatch(/^dev:\d+~(?:PI|PR|SS|TS|CRm)\.\d$/);
    }
  });

  test('gives equal bytes for an equal seed, and leaves a finished run as it is', async () => {
    const [first, second] = [newFolder(), newFolder()];
    const { report } = await mutate(inputFor(first, { limit: 3 }));
    await mutate(inputFor(second, { limit: 3 }));
    for (const name of readdirSync(first)) {
      expect(readFileSync(join(second, name), 'utf8'), name).toBe(readFileSync(join(first, name), 'utf8'));
    }
    const again = await mutate(inputFor(first, { limit: 3 }));
    expect(again.fresh).toBe(false);
    expect(again.report).toEqual(report);
    await expect(mutate(inputFor(first, { limit: 4 }))).rejects.toThrow(RunFolderError);
  });

  test('refuses a finished run whose report is damaged, naming the field', async () => {
    const out = newFolder();
    await mutate(inputFor(out, { limit: 1 }));
    const file = join(out, 'report.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"cases":', '"kases":'));
    const error = await rejectionOf(InputFormatError, () => mutate(inputFor(out, { limit: 1 })));
    expect(error).toMatchObject({ where: { file }, message: expect.stringContaining('.cases"') as string });
  });

  test('goes on after an interruption with the same result', async () => {
    const [whole, broken] = [newFolder(), newFolder()];
    await mutate(inputFor(whole, { limit: 2 }));
    const controller = new AbortController();
    const host = {
      ...NOOP_HOST,
      signal: controller.signal,
      progress: (...[, , , detail]: Parameters<RunHost['progress']>) => {
        if (detail?.startsWith('1 of ') === true) controller.abort();
      },
    };
    await expect(mutate(inputFor(broken, { limit: 2 }), host)).rejects.toThrow();
    expect(existsSync(join(broken, 'mutants.jsonl'))).toBe(false);
    await mutate(inputFor(broken, { limit: 2 }));
    expect(readMutants(broken)).toEqual(readMutants(whole));
  });

  test('tells of each relation that was tried, of compositions too, up to the end', async () => {
    const told: { readonly done: number; readonly total: number | null; readonly detail: string | undefined }[] = [];
    const progress: RunHost['progress'] = (step, done, total, detail) => {
      if (step === 'relations tried') told.push({ done, total, detail });
    };
    await mutate(inputFor(newFolder(), { limit: 2, compose: 2 }), { ...NOOP_HOST, progress });
    const dones = told.map(({ done }) => done);
    const last = told.at(-1);
    expect(dones).toEqual([...dones].sort((a, b) => a - b));
    expect(last?.done).toBe(last?.total);
    expect(last?.detail).toMatch(/^(\d+) of \1 databases?, \d+ mutants$/);
    // Far more than one for each database.
    expect(new Set(dones).size).toBeGreaterThan(20);
  });

  test('composes relations, each at most once, within the limit', async () => {
    const out = newFolder();
    await mutate(inputFor(out, { limit: 4, compose: 3 }));
    const mutants = readMutants(out);
    const contents = new Map<string, number>();
    for (const { seed, relations, details, id, question, query, db_id } of mutants) {
      expect(new Set(relations).size).toBe(relations.length);
      expect(details).toHaveLength(relations.length);
      expect(id.startsWith(`${seed}~`)).toBe(true);
      const key = `${seed} ${relations.length}`;
      if (relations.length > 1) contents.set(key, (contents.get(key) ?? 0) + 1);
      expect(question.length * (query?.length ?? 0) * db_id.length).toBeGreaterThan(0);
    }
    expect(Math.max(...mutants.map(({ relations }) => relations.length))).toBe(3);
    expect(Math.max(...contents.values())).toBeLessThanOrEqual(4);
    const both = mutants.find(({ relations }) => relations.join('+') === 'PI+CRm' || relations.join('+') === 'CRm+PI');
    expect(both).toBeDefined();
    expect(both!.db_id).not.toBe(both!.origin);
    expect(both!.fluency).not.toBeNull();
  });

  test('counts the changes of the schema on which a gold has no form', async () => {
    const out = newFolder();
    const { report } = await mutate(inputFor(out, { relations: ['FL'], databases: inExamples('database') }));
    const { applied, notApplicable, unexpressible } = report.relations['FL']!;
    expect(unexpressible['dropped-table-alone']).toBeGreaterThan(0);
    expect(Object.keys(unexpressible).every((reason) => reason.length > 0)).toBe(true);
    expect(applied + Object.values(notApplicable).reduce((sum, n) => sum + n, 0)).toBe(30);
    const composed = await mutate(
      inputFor(newFolder(), { relations: ['TS', 'FL'], compose: 2, databases: inExamples('database') }),
    );
    expect(composed.report.relations['TS+FL']!.unexpressible['dropped-table-alone']).toBeGreaterThan(0);
  });

  test('keeps a sample, and says how many there were', async () => {
    const out = newFolder();
    const { report } = await mutate(inputFor(out, { sample: 'stratified', budget: 10 }));
    expect(readMutants(out)).toHaveLength(10);
    expect(report.total.written).toBe(10);
    expect(report.total.cases).toBeGreaterThan(100);
    expect(Object.values(report.relations).map(({ written }) => written)).toEqual([2, 2, 2, 2, 2]);
  });

  test('keeps own fields in a training set, under ids of their own', async () => {
    const [out, folder] = [newFolder(), mkdtempSync(join(tmpdir(), 'mutate-data-'))];
    const records = (JSON.parse(readFileSync(inExamples('dev.json'), 'utf8')) as object[]).slice(0, 2);
    const own = records.map((record, i) => ({ ...record, id: `q${i}`, question_id: 40 + i, own: { deep: [i] } }));
    writeFileSync(join(folder, 'dev.json'), JSON.stringify(own));
    const examples = join(folder, 'dev.json');
    await mutate(inputFor(out, { examples, relations: ['CRm'], limit: 2, asTraining: true }));
    const written = JSON.parse(readFileSync(join(out, 'examples.json'), 'utf8')) as Record<string, unknown>[];
    expect(written.length).toBeGreaterThan(own.length);
    for (const record of own) expect(written).toContainEqual(record);
    for (const { own: kept } of written) expect(own.map((one) => one.own)).toContainEqual(kept);
    for (const field of ['id', 'question_id']) {
      expect(new Set(written.map((record) => record[field])).size).toBe(written.length);
    }
    const made = written.filter((record) => 'original_id' in record);
    expect(made).toHaveLength(written.length - own.length);
    expect(made[0]).toMatchObject({
      id: expect.stringMatching(/^dev:0~CRm/) as string,
      original_id: 'q0',
      original_question_id: 40,
    });
  });

  test('writes a training set: each example followed by its mutants', async () => {
    const out = newFolder();
    await mutate(inputFor(out, { relations: ['PR', 'CRm'], limit: 1, asTraining: true }));
    const examples = JSON.parse(readFileSync(join(out, 'examples.json'), 'utf8')) as Record<string, unknown>[];
    const mutants = readMutants(out);
    expect(examples).toHaveLength(30 + mutants.length);
    expect(examples[0]).toEqual([...EXAMPLES.examples()][0]!.record);
    const gold = readFileSync(join(out, 'gold.sql'), 'utf8').trimEnd().split('\n');
    expect(gold).toHaveLength(examples.length);
    for (const { question, query, db_id } of mutants) {
      expect(
        examples.some((one) => one['question'] === question && one['query'] === query && one['db_id'] === db_id),
      ).toBe(true);
    }
  });

  test('keeps mutants in a training set whose gold Spider’s structure has no form for, without that field', async () => {
    const out = newFolder();
    // Without rows nothing says that no key is NULL: golds of Flattening ask for it.
    const { report } = await mutate(inputFor(out, { relations: ['FL'], asTraining: true }));
    const unformed = readMutants(out).filter(({ query }) => query?.includes('IS NOT NULL'));
    const examples = JSON.parse(readFileSync(join(out, 'examples.json'), 'utf8')) as Record<string, unknown>[];
    expect(unformed.length).toBeGreaterThan(0);
    expect(examples).toHaveLength(30 + readMutants(out).length);
    const withoutField = examples.filter((one) => !Object.hasOwn(one, 'sql'));
    expect(withoutField.map(({ query }) => query).sort()).toEqual(unformed.map(({ query }) => query).sort());
    expect(report.warnings).toEqual([]);
  });

  test('applies a relation of one’s own next to the others or alone', async () => {
    const out = newFolder();
    const relationFiles = [inExamples('polite-ending.mjs')];
    const { report } = await mutate(inputFor(out, { relations: [], relationFiles }));
    expect(Object.keys(report.relations)).toEqual(['PE']);
    expect(report.relations['PE']).toMatchObject({ name: 'Polite Ending', cases: 30 });
  });

  test('says what it would do', async () => {
    const [first, second] = await previewMutants(inputFor(newFolder(), { relations: ['PI'] }));
    expect(first).toBe('30 examples on 3 databases, relations: PI Prefix Insertion');
    expect(second).toBe('at most 300 mutants, no semantic guard');
  });

  test.each([
    [{ limit: 0 }, /limit/],
    [{ compose: 5 }, /compose/],
    [{ budget: 3 }, /budget/],
    [{ sample: 'adaptive' }, /adaptive/],
    [{ rates: new Map([['PI', 0.1]]) }, /adaptive/],
    [{ relations: [] }, /no relation/],
    [{ materialize: 'copy' }, /no rows/],
  ] as const)('refuses %j', async (more, message) => {
    const call = mutate(inputFor(newFolder(), more));
    await expect(call).rejects.toThrow(message);
    await expect(call).rejects.toBeInstanceOf(ConfigError);
  });

  test.each([
    ['of 0 bytes', (file: string) => writeFileSync(file, '')],
    ['of another kind', (file: string) => writeFileSync(file, 'a page that says that the download failed')],
    ['missing', (file: string) => rmSync(file)],
  ])('goes on without a database that is %s, and says so', async (_, spoil) => {
    const databases = join(newFolder(), 'database');
    cpSync(inExamples('database'), databases, { recursive: true });
    spoil(join(databases, 'pottery_studio', 'pottery_studio.sqlite'));
    const out = newFolder();
    const { report, unusable } = await mutate(inputFor(out, { databases, materialize: 'copy', limit: 1 }));
    expect(unusable).toMatchObject([{ id: 'pottery_studio' }]);
    expect(report.databases).toMatchObject({ unwritten: [], verification: { items: [] } });
    expect(report.databases?.verification.withoutDatabase).toBeGreaterThan(0);
    const run = new MutantSet(out);
    const changed = run.records.filter(({ db_id, origin }) => db_id !== origin);
    for (const { db_id, origin } of changed) expect(run.fileOf(db_id) === null).toBe(origin === 'pottery_studio');
    expect((await mutate(inputFor(out, { databases, materialize: 'copy', limit: 1 }))).unusable).toHaveLength(1);
    for (const id of ['community_garden', 'planetarium']) rmSync(join(databases, id), { recursive: true });
    await expect(mutate({ ...inputFor(newFolder()), databases })).rejects.toThrow(InputFormatError);
  });
});
