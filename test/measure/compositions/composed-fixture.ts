import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { ComposedExample } from '../../../src/formats/artifacts/compositions.js';
import { renderSpiderTables } from '../../../src/formats/spider-tables.js';
import { mustGet } from '../../../src/present.js';
import { readAnswer, type Victim, type VictimAnswer, type VictimQuestion } from '../../../src/victims/victim.js';
import { EXAMPLES } from '../../variants/relations/cases.js';

const inExamples = (name: string): string => fileURLToPath(new URL(`../../../examples/${name}`, import.meta.url));

export const PATHS = {
  tables: inExamples('tables.json'),
  examples: inExamples('dev.json'),
  databases: inExamples('database'),
} as const;

/** A folder that goes with the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'perturbql-recomposition-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const ELEMENT = { id: 'dev:0#1', text: 'are volunteers', frame: 'that', noun: 'gardeners' } as const;
const GARDEN = {
  depth: 1,
  db_id: 'community_garden',
  connective: null,
  elements: [ELEMENT, ELEMENT],
  pieces: [],
  segments: [],
  template: '0',
} as const;
const VOLUNTEERS = 'SELECT count(*) FROM gardener WHERE is_volunteer = 1';

/** Four compositions of five questions, the last of a composition. */
export const COMPOSITIONS: readonly ComposedExample[] = [
  {
    ...GARDEN,
    id: 'dev:0~SUB(dev:9)',
    kind: 'SUB',
    parents: ['dev:0', 'dev:9'],
    source: 'dev:0',
    hardness: 'easy',
    question: 'How many gardeners are volunteers?',
    query: VOLUNTEERS,
  },
  {
    ...GARDEN,
    id: 'dev:0~AND(dev:9)',
    kind: 'APP',
    parents: ['dev:0', 'dev:9'],
    source: 'dev:0',
    hardness: 'medium',
    question: 'How many gardeners come from Portugal and are volunteers?',
    query: "SELECT count(*) FROM gardener WHERE home_country = 'Portugal' AND is_volunteer = 1",
  },
  {
    ...GARDEN,
    id: 'dev:1~AND(dev:6)',
    kind: 'APP',
    parents: ['dev:1', 'dev:6'],
    source: 'dev:1',
    hardness: 'extra',
    question: 'List the common names of the plants that mature in fewer than 80 days and have never been harvested.',
    query:
      'SELECT common_name FROM plant WHERE days_to_maturity < 80 AND plant_id NOT IN (SELECT plant_id FROM harvest)',
  },
  {
    ...GARDEN,
    id: 'dev:0~SUB(dev:9)~OR(dev:7)',
    kind: 'APP',
    depth: 2,
    source: 'dev:0',
    hardness: 'medium',
    parents: ['dev:0~SUB(dev:9)', 'dev:7'],
    question: 'How many gardeners are volunteers or were born before 1970?',
    query: 'SELECT count(*) FROM gardener WHERE is_volunteer = 1 OR birth_year < 1970',
  },
];

/** A query that is no question's gold. */
export const WRONG = 'SELECT full_name FROM gardener';

const GOLD = new Map([
  ...[...EXAMPLES.examples()].map(({ id, query }) => [id, query] as const),
  ...COMPOSITIONS.map(({ id, query }) => [id, query] as const),
]);

/** What is right for a question of a run; of an attack, on original tables. */
export function goldOf(questionId: string): string {
  return mustGet(GOLD.get(questionId.replace(/~original$/, '')), questionId);
}

/** Writes a run as `perturbql compose` does. */
export function writeComposed(
  folder: string,
  {
    compositions = COMPOSITIONS,
    manifest = {},
  }: { readonly compositions?: readonly object[]; readonly manifest?: object } = {},
): string {
  mkdirSync(folder, { recursive: true });
  const run = { command: 'compose', version: '0', seed: 0, settings: {}, inputs: {}, complete: true, ...manifest };
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  const lines = (records: readonly object[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join('');
  const originals = [...EXAMPLES.examples()];
  write('run.json', JSON.stringify(run));
  write('compositions.jsonl', lines(compositions));
  write('tables.json', JSON.stringify([...EXAMPLES.databases.values()].map(renderSpiderTables)));
  write(
    'examples.json',
    JSON.stringify(originals.map(({ dbId, question, query }) => ({ db_id: dbId, question, query }))),
  );
  const provenance = originals.map(({ id, dbId }, index) => {
    return { index, source: id, db_id: dbId, original_db_id: dbId, kind: 'original', changes: [], edits: [] };
  });
  write('provenance.jsonl', lines(provenance));
  return folder;
}

/** A model that is right but where it is told otherwise, by question id, and remembers what it was asked. */
export class ScriptedVictim implements Victim {
  readonly id = 'scripted';
  readonly fingerprint = 'scripted-1';
  readonly concurrency = 1;
  readonly asked: VictimQuestion[] = [];
  readonly #answers: Readonly<Record<string, string | VictimAnswer>>;

  constructor(answers: Readonly<Record<string, string | VictimAnswer>> = {}) {
    this.#answers = answers;
  }

  async answer(question: VictimQuestion): Promise<VictimAnswer> {
    this.asked.push(question);
    const said = this.#answers[question.id] ?? goldOf(question.id);
    return typeof said === 'string' ? readAnswer(question.id, said) : said;
  }
}
