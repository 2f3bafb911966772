import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { InputFormatError } from '../../../src/errors.js';
import { rejectionOf } from '../../error-of.js';
import type { AlignedSource } from '../../../src/compositional/compose/aligned-source.js';
import { composeQuestions, previewCompositions, sampleByHardness } from '../../../src/compositional/compose/compose.js';
import type { ComposedExample } from '../../../src/formats/artifacts/compositions.js';
import type { ComposeInput } from '../../../src/compositional/compose/compose-options.js';
import { splitByTemplate } from '../../../src/compositional/compose/compose-output.js';
import { FluencyModel } from '../../../src/fluency/fluency-model.js';
import { NOOP_HOST, type RunHost } from '../../../src/run/run-host.js';
import { GARDEN, GARDEN_QUESTIONS } from './garden.js';

const inExamples = (name: string): string => fileURLToPath(new URL(`../../../examples/${name}`, import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'compose-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Our questions of the garden, called after the examples that the data set has there. */
const SOURCE: AlignedSource = {
  fingerprint: 'garden',
  minConfidence: 0,
  align: (examples, database) =>
    Promise.resolve({
      questions:
        database.id === GARDEN.id
          ? GARDEN_QUESTIONS.map((question, i) => ({ ...question, id: examples[i]?.id ?? question.id }))
          : [],
      leftOut: [],
    }),
};
const PARTS = {
  source: SOURCE,
  hardnessOf: (sql: string) => (sql.includes('JOIN') ? 'hard' : 'easy'),
  fluency: FluencyModel.open(),
};
const inputOf = (name: string, more: Partial<ComposeInput> = {}): ComposeInput => ({
  dataset: 'spider',
  tables: inExamples('tables.json'),
  examples: inExamples('dev.json'),
  databases: inExamples('database'),
  out: join(scratch, name),
  jobs: 1,
  ...more,
});
const read = (name: string, file: string): string => readFileSync(join(scratch, name, file), 'utf8');
const compositions = (name: string): readonly ComposedExample[] =>
  read(name, 'compositions.jsonl')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ComposedExample);

describe('databases that hold nothing', () => {
  it('end the run where all are so, and are named where others can be used', async () => {
    const databases = join(scratch, 'databases');
    cpSync(inExamples('database'), databases, { recursive: true });
    for (const id of ['community_garden', 'planetarium']) writeFileSync(join(databases, id, `${id}.sqlite`), '');
    const { unusable } = await composeQuestions(inputOf('some', { databases }), PARTS);
    expect(unusable.map(({ id, reason }) => [id, reason])).toEqual([
      ['community_garden', 'the database file is empty'],
      ['planetarium', 'the database file is empty'],
    ]);
    writeFileSync(join(databases, 'pottery_studio', 'pottery_studio.sqlite'), 'no database, but as long as one begins');
    const error = await rejectionOf(InputFormatError, () => composeQuestions(inputOf('none', { databases }), PARTS));
    expect(error.where?.file).toMatch(/community_garden\.sqlite$/);
    expect((await composeQuestions(inputOf('unread', { databases, verify: false }), PARTS)).unusable).toEqual([]);
  });
});

describe('composeQuestions', () => {
  it('tells reading its inputs as a step before all others, of a preview, too', async () => {
    const stepsOf = async (work: (host: RunHost) => Promise<unknown>): Promise<readonly string[]> => {
      const steps: string[] = [];
      await work({ ...NOOP_HOST, progress: (step) => void steps.push(step) });
      return [...new Set(steps)];
    };
    const both = await Promise.all([
      stepsOf((host) => composeQuestions(inputOf('read'), PARTS, host)),
      stepsOf((host) => previewCompositions(inputOf('read-only'), PARTS, null, host)),
    ]);
    for (const [first, second] of both) expect([first, second]).toEqual(['reading inputs', 'databases composed']);
  });

  it('leaves out what a language model that is asked finds that nobody would ask, and counts it', async () => {
    await composeQuestions(inputOf('unasked'), PARTS);
    const all = compositions('unasked');
    const asked = {
      fingerprint: 'asked',
      isFluent: (_id: string, question: string) => Promise.resolve(question.length % 2 === 0),
      describe: () => '',
      dispose: () => Promise.resolve(),
    };
    const { report } = await composeQuestions(inputOf('asked'), { ...PARTS, asked });
    const kept = all.filter(({ question }) => question.length % 2 === 0);
    expect(kept.length).toBeLessThan(all.length);
    expect(compositions('asked').map(({ question }) => question)).toEqual(kept.map(({ question }) => question));
    const rule = report.rules.find(({ id }) => id === 'asked-fluent');
    expect(rule?.refused).toBe(all.length - kept.length);
  });

  it('composes of no question whose gold query is distrusted, unless it is told to', async () => {
    const distrust = (): Promise<ReadonlyMap<string, string>> => Promise.resolve(new Map([['dev:0', 'bare-column']]));
    await composeQuestions(inputOf('trusting'), PARTS);
    await composeQuestions(inputOf('told'), { ...PARTS, distrust });
    await composeQuestions(inputOf('distrusted', { distrusted: true }), { ...PARTS, distrust });
    const of = (name: string): readonly string[] => compositions(name).map(({ id }) => id);
    expect(of('trusting').some((id) => id.includes('dev:0'))).toBe(true);
    expect(of('told').some((id) => /dev:0(?!\d)/.test(id))).toBe(false);
    expect(of('distrusted')).toEqual(of('trusting'));
    const report = JSON.parse(read('told', 'report.json')) as { leftOut: readonly unknown[] };
    expect(report.leftOut).toContainEqual({
      reason: 'its gold query is distrusted: bare-column',
      count: 1,
      ids: ['dev:0'],
    });
  });

  it('previews how often a language model would be asked and at what price, asks nothing, and begins no run', async () => {
    const questions: string[] = [];
    const asked = {
      fingerprint: 'asked',
      isFluent: (_id: string, question: string) => Promise.resolve(questions.push(question) > 0),
      describe: () => '',
      dispose: () => Promise.resolve(),
    };
    const choice = {
      endpoint: { baseUrl: 'http://127.0.0.1:9/v1', model: 'm' },
      prompt: null,
      prices: { prompt: 1000, answer: 2000 },
    };
    const [sizes, most, cost] = await previewCompositions(inputOf('previewed'), { ...PARTS, asked }, choice);
    expect(questions).toEqual([]);
    expect(existsSync(join(scratch, 'previewed'))).toBe(false);
    await composeQuestions(inputOf('asked-all'), { ...PARTS, asked });
    const calls = questions.length;
    expect(calls).toBeGreaterThan(8);
    expect(sizes).toBe('30 examples on 3 databases');
    expect(most).toBe(`at most ${calls} composed questions`);
    expect(cost).toMatch(new RegExp(`asked ${calls} times at most, about [\\d,]+ tokens .* price of about \\d`));
    const [, some, nobody] = await previewCompositions(inputOf('previewed', { budget: 3 }), PARTS, null);
    expect([some, nobody]).toEqual([`${most}, of which 3 are kept`, undefined]);
  });

  it('writes a data set of augment’s shape whose golds were executed, the same again', async () => {
    const { report, fresh } = await composeQuestions(inputOf('a'), PARTS);
    expect(fresh).toBe(true);
    expect(report.executed).toBe(true);
    expect(report.written.SUB.total).toBeGreaterThan(5);
    expect(report.written.APP.total).toBeGreaterThan(3);
    const examples = JSON.parse(read('a', 'examples.json')) as readonly { readonly question: string }[];
    const provenance = read('a', 'provenance.jsonl').trim().split('\n');
    expect(provenance.length).toBe(examples.length);
    expect(read('a', 'gold.sql').trim().split('\n').length).toBe(examples.length);
    const composed = compositions('a');
    expect(examples.length).toBe(30 + composed.length);
    for (const { pieces, question, segments } of composed) {
      expect(pieces.map(({ text }) => text).join('')).toBe(question);
      expect(segments.map(({ text }) => text).join('')).toBe(question);
    }
    expect(read('a', 'report.html')).toContain('<mark class="second"');
    expect(report.samples.every(({ rows }) => rows !== undefined && rows.composed.count > 0)).toBe(true);
    expect(report.samples.some(({ rows }) => (rows?.parent.differing.length ?? 0) > 0)).toBe(true);
    // What a process leaves that was killed.
    const remains = join(scratch, 'b/.scratch/1/other-rows');
    mkdirSync(remains, { recursive: true });
    writeFileSync(join(remains, '0.sqlite.tmp'), 'half');
    await composeQuestions(inputOf('b'), PARTS);
    expect(readdirSync(join(scratch, 'b'))).toEqual(readdirSync(join(scratch, 'a')));
    for (const file of ['examples.json', 'provenance.jsonl', 'compositions.jsonl', 'report.json', 'report.html']) {
      expect(read('b', file)).toBe(read('a', file));
    }
    const again = await composeQuestions(inputOf('a'), PARTS);
    expect(again.fresh).toBe(false);
    expect(JSON.parse(read('a', 'report.json'))).toEqual(again.report);
  });

  it('leaves out what is empty, or changes nothing, unless it is told to keep it', async () => {
    const { report } = await composeQuestions(inputOf('kept', { allowEmpty: true }), PARTS);
    const executed = compositions('a');
    expect(report.made).toBeGreaterThanOrEqual(executed.length);
    const { report: unverified } = await composeQuestions(inputOf('unverified', { verify: false }), PARTS);
    expect(JSON.parse(read('unverified', 'report.json'))).not.toHaveProperty('samples.0.rows');
    const ids = compositions('unverified').map(({ id }) => id);
    const kept = new Set(executed.map(({ id }) => id));
    expect(ids.some((id) => !kept.has(id))).toBe(true);
    // Only rows show that a join repeats none of them.
    const byRows = executed.filter(({ id }) => !ids.includes(id));
    expect(byRows.every(({ query }) => /^SELECT (?!DISTINCT).* JOIN /.test(query))).toBe(true);
    expect(unverified.rules.find(({ id }) => id === 'rows-once')?.refused).toBeGreaterThanOrEqual(byRows.length);
  });

  it('appends to substitutions at depth 2', async () => {
    const { report } = await composeQuestions(inputOf('deep', { depth: 2, verify: false }), PARTS);
    expect(report.written.APP.deep).toBeGreaterThan(0);
    const [deep] = compositions('deep').filter(({ depth }) => depth === 2);
    expect(deep?.parents[0]).toMatch(/~SUB\(/);
    expect(deep?.kind).toBe('APP');
  });

  it('says why nothing was composed', async () => {
    const source: AlignedSource = { ...SOURCE, align: () => Promise.resolve({ questions: [], leftOut: [] }) };
    const { report } = await composeQuestions(inputOf('none'), { ...PARTS, source });
    expect(report.made).toBe(0);
    expect(report.warnings.join()).toContain('nothing was composed: no question ends in');
    expect(JSON.parse(read('none', 'examples.json'))).toHaveLength(30);
  });

  it('counts what each rule refused by kind', async () => {
    const { report } = await composeQuestions(inputOf('counted', { verify: false }), PARTS);
    for (const kind of ['SUB', 'APP'] as const) {
      const refused = report.rules.reduce((sum, { refusedByKind }) => sum + refusedByKind[kind], 0);
      expect(report.draftsByKind[kind] - refused).toBe(report.written[kind].total);
    }
  });

  it('refuses a depth that it has not', async () => {
    await expect(composeQuestions(inputOf('c', { depth: 3 }), PARTS)).rejects.toMatchObject({ code: 'CONFIG' });
  });
});

const example = (id: number, hardness: string, template: string): ComposedExample =>
  ({ id: String(id), hardness, template }) as ComposedExample;
const SET = Array.from({ length: 100 }, (_, i) => example(i, i % 4 === 0 ? 'easy' : 'hard', `t${i % 10}`));

describe('budgets', () => {
  it('follow parts of hardness as far as there are questions', () => {
    const shares = { easy: 1, hard: 1 };
    const kept = sampleByHardness(SET, { budget: null, shares, seed: 1 });
    expect(kept.filter(({ hardness }) => hardness === 'easy').length).toBe(25);
    expect(kept.length).toBe(50);
    expect(sampleByHardness(SET, { budget: 20, shares, seed: 1 }).length).toBe(20);
    expect(sampleByHardness(SET, { budget: 20, shares: null, seed: 1 }).length).toBe(20);
  });

  it('draw the same for the same seed', () => {
    const draw = (seed: number) => sampleByHardness(SET, { budget: 20, shares: null, seed });
    expect(draw(1)).toEqual(draw(1));
    expect(draw(1)).not.toEqual(draw(2));
  });
});

describe('splits by template', () => {
  it('share no template, and test none of the originals’', () => {
    const { train, test } = splitByTemplate(SET, new Set(['t0']), { testShare: 0.3, seed: 1 });
    expect(test.length).toBe(30);
    const trained = new Set(train.map(({ template }) => template));
    expect(test.some(({ template }) => trained.has(template) || template === 't0')).toBe(false);
    expect(train.length + test.length).toBe(SET.length);
  });
});
