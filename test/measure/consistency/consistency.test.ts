import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failedAnswer } from '../../../src/victims/victim.js';
import { ConfigError, InputFormatError, RunFolderError } from '../../../src/errors.js';
import { consistency, previewConsistency } from '../../../src/measure/consistency/consistency.js';
import { consistencyReport, type ConsistencyReport } from '../../../src/measure/consistency/consistency-report.js';
import { consistencyLines, consistencyDocument } from '../../../src/measure/consistency/report/consistency-document.js';
import { renderDocument } from '../../../src/report/document/render-document.js';
import { startServer } from '../../chat/misbehaving-server.js';
import {
  FLAT_PLOTS,
  goldOf,
  inputOf,
  MUTANTS,
  PATHS,
  ScriptedVictim,
  temporaryFolder,
  writeMutants,
} from './mutants-fixture.js';
import { syntheticConsistency } from './synthetic-consistency.js';

const NAMES = 'SELECT full_name FROM gardener';

/** Mutants and changed predictions by relation. */
function counts({ relations }: ConsistencyReport): Record<string, readonly [number, number]> {
  return Object.fromEntries(
    Object.entries(relations).map(([relation, { cases, inconsistent }]) => [relation, [cases, inconsistent]]),
  );
}

const run = async (answers: Readonly<Record<string, string | null>>, more = {}): Promise<ConsistencyReport> => {
  const victim = new ScriptedVictim(({ id }) => answers[id]);
  return (await consistency(inputOf(victim, more))).report;
};

describe('a model that queries the databases of seeds and mutants', () => {
  it('sees the tables of each, and what it executed is in the report', async () => {
    const server = await startServer();
    server.otherwise = (_, { body }) => (body.messages.length > 1 ? 'ok' : 'call');
    server.words = ({ body: { messages } }) => {
      if (messages.length > 1) return `SELECT '${messages.at(-1)!.content.replaceAll("'", "''")}'`;
      const sql = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1";
      const called = { name: 'execute_sql', arguments: JSON.stringify({ sql }) };
      return JSON.stringify([{ id: 'c', type: 'function', function: called }]);
    };
    const template = { system: null, user: '{question} {schema}' };
    const settings = { baseUrl: server.baseUrl, model: 'm', template, sendValues: true };
    const executions = { count: 1, bytes: 999, timeoutMs: 20_000 };
    const input = inputOf(new ScriptedVictim(), { victim: { kind: 'endpoint', settings, executions } });
    expect(await previewConsistency(input)).toContainEqual(
      expect.stringMatching(/^at most \d+ queries before answers: 1 a question/),
    );
    const { report, open } = await consistency(input);
    const { questions } = report.usage;
    expect(open).toBe(0);
    expect(report.usage.executions).toMatchObject({ answers: questions, count: { total: questions, mean: 1, max: 1 } });
    expect(consistencyLines(report).join('\n')).toContain('executed before an answer: 1.0 queries (at most 1)');
    const answers = readFileSync(join(input.out, 'answers.jsonl'), 'utf8');
    expect(answers).toMatch(/"dev:3~FL\.0".*\[\\"plot\\"\]/);
  });
});

