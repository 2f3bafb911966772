import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type ArmRuns, differencesTable, measuresTable, mutantsTable } from '../../bench/defense/defense-figures.js';
import { labeledDatabases, writeLabeled } from '../../bench/defense/labeled-file.js';
import { farNames, ownNames } from '../../bench/defense/own-names.js';
import { type Perturbation, QuestionPerturber } from '../../bench/defense/perturbed-questions.js';
import {
  type Counts,
  countsByQuestion,
  measuresOf,
  readOutcomes,
  type RunOutcomes,
  sumOf,
} from '../../bench/defense/run-outcomes.js';
import { columnAt, type Database } from '../../src/schema/schema.js';
import { acceptedDecision } from '../e2e/example-data.js';
import { BIRTH_YEAR, decision, example, GARDEN, HOME_COUNTRY } from '../variants/relations/names/garden-schema.js';

const ROOT = join(import.meta.dirname, '..', '..');
function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'defense-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('a labeled file has each schema once, and the database of each question', () => {
  const file = join(scratch(), 'labeled.json');
  const questions = [1, 2].map((i) => ({ question: `Which ${i}?`, database: { ...GARDEN }, gold: [BIRTH_YEAR] }));
  writeLabeled(file, questions);
  const { schemas, records } = JSON.parse(readFileSync(file, 'utf8')) as { schemas: unknown[]; records: unknown[] };
  expect(schemas).toEqual([
    [
      ['gardener', ['gardener id', 'home country', 'birth year']],
      ['plot', ['plot id', 'gardener id', 'soil type']],
    ],
  ]);
  expect(records[1]).toEqual({ question: 'Which 2?', database: 'garden', schema: 0, gold: [[0, 2]] });
  expect(labeledDatabases(file)).toEqual(['garden', 'garden']);
});

test.each([
  ['RPL', 'mentioned', [HOME_COUNTRY]],
  ['RPL', 'all', [HOME_COUNTRY, BIRTH_YEAR]],
  ['ADD', 'mentioned', [HOME_COUNTRY]],
  ['ADD', 'all', [HOME_COUNTRY, BIRTH_YEAR]],
] as const)('%s of %s columns keeps the gold on its columns', async (kind, columns, changed) => {
  const names = [HOME_COUNTRY, BIRTH_YEAR].map((ref) => decision(ref, `other ${ref.column}`, { bucket: kind }));
  const how: Perturbation = { kind, columns, seed: 1 };
  const one = example('SELECT home_country FROM gardener');
  const [asked] = await new QuestionPerturber(names).perturb([one], new Map([[GARDEN.id, GARDEN]]), how);
  const { database, gold } = asked!;
  const shown = database.tables[0]!.columns.map(({ name }) => name);
  expect(shown.filter((name) => name.startsWith('other')).sort()).toEqual(
    changed.map(({ column }) => `other ${column}`),
  );
  expect(gold.map((ref) => columnAt(database, ref).name)).toEqual([kind === 'RPL' ? 'other 1' : 'home country']);
});

test('our own lists name the columns of the tables that they are about, and no others', () => {
  const columns = ['actor id', 'first name', 'last name', 'last update'].map((name) => ({
    name,
    originalName: name.replace(' ', '_'),
    type: 'text' as const,
  }));
  const film: Database = { ...GARDEN, id: 'film', tables: [{ name: 'actor', originalName: 'actor', columns }] };
  const names = ownNames(ROOT, [film, GARDEN]);
  expect(names.length).toBeGreaterThan(10);
  expect(new Set(names.map(({ db_id }) => db_id))).toEqual(new Set(['film']));
  const ofLastName = (bucket: string): readonly string[] =>
    names.flatMap((name) => (name.column === 'last name' && name.bucket === bucket ? [name.candidate] : []));
  expect(ofLastName('RPL')).toContain('surname');
  expect(ofLastName('ADD')).toContain('maiden name');

  const far = farNames(names);
  expect(far.every(({ bucket }) => bucket === 'RPL')).toBe(true);
  const namesOf = (list: typeof names, of: string): readonly string[] =>
    list.flatMap(({ bucket, column, candidate }) => (bucket === 'RPL' && column === of ? [candidate] : []));
  expect(namesOf(names, 'last name')).toContain('family name');
  expect(namesOf(far, 'last name')).toContain('surname');
  expect(namesOf(far, 'last name').filter((name) => /\b(last|name)\b/.test(name))).toEqual([]);
});

test('far names are all names where each shares a word', () => {
  const named = (column: string, candidate: string) => acceptedDecision({ db_id: 'd', table: 't', column, candidate });
  const [id, number, town] = [named('city id', 'city code'), named('city id', 'city number'), named('city', 'town')];
  expect(farNames([id, number, town, named('city', 'home city')])).toEqual([id, number, town]);
});

const runOf = (counts: Readonly<Record<string, readonly Counts[]>>): NonNullable<ReturnType<typeof readOutcomes>> => {
  const folder = scratch();
  const outcomes = { cpu_seconds: 60, outcomes: counts };
  writeFileSync(join(folder, 'outcomes.json'), JSON.stringify(outcomes));
  return readOutcomes(folder, join(folder, 'training.json'))!;
};

