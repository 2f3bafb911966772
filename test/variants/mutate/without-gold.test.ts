import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { renderMutateReport } from '../../../src/cli/mutate-lines.js';
import { ConfigError } from '../../../src/errors.js';
import type { DatasetFormat } from '../../../src/formats/dataset-formats.js';
import { loadDataset } from '../../../src/formats/load-dataset.js';
import { MutantSet } from '../../../src/variants/mutate/mutant-set.js';
import { mutate } from '../../../src/variants/mutate/mutate.js';
import type { MutateInput } from '../../../src/variants/mutate/mutate-options.js';
import { loadSeeds, type MutantRecord } from '../../../src/formats/artifacts/mutants.js';
import { NEEDS_GOLD } from '../../../src/variants/relations/relation.js';
import { KEEPING_IDS } from '../../../src/variants/relations/relations.js';
import { verifyMutateRun } from '../../../src/variants/verify/verify-mutants.js';
import { NOOP_HOST } from '../../../src/run/run-host.js';

const inExamples = (name: string): string => fileURLToPath(new URL(`../../../examples/${name}`, import.meta.url));
const newFolder = (): string => mkdtempSync(join(tmpdir(), 'without-gold-'));

const FREE = ['PI', 'PR', 'PS', 'OK', 'TS', 'FKR'] as const;
const READING = KEEPING_IDS.filter((id) => !FREE.some((free) => free === id));

type Row = Readonly<Record<string, unknown>>;

const ROWS = JSON.parse(readFileSync(inExamples('dev.json'), 'utf8')) as readonly Row[];

/** The examples without their gold, those that `isBare` names. */
function bareExamples(isBare: (index: number) => boolean = () => true): string {
  const file = join(newFolder(), 'dev.json');
  const rows = ROWS.map((row, i) => {
    const { db_id, question } = row;
    return isBare(i) ? { db_id, question } : row;
  });
  writeFileSync(file, JSON.stringify(rows));
  return file;
}

function inputFor(examples: string, more: Partial<MutateInput> = {}): MutateInput {
  return {
    tables: inExamples('tables.json'),
    examples,
    guard: false,
    limit: 3,
    out: join(newFolder(), 'run'),
    ...more,
  };
}

function mutantsOf({ out }: MutateInput): readonly MutantRecord[] {
  const lines = readFileSync(join(out, 'mutants.jsonl'), 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as MutantRecord);
}

const withoutQuery = (mutant: MutantRecord): MutantRecord => ({ ...mutant, query: null });