describe('a model that is right on seeds and mutants', () => {
  it('has a rate of 0 for every relation, and is right by either metric', async () => {
    const input = inputOf(new ScriptedVictim());
    const { report, open, fresh } = await consistency(input);
    expect({ open, fresh }).toEqual({ open: 0, fresh: true });
    expect(counts(report)).toEqual({
      PI: [2, 0],
      PS: [1, 0],
      FL: [1, 0],
      TS: [1, 0],
      CRm: [1, 0],
      composed: [1, 0],
    });
    expect(Object.keys(report.relations)).toEqual(['PI', 'PS', 'FL', 'TS', 'CRm', 'composed']);
    expect(report.all).toMatchObject({ cases: 7, seeds: 3, judged: 7, inconsistent: 0, rate: 0, open: 0 });
    expect(report.all.by).toEqual({
      exact: { judged: 7, inconsistent: 0, rate: 0 },
      execution: { judged: 7, inconsistent: 0, rate: 0 },
    });
    for (const metric of ['exact', 'execution'] as const) {
      expect(report.all.accuracy[metric]).toEqual({ cases: 7, seeds: 1, mutants: 1, broken: 0, mended: 0 });
    }
    expect(report.accuracy).toEqual({ exact: 1, execution: 1 });
    expect(report.mutants).toMatchObject({ cases: 7, schemas: 3 });
    expect(report.clusters).toEqual([]);
    // Three seeds without a failure leave room for 3/3.
    expect(report.all.interval).toMatchObject({ mean: 0, low: null, high: null });
    expect(report.warnings).toEqual([]);
    expect(consistencyReport.parse(JSON.parse(readFileSync(join(input.out, 'report.json'), 'utf8')))).toEqual(report);
    expect(readFileSync(join(input.out, 'report.html'), 'utf8')).toContain('<!doctype html>');
    expect(readFileSync(join(input.out, 'cases.jsonl'), 'utf8').trim().split('\n')).toHaveLength(7);
    expect(existsSync(join(input.out, '.scratch'))).toBe(false);
  });

  it('is asked all seeds first, then each mutant once, on its own tables with sample values', async () => {
    const victim = new ScriptedVictim();
    await consistency(inputOf(victim));
    const ids = victim.asked.map(({ id }) => id);
    expect(ids.slice(0, 3)).toEqual(['dev:0', 'dev:3', 'dev:12']);
    expect([...ids.slice(3)].sort()).toEqual(MUTANTS.map(({ id }) => id).sort());
    const removed = victim.asked.find(({ id }) => id === 'dev:0~CRm.0')!;
    expect(removed.schema.tables[0]!.columns.map(({ name }) => name)).not.toContain('birth year');
    expect(removed.samples![0]![2]!.length).toBeGreaterThan(0);
    expect(removed.databaseFile).toContain('garden_without_year.sqlite');
  });
});

