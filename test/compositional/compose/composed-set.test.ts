import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { composeQuestions } from '../../../src/compositional/compose/compose.js';
import type { ComposedExample } from '../../../src/formats/artifacts/compositions.js';
import { FluencyModel } from '../../../src/fluency/fluency-model.js';
import { augment, type AugmentOutcome } from '../../../src/variants/augment/augment.js';
import { acceptedDecision } from '../../e2e/example-data.js';
import { GARDEN, GARDEN_QUESTIONS } from './garden.js';

const inExamples = (name: string): string => fileURLToPath(new URL(`../../../examples/${name}`, import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'composed-set-'));
const at = (...parts: string[]): string => join(scratch, ...parts);
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

interface IdRecord {
  readonly id: string;
  readonly question_id: number;
  readonly question: string;
  readonly query: string;
}
const records = (...file: string[]): readonly IdRecord[] => JSON.parse(readFileSync(at(...file), 'utf8')) as IdRecord[];

/** The examples with ids of their own, in a file whose name has the sign that ids of compositions have. */
function writeExamplesWithIds(): void {
  const examples = JSON.parse(readFileSync(inExamples('dev.json'), 'utf8')) as readonly object[];
  const own = examples.map((record, i) => ({ id: `q${i}`, question_id: i, ...record }));
  writeFileSync(at('with~ids.json'), JSON.stringify(own));
}

const common = { dataset: 'spider', databases: inExamples('database'), jobs: 1 } as const;
const parts = {
  source: {
    fingerprint: 'garden',
    minConfidence: 0,
    align: (examples: readonly { readonly id: string }[], { id }: { readonly id: string }) =>
      Promise.resolve({
        questions:
          id === GARDEN.id
            ? GARDEN_QUESTIONS.map((question, i) => ({ ...question, id: examples[i]?.id ?? question.id }))
            : [],
        leftOut: [],
      }),
  },
  hardnessOf: () => null,
  fluency: FluencyModel.open(),
};

let composed: readonly IdRecord[];
let augmented: AugmentOutcome;

beforeAll(async () => {
  writeExamplesWithIds();
  const examples = at('with~ids.json');
  await composeQuestions({ ...common, tables: inExamples('tables.json'), examples, out: at('composed') }, parts);
  composed = records('composed', 'examples.json');
  const of = { db_id: GARDEN.id, table: 'gardener', column: 'birth year', candidate: 'year of birth' };
  writeFileSync(at('candidates.jsonl'), `${JSON.stringify(acceptedDecision(of))}\n`);
  augmented = await augment({
    ...common,
    tables: at('composed', 'tables.json'),
    examples: at('composed', 'examples.json'),
    candidates: at('candidates.jsonl'),
    out: at('augmented'),
  });
}, 120_000);

describe('a composed set', () => {
  it('has ids of its own: a composition its name, where ids are numbers the next ones', () => {
    expect(composed.length).toBeGreaterThan(40);
    expect(new Set(composed.map(({ id }) => id)).size).toBe(composed.length);
    expect(new Set(composed.map(({ question_id }) => question_id)).size).toBe(composed.length);
    const lines = readFileSync(at('composed', 'compositions.jsonl'), 'utf8').trim().split('\n');
    const made = lines.map((line) => JSON.parse(line) as ComposedExample);
    expect(composed.length).toBe(30 + made.length);
    expect(made.every(({ source }) => source.startsWith('with~ids:'))).toBe(true);
  });

  it('is read by augment, whose golds all run and give the same', () => {
    expect(augmented.written.original).toBe(composed.length);
    expect(augmented.written.rpl).toBeGreaterThan(0);
    expect(augmented.verification).toMatchObject({ items: [] });
    const written = records('augmented', 'examples.json');
    expect(written.length).toBeGreaterThan(composed.length);
    expect(new Set(written.map(({ id }) => id)).size).toBe(written.length);
    expect(written.some(({ query }) => query.includes('year_of_birth'))).toBe(true);
  });
});