describe('questions without gold SQL', () => {
  test.each([1, 2])('give the mutants that they give with it, %i relations one after another', async (compose) => {
    const whole = inputFor(inExamples('dev.json'), { relations: FREE, compose });
    const bare = inputFor(bareExamples(), { relations: FREE, compose });
    await mutate(whole);
    await mutate(bare);
    expect(mutantsOf(bare).length).toBeGreaterThan(100);
    expect(mutantsOf(bare).map(withoutQuery)).toEqual(mutantsOf(whole).map(withoutQuery));
    expect(mutantsOf(bare).every(({ query }) => query === null)).toBe(true);
    expect(readFileSync(join(bare.out, 'tables.json'), 'utf8')).toBe(
      readFileSync(join(whole.out, 'tables.json'), 'utf8'),
    );
    // What consistency reads.
    expect(new MutantSet(bare.out).records).toEqual(mutantsOf(bare));
    expect([...loadSeeds(bare.out).values()].every(({ query }) => query === null)).toBe(true);
  });

  test('give those of questions whose gold can’t be read', async () => {
    const file = join(newFolder(), 'dev.json');
    writeFileSync(file, JSON.stringify(ROWS.map((row) => ({ ...row, query: 'SELEC nothing' }))));
    const [unreadable, bare] = [file, bareExamples()].map((examples) => inputFor(examples, { relations: FREE }));
    if (unreadable === undefined || bare === undefined) throw new Error('two inputs are expected');
    await mutate(unreadable);
    await mutate(bare);
    expect(mutantsOf(unreadable).map(withoutQuery)).toEqual(mutantsOf(bare).map(withoutQuery));
  });

  test('are counted by relation and by what it lacks', async () => {
    const input = inputFor(bareExamples(), { compose: 2 });
    const { report } = await mutate(input);
    expect(report).toMatchObject({ examples: ROWS.length, withoutGold: ROWS.length });
    for (const id of READING) {
      const { cases, notApplicable } = report.relations[id] ?? { cases: -1, notApplicable: {} };
      expect([id, cases]).toEqual([id, 0]);
      expect(Object.keys(notApplicable)).toEqual([
        expect.stringMatching(new RegExp(`^${NEEDS_GOLD}(?:which|whether|how)`)),
      ]);
      expect(Object.values(notApplicable)).toEqual([ROWS.length]);
    }
    for (const id of FREE) expect(report.relations[id]?.cases).toBeGreaterThan(0);
    const composed = mutantsOf(input).filter(({ relations }) => relations.length === 2);
    expect(composed.length).toBeGreaterThan(0);
    expect(composed.every(({ relations }) => relations.every((id) => FREE.some((free) => free === id)))).toBe(true);
    const lines = renderMutateReport(report).join('\n');
    expect(lines).toMatch(new RegExp(`CRm +${NEEDS_GOLD}which columns are unused +30`));
    expect(lines).toContain('30 of 30 examples have no gold query');
  });

  test('may stand next to others, which lose nothing', async () => {
    const relations = ['PI', 'SS', 'TS', 'CRm', 'FL'] as const;
    const whole = inputFor(inExamples('dev.json'), { relations });
    const mixed = inputFor(
      bareExamples((i) => i % 2 === 0),
      { relations },
    );
    await mutate(whole);
    const { report } = await mutate(mixed);
    expect(report.withoutGold).toBe(ROWS.length / 2);
    const isKept = ({ seed, relations: [id = ''] }: MutantRecord): boolean =>
      Number(seed.split(':')[1]) % 2 === 1 || id === 'PI' || id === 'TS';
    expect(mutantsOf(mixed).map(withoutQuery)).toEqual(mutantsOf(whole).filter(isKept).map(withoutQuery));
  });

  test('have databases, and nothing to execute there', async () => {
    const examples = bareExamples((i) => i > 3);
    const input = inputFor(examples, {
      relations: ['PI', 'TS', 'CRm'],
      limit: 1,
      materialize: 'copy',
      databases: inExamples('database'),
    });
    const { report } = await mutate(input);
    const without = mutantsOf(input).filter(({ query }) => query === null).length;
    expect(without).toBeGreaterThan(0);
    expect(report.databases?.verification).toMatchObject({ withoutGold: without, items: [] });
    expect(report.databases?.unwritten).toEqual([]);
    expect(await verifyMutateRun({ run: input.out }, NOOP_HOST)).toEqual(report.databases?.verification);
  });

  test('are in no training set', async () => {
    const input = inputFor(
      bareExamples((i) => i > 3),
      { relations: ['PI', 'TS'], limit: 1, asTraining: true },
    );
    await mutate(input);
    const trained = JSON.parse(readFileSync(join(input.out, 'examples.json'), 'utf8')) as readonly Row[];
    expect(trained).toHaveLength(4 + mutantsOf(input).filter(({ query }) => query !== null).length);
    await expect(mutate({ ...inputFor(bareExamples()), asTraining: true })).rejects.toThrow(ConfigError);
  });

  test('are given to a relation of one’s own that reads no gold, and to no other', async () => {
    const own = join(newFolder(), 'reading.mjs');
    const text = readFileSync(inExamples('polite-ending.mjs'), 'utf8');
    writeFileSync(own, text.replace("id: 'PE'", "id: 'PR2'").replace('  readsGoldFor: null,\n', ''));
    const relationFiles = [inExamples('polite-ending.mjs'), own];
    const { report } = await mutate(inputFor(bareExamples(), { relations: [], relationFiles }));
    expect(report.relations['PE']?.cases).toBe(ROWS.length);
    expect(report.relations['PR2']).toMatchObject({ cases: 0, notApplicable: { [`${NEEDS_GOLD}what it is`]: 30 } });
  });
});

describe('readers that are asked for questions without gold', () => {
  const ask = async (dataset: DatasetFormat, name: string, text: string): Promise<readonly string[]> => {
    const examples = join(newFolder(), name);
    writeFileSync(examples, text);
    const tables = dataset === 'sqlite' ? null : inExamples('tables.json');
    const paths = { dataset, tables, examples, databases: inExamples('database') };
    const read = await loadDataset({ ...paths, connection: null, withoutGold: true });
    return Array.from(read.examples(), ({ query }) => query);
  };
  const question = 'How many gardeners are there?';
  const row = { db_id: 'community_garden', question };

  test('keep what is missing, null or blank, and refuse what is no SQL', async () => {
    const records = [row, { ...row, query: null }, { ...row, query: ' ' }, { ...row, sql: { from: {} } }];
    expect(await ask('spider', 'dev.json', JSON.stringify([...records, { ...row, query: 7 }]))).toEqual([
      '',
      '',
      '',
      '',
    ]);
  });

  test('do so in every format whose gold is SQL', async () => {
    const bird = [
      { ...row, question_id: 1, SQL: '' },
      { ...row, question_id: 2 },
    ];
    expect(await ask('bird', 'dev.json', JSON.stringify(bird))).toEqual(['', '']);
    const turns = [{ utterance: question, query: 'SELECT 1' }, { utterance: question }];
    const interaction = [{ database_id: row.db_id, interaction: turns, final: null }];
    expect(await ask('sparc', 'dev.json', JSON.stringify(interaction))).toEqual(['SELECT 1', '']);
    expect(await ask('sqlite', 'questions.csv', `db_id,question\n${row.db_id},${question}\n`)).toEqual(['']);
    expect(await ask('sqlite', 'questions.jsonl', `${JSON.stringify({ ...row, query: null })}\n`)).toEqual(['']);
  });
});