describe('a model that is wrong in known ways', () => {
  it('counts predictions that changed, by relation', async () => {
    const report = await run({ 'dev:0~PI.1': NAMES, 'dev:12~TS.0': 'SELECT FullName FROM Potter LIMIT 3' });
    expect(counts(report)).toMatchObject({ PI: [2, 1], PS: [1, 0], FL: [1, 0], TS: [1, 1], CRm: [1, 0] });
    expect(report.relations['PI']).toMatchObject({ rate: 0.5, seeds: 1 });
    expect(report.all.rate).toBeCloseTo(2 / 7, 12);
    expect(report.all.accuracy.exact).toMatchObject({ seeds: 1, mutants: 5 / 7, broken: 2, mended: 0 });
    // Three seeds are too few to say how far it may be off.
    expect(report.all.interval).toMatchObject({ mean: report.all.rate, low: null, high: null });
  });

  it('takes a model that is wrong everywhere in the same way for consistent, and says apart that it is wrong', async () => {
    const wrong = Object.fromEntries(MUTANTS.filter(({ seed }) => seed === 'dev:0').map(({ id }) => [id, NAMES]));
    const report = await run({ ...wrong, 'dev:0': NAMES });
    expect(report.all.inconsistent).toBe(0);
    expect(report.relations['PI']!.accuracy.exact).toEqual({ cases: 2, seeds: 0, mutants: 0, broken: 0, mended: 0 });
    expect(report.accuracy.exact).toBeCloseTo(2 / 3, 12);
  });

  it('tells a prediction that needs a removed column from one that does not', async () => {
    const years = 'SELECT birth_year FROM gardener';
    const report = await run({ 'dev:0': years, 'dev:0~CRm.0': NAMES });
    expect(report.relations['CRm']).toMatchObject({ inconsistent: 1, rate: 1 });
  });

  it('asks for the same result, not the same query, where the gold was rewritten', async () => {
    const other = "SELECT plot_name , plot_area FROM plot WHERE join_date >= '2019-01-02'";
    const report = await run({ 'dev:3~FL.0': other });
    const { by, inconsistent } = report.relations['FL']!;
    expect(inconsistent).toBe(0);
    expect(by).toEqual({
      exact: { judged: 1, inconsistent: 1, rate: 1 },
      execution: { judged: 1, inconsistent: 0, rate: 0 },
    });
  });

  it('says nothing by exact match of a wrong prediction that can’t be rewritten', async () => {
    const joined = 'SELECT T1.full_name FROM gardener AS T1 JOIN plot AS T2 ON T1.gardener_id = T2.gardener_id';
    const report = await run({ 'dev:3': joined, 'dev:3~FL.0': FLAT_PLOTS, 'dev:3~PS.0': joined });
    expect(report.relations['FL']!.by).toEqual({
      exact: { judged: 0, inconsistent: 0, rate: null },
      execution: { judged: 1, inconsistent: 1, rate: 1 },
    });
    expect(report.relations['FL']!.accuracy.exact).toMatchObject({ broken: 0, mended: 1 });
  });

  it('compares literals only where it is told to', async () => {
    const spain = { 'dev:0~PI.0': "SELECT count(*) FROM gardener WHERE home_country = 'Spain'" };
    expect((await run(spain)).relations['PI']!.inconsistent).toBe(0);
    const compared = await run(spain, { values: 'compared' });
    expect(compared.relations['PI']!.inconsistent).toBe(1);
    expect(compared.clusters[0]!.changes).toEqual(['values']);
  });

  it('takes no SQL on both sides for the same, on one side for a change', async () => {
    const report = await run({ 'dev:0': null, 'dev:0~PI.0': null });
    expect(counts(report)).toMatchObject({ PI: [2, 1], CRm: [1, 1] });
    expect(report.usage.failures).toEqual({ empty: 2 });
    expect(report.clusters.map(({ changes }) => changes)).toContainEqual(['SQL added']);
  });

  it('breaks rates down by what the gold has', async () => {
    const report = await run({ 'dev:0~PI.1': NAMES });
    const cell = report.features.find(({ relation, key }) => relation === 'PI' && key === 'aggregate');
    expect(cell).toEqual({ relation: 'PI', key: 'aggregate', cases: 2, judged: 2, inconsistent: 1, rate: 0.5 });
    expect(report.features.filter(({ relation }) => relation === 'FL').map(({ key }) => key)).toEqual([
      'JOIN',
      'one WHERE condition',
    ]);
    expect(report.hardness.find(({ relation }) => relation === 'PI')).toMatchObject({ key: 'easy', rate: 0.5 });
    expect(report.capabilities.find(({ id }) => id === 'question form')).toEqual({
      id: 'question form',
      rate: 0.25,
      relations: ['PI', 'PS'],
    });
  });

  it('prints a line per relation', async () => {
    const lines = consistencyLines(await run({ 'dev:0~PI.1': NAMES }));
    expect(lines[0]).toBe(
      'Putting a phrase in front of the question changes 1 of 2 answers; 5 of 6 relations change none',
    );
    expect(lines.find((line) => line.startsWith('PI'))).toMatch(
      /^PI \(Prefix Insertion\) +1 \(of 2\) +50\.0% \(fewer than 5 questions: no interval\) +50\.0% +50\.0% /,
    );
    expect(lines).toContain('1 kind of failure: see report.html');
  });

  it('says on the page what intervals are drawn over', async () => {
    const textOf = (report: ConsistencyReport): string =>
      renderDocument(consistencyDocument(report)).replaceAll(/\s+/g, ' ');
    expect(textOf(syntheticConsistency({ rate: 0.1 }))).toContain(
      'by bootstrap over questions, all mutants of one together',
    );
    expect(textOf(await run({ 'dev:0~PI.1': NAMES }))).toContain('fewer than 5 questions: no interval');
  });
});