const bySeed = (...runs: readonly RunOutcomes[]): ReadonlyMap<number, RunOutcomes> =>
  new Map(runs.map((run, i) => [i + 1, run]));

test('counts are summed over worlds and runs, by question', () => {
  const one = runOf({ 'rpl-1': [[1, 0, 1]], 'rpl-2': [[2, 1, 0]] });
  const files = ['tests/rpl-1.json', 'tests/rpl-2.json'];
  expect(countsByQuestion([one, one], files)).toEqual([[6, 2, 2]]);
  expect(
    measuresOf(
      sumOf([
        [1, 1, 0],
        [2, 0, 3],
      ]),
    ),
  ).toEqual({ precision: 75, recall: 50, f1: 60 });
});

test('a run has found nothing where what it learned from was made again since', () => {
  const folder = scratch();
  const [outcomes, training] = ['outcomes.json', 'training.json'].map((name) => join(folder, name)) as [string, string];
  expect(readOutcomes(folder, training)).toBeNull();
  writeFileSync(outcomes, JSON.stringify({ outcomes: {} }));
  writeFileSync(training, '');
  utimesSync(training, 1, 1);
  expect(readOutcomes(folder, training)).toEqual({ cpu_seconds: 0, outcomes: {} });
  utimesSync(outcomes, 0, 0);
  expect(readOutcomes(folder, training)).toBeNull();
});

test('an arm that is right more often differs by more than nothing, the same arm by nothing', () => {
  const databases = Array.from({ length: 40 }, (_, i) => `db${i % 8}`);
  const counts = (missed: number): readonly Counts[] => databases.map((_, i) => [2, i % 2, missed]);
  const runs: ArmRuns = new Map([
    ['original', bySeed(runOf({ dev: counts(2) }))],
    ['w2v', bySeed(runOf({ dev: counts(2) }))],
    ['cta', bySeed(runOf({ dev: counts(0) }))],
  ]);
  const sets = { dev: { files: ['tests/dev.json'], databases } };
  const { rows } = differencesTable(runs, sets);
  expect(rows['w2v-original-dev']).toMatchObject({ difference: 0, byQuestion: '0.0 to 0.0', byDatabase: '0.0 to 0.0' });
  const better = rows['cta-w2v-dev'];
  expect(better).toMatchObject({ arms: 'cta − w2v', set: 'dev' });
  expect(better!['difference']).toBeCloseTo(measuresOf([80, 20, 0]).f1 - measuresOf([80, 20, 80]).f1, 6);
  expect(Number.parseFloat(String(better!['byQuestion']))).toBeGreaterThan(0);
  expect(measuresTable(runs, sets, 200).rows['cta-dev']).toMatchObject({
    precision: 80,
    recall: 100,
    seeds: 1,
    minutes: 1,
  });
});

test('arms are compared by the seeds that both have', () => {
  const counts = (missed: number): readonly Counts[] => [[2, 0, missed]];
  const [right, wrong] = [runOf({ dev: counts(0) }), runOf({ dev: counts(2) })];
  const runs: ArmRuns = new Map([
    ['original', bySeed(wrong, right)],
    ['cta', bySeed(right)],
    ['random', new Map([[3, right]])],
  ]);
  const { rows } = differencesTable(runs, { dev: { files: ['tests/dev.json'], databases: ['db'] } });
  expect(rows['cta-original-dev']).toMatchObject({ seeds: 1, difference: 100 - measuresOf([2, 0, 2]).f1 });
  expect(rows['random-original-dev']).toBeUndefined();
});

type Count = RunOutcomes['outcomes'][string][number];

test('an error on a mutant is one that its question is linked without', () => {
  const seeds = join(scratch(), 'held-out.json');
  const questions = [1, 2, 3].map((i) => ({ question: `Which ${i}?`, database: GARDEN, gold: [BIRTH_YEAR] }));
  writeLabeled(seeds, questions);
  const [right, wrong, missed] = [[1, 0, 0] as Count, [1, 1, 0] as Count, [0, 0, 1] as Count];
  const keys = [0, 0, 1, 2].map((seed, i) => ({ relation: i === 1 ? 'PI' : 'CRm', seed }));
  const ofMutants = (mutants: Count[]): ReadonlyMap<number, RunOutcomes> =>
    bySeed({ cpu_seconds: 1, outcomes: { 'held-out': [right, missed, right], mutants } });
  const runs: ArmRuns = new Map([
    ['original', ofMutants([wrong, right, wrong, missed])],
    ['mutants', ofMutants([right, right, wrong, missed])],
    // This arm is not asked mutants.
    ['cta', bySeed({ cpu_seconds: 1, outcomes: { 'held-out': [right, missed, right] } })],
  ]);
  const { rows } = mutantsTable(runs, { file: 'mutants.json', seeds, keys }, 'defense-mutants');
  // The second question is not linked right as it is, so its mutant says nothing.
  expect(rows['original']).toMatchObject({ model: 'schema linker', CRm: 100, PI: 0, change: null });
  expect(rows['original']!['All']).toBeCloseTo(66.7, 1);
  expect(rows['adaptive']).toMatchObject({ CRm: 50, PI: 0, change: -50 });
  expect(rows['cta']).toBeUndefined();
});