describe('clusters of failures', () => {
  it('hold failures of a relation with the same change, and show the smallest', async () => {
    const report = await run({ 'dev:0~PI.0': NAMES, 'dev:0~PI.1': NAMES });
    expect(report.clusters).toHaveLength(1);
    const [{ relation, failures, seeds, changes, errorType: type, example }] = report.clusters as [
      ConsistencyReport['clusters'][number],
    ];
    expect({ relation, failures, seeds, type }).toEqual({
      relation: 'PI',
      failures: 2,
      seeds: 1,
      type: 'aggregate function',
    });
    expect(changes).toEqual(['columns', 'aggregates', 'conditions']);
    expect(example).toMatchObject({ id: 'dev:0~PI.1', shrunkFrom: null, schema: { before: [], after: [] } });
    expect(example.before).toMatchObject({ predicted: goldOf('dev:0'), exact: 'correct', execution: 'correct' });
    expect(example.after).toMatchObject({ predicted: NAMES, exact: 'wrong', execution: 'wrong' });
    expect(example.hardness).toBe('easy');
  });

  it('hold the other failures, and the rows that differ from those of the gold query', async () => {
    const { clusters } = await run({ 'dev:0~PI.0': NAMES, 'dev:0~PI.1': NAMES });
    const [cluster] = clusters;
    expect(cluster?.others?.map(({ id }) => id)).toEqual(['dev:0~PI.0']);
    expect(cluster?.example.before.rows).toBeUndefined();
    const { gold, predicted } = cluster!.example.after.rows!;
    expect(gold).toEqual({ columns: ['count(*)'], rows: [[expect.any(Number)]], count: 1, differing: [0] });
    expect(predicted.count).toBeGreaterThan(1);
    expect(predicted.rows.length).toBeLessThanOrEqual(5);
    expect(predicted.differing).toEqual(predicted.rows.map((_, i) => i));
  });

  it('shrink a composed mutant while it still fails', async () => {
    const victim = new ScriptedVictim(({ question }) => (question.startsWith('Find') ? NAMES : undefined));
    const { report } = await consistency(inputOf(victim));
    const [cluster] = report.clusters;
    expect(cluster).toMatchObject({ relation: 'CRm+PI', failures: 1 });
    expect(cluster!.example).toMatchObject({
      id: 'dev:0~CRm.0~PI.0~question',
      shrunkFrom: 'dev:0~CRm.0~PI.0',
      relations: ['PI'],
      dbId: 'community_garden',
      details: ['inserted "find"'],
      schema: { before: [], after: [] },
    });
    expect(report.usage).toMatchObject({ questions: 11, shrinking: 1 });
  });

  it('leave a composed mutant whole that fails only as a whole, or that no question may be asked for', async () => {
    const answering = ({ id }: { id: string }): string | undefined => (id === 'dev:0~CRm.0~PI.0' ? NAMES : undefined);
    const { report } = await consistency(inputOf(new ScriptedVictim(answering)));
    expect(report.clusters[0]!.example).toMatchObject({ id: 'dev:0~CRm.0~PI.0', shrunkFrom: null });
    expect(report.usage.shrinking).toBe(2);
    const bounded = await consistency(inputOf(new ScriptedVictim(answering), { shrinkQuestions: 0 }));
    expect(bounded.report.usage.shrinking).toBe(0);
  });

  it('count a composed failure with its part that fails, too', async () => {
    const victim = new ScriptedVictim(({ dbId }) => (dbId === 'garden_without_year' ? NAMES : undefined));
    const { report } = await consistency(inputOf(victim));
    expect(report.clusters).toHaveLength(1);
    expect(report.clusters[0]).toMatchObject({ relation: 'CRm', failures: 2 });
    expect(report.clusters[0]!.example).toMatchObject({
      id: 'dev:0~CRm.0',
      schema: {
        before: [expect.stringContaining('birth_year') as string, ...MISSING_KEYS],
        after: [expect.not.stringContaining('birth_year') as string],
      },
    });
  });
});

/** The fixture's schemas have no keys. */
const MISSING_KEYS = Array.from({ length: 7 }, () => expect.stringContaining('key') as string);

describe('a run', () => {
  it('asks again only what had no answer for a reason that may pass', async () => {
    let isDown = true;
    const victim = new ScriptedVictim(({ id }) =>
      isDown && id === 'dev:3' ? failedAnswer(id, 'timeout', 'no answer in time') : undefined,
    );
    const input = inputOf(victim);
    const first = await consistency(input);
    expect(first.open).toBe(1);
    expect(first.report.relations['PS']).toMatchObject({ cases: 1, judged: 0, rate: null, open: 1 });
    expect(first.report.all).toMatchObject({ judged: 5, open: 2 });
    isDown = false;
    victim.asked.length = 0;
    const second = await consistency(input);
    expect(second).toMatchObject({ open: 0, fresh: true });
    expect(victim.asked.map(({ id }) => id)).toEqual(['dev:3']);
    const third = await consistency(input);
    expect(third).toMatchObject({ open: 0, fresh: false, report: second.report });
    expect(victim.asked).toHaveLength(1);
  });

  it('takes predictions from a file, names missing ones, and refuses unknown ones', async () => {
    const folder = temporaryFolder();
    const predictions = join(folder, 'predictions.jsonl');
    const ids = ['dev:0', 'dev:3', 'dev:12', ...MUTANTS.map(({ id }) => id)];
    const write = (some: readonly string[]): void =>
      writeFileSync(
        predictions,
        some.map((id) => `${JSON.stringify({ id, sql: id === 'dev:1' ? 'SELECT 1' : goldOf(id) })}\n`).join(''),
      );
    const victim = { kind: 'file', predictions } as const;
    write(ids.slice(0, -1));
    const { report } = await consistency(inputOf(new ScriptedVictim(), { victim }));
    expect(report.all).toMatchObject({ cases: 7, inconsistent: 1 });
    expect(report.warnings).toEqual(['1 questions have no prediction and count as unanswered: dev:12~TS.0']);
    write([...ids, 'dev:1']);
    await expect(consistency(inputOf(new ScriptedVictim(), { victim }))).rejects.toThrow('no question has this id');
  });

  it('goes by exact match alone where there are no databases', async () => {
    const victim = new ScriptedVictim(({ id }) => (id === 'dev:0~PI.0' ? NAMES : undefined));
    const { report } = await consistency(inputOf(victim, { databases: null }));
    expect(report.relations['PI']).toMatchObject({ inconsistent: 1, accuracy: { execution: null } });
    expect(report.settings.metrics).toEqual({ exact: 'exact-values-ignored@3' });
    expect(report.warnings).toEqual([expect.stringContaining('7 mutants are not executed') as string]);
  });

  it('needs no data set besides the run, which holds what it was made of', async () => {
    const { report: named } = await consistency(inputOf(new ScriptedVictim()));
    const { report } = await consistency(
      inputOf(new ScriptedVictim(), { tables: null, examples: null, databases: null }),
    );
    expect(report.relations).toEqual(named.relations);
    expect(report.all.by.execution.judged).toBe(7);
    const manifest = { settings: { dataset: 'postgresql' } };
    const mutants = writeMutants(join(temporaryFolder(), 'mutants'), { databases: false, manifest });
    await expect(
      consistency(inputOf(new ScriptedVictim(), { mutants, tables: null, examples: null, databases: null })),
    ).rejects.toThrow(ConfigError);
  });

  it('reads training examples with the schemas of the run where no data set is named', async () => {
    const victim = { kind: 'baseline', train: PATHS.examples } as const;
    const input = inputOf(new ScriptedVictim(), { tables: null, examples: null, databases: null, victim });
    const [line] = await previewConsistency(input);
    expect(line).toMatch(/^victim: built-in nearest-example parser with \d+ examples: dev\.json$/);
    await expect(previewConsistency({ ...input, databases: PATHS.databases, tables: PATHS.tables })).rejects.toThrow(
      'data set format spider needs --examples',
    );
  });

  it('gives samples of like-named columns to schemas that have no database', async () => {
    const mutants = writeMutants(join(temporaryFolder(), 'mutants'), { databases: false });
    const victim = new ScriptedVictim();
    await consistency(inputOf(victim, { mutants }));
    const removed = victim.asked.find(({ id }) => id === 'dev:0~CRm.0')!;
    expect(removed.databaseFile).toBeNull();
    expect(removed.samples![0]![2]).toContain('Portugal');
  });

  it('asks the seeds of a fold alone, and the baseline learns from the others', async () => {
    const folds = await Promise.all(
      [1, 2].map(async (index) => {
        const fold = { index, of: 2, seed: 0 };
        const victim = { kind: 'baseline', train: null } as const;
        return previewConsistency(inputOf(new ScriptedVictim(), { fold, victim }));
      }),
    );
    const questions = folds.map(([, line]) => Number(/^\d+/.exec(line!)![0]));
    expect(questions[0]! + questions[1]!).toBe(10);
    expect(folds.map(([line]) => line)).toEqual(folds.map(() => expect.stringMatching(/with 15 examples/) as string));
  });

  it('is refused in the folder of another configuration', async () => {
    const input = inputOf(new ScriptedVictim());
    await consistency(input);
    await expect(consistency({ ...input, values: 'compared' })).rejects.toThrow(RunFolderError);
  });
});

describe('bad input', () => {
  const written = (more: Parameters<typeof writeMutants>[1]): Promise<unknown> => {
    const mutants = writeMutants(join(temporaryFolder(), 'mutants'), { databases: false, ...more });
    return consistency(inputOf(new ScriptedVictim(), { mutants }));
  };
  const [first] = MUTANTS;

  it.each([
    ['a run of another command', { manifest: { command: 'augment' } }, 'this is a run of augment', RunFolderError],
    ['an unfinished run', { manifest: { complete: false } }, 'the mutants are not finished', RunFolderError],
    ['no mutants', { mutants: [] }, 'there are no mutants', InputFormatError],
    ['an id twice', { mutants: [first!, first!] }, 'the id occurs twice, first in line 1', InputFormatError],
    [
      'an unknown seed',
      { mutants: [{ ...first!, seed: 'dev:99' }] },
      'its seed dev:99 is no example',
      InputFormatError,
    ],
    [
      'a seed of another database',
      { mutants: [{ ...first!, origin: 'planetarium', db_id: 'planetarium' }] },
      'its seed dev:0 asks community_garden, not planetarium',
      InputFormatError,
    ],
    [
      'an unknown schema',
      { mutants: [{ ...first!, db_id: 'nowhere' }] },
      'its schema nowhere is not in',
      InputFormatError,
    ],
    ['a missing field', { mutants: [{ ...first!, query: undefined }] }, 'field "query" is missing', InputFormatError],
  ])('%s is told with its place and a fix', async (_, more, message, kind) => {
    const error: unknown = await written(more).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(kind);
    expect((error as InputFormatError).message).toContain(message);
    expect((error as InputFormatError).fix).not.toBe('');
    expect((error as InputFormatError).where.file).toBeDefined();
  });

  it('a folder that is not there, or holds no run, is told with what is wanted', async () => {
    const folder = temporaryFolder();
    for (const [mutants, message] of [
      [join(folder, 'NOPE'), 'there is no such folder'],
      [folder, 'this is not a run: it has no manifest'],
    ] as const) {
      const error: unknown = await consistency(inputOf(new ScriptedVictim(), { mutants })).catch((e: unknown) => e);
      expect(error).toBeInstanceOf(RunFolderError);
      expect(error).toMatchObject({ message, fix: expect.stringContaining('`perturbql mutate`') as string });
    }
  });

  it('a fold next to other training examples is refused', async () => {
    const victim = { kind: 'baseline', train: 'train.json' } as const;
    const input = inputOf(new ScriptedVictim(), { victim, fold: { index: 1, of: 2, seed: 0 } });
    await expect(consistency(input)).rejects.toThrow(ConfigError);
  });
});
