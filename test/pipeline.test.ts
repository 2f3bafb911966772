import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CandidateDecision, candidateDecisionSchema } from '../src/formats/artifacts/candidates.js';
import type { CandidateScreen } from '../src/naturalness/naturalness-rule.js';
import { BucketJudge } from '../src/nli/bucket-judge.js';
import { EconomicalScorer } from '../src/nli/entailment-scorer.js';
import { type CtaStages, runPipeline, type TableResult, type TableTask } from '../src/pipeline.js';
import { type Recipe, RECIPES } from '../src/recipes/recipes.js';
import { createRng } from '../src/seeded-rng.js';
import type {
  Candidate,
  CandidateSource,
  CandidateSourceKind,
  EntailmentScorer,
  Reading,
  StageContext,
  TargetTable,
  TpePredictor,
} from '../src/stage.js';
import { TableNameTpe } from '../src/tpe/table-name-tpe.js';
import { createContext, FakeScorer, scoreOf } from './nli/nli-fixture.js';

const THRESHOLDS = { rplMin: 0.65, addMax: 0.45 };

function candidate(name: string, source: CandidateSourceKind, similarity: number | null = null): Candidate {
  const origin = { table: 't1', title: 'Singers', column: name, type: 'text', score: 0.723456789 } as const;
  return { name, source, origin: source === 'retrieval' ? origin : null, similarity };
}

/** Proposes the same names for every column, after a wait. */
function source(
  kind: CandidateSourceKind,
  names: readonly string[],
  wait: () => Promise<void> = async () => undefined,
): CandidateSource & { asked: string[] } {
  const asked: string[] = [];
  return {
    id: kind,
    fingerprint: kind,
    asked,
    async propose(columns) {
      asked.push(...columns.map(({ target, column }) => `${target.table.name}.${column}`));
      await wait();
      return columns.map(() => names.map((name, i) => candidate(name, kind, 1 - i / 100)));
    },
  };
}

const OPEN: CandidateScreen = { fingerprint: 'open', check: async () => ({ rpl: null, add: null }) };

/** Entailment by "column > candidate" in bare names; 0.1 where nothing is given. */
function scorerOf(given: Readonly<Record<string, number>>): FakeScorer {
  const bare = (statement: string): string => statement.replace(/^\w+ (.*) \(\w+\)\.$/, '$1');
  return new FakeScorer(({ premise, hypothesis }) => given[`${bare(premise)} > ${bare(hypothesis)}`] ?? 0.1);
}

function createStages(change: Partial<CtaStages> & { readonly scorer?: FakeScorer } = {}): CtaStages {
  const { scorer = scorerOf({}), sources, ...rest } = change;
  return {
    sources: {
      retrieval: source('retrieval', ['label']),
      dictionary: source('dictionary', ['designation']),
      attributes: source('attributes', []),
      bank: source('bank', []),
      ...sources,
    },
    recipe: RECIPES.cta,
    tpe: new TableNameTpe(),
    screen: OPEN,
    keepsUnassociated: false,
    acceptability: null,
    judge: new BucketJudge(scorer, THRESHOLDS, { fullScores: false }),
    keepsWordy: false,
    nearMargin: 0.02,
    similarity: () => null,
    ...rest,
  };
}

function task(table: string, names: readonly string[] = ['name', 'age'], columns: readonly number[] = [0]): TableTask {
  const target: TargetTable = {
    dbId: 'town',
    table: {
      name: table,
      originalName: table,
      columns: names.map((name) => ({ name, originalName: name, type: 'text' })),
    },
    questions: [],
    values: names.map(() => []),
  };
  return { id: `town/${table}`, target, columns };
}

async function run(
  tasks: readonly TableTask[],
  stages: CtaStages,
  context: StageContext = createContext(),
): Promise<TableResult[]> {
  const results: TableResult[] = [];
  for await (const result of runPipeline(tasks, stages, context)) results.push(result);
  return results;
}

async function decisions(stages: CtaStages, one = task('singers'), seed = 1): Promise<readonly CandidateDecision[]> {
  return (await run([one], stages, createContext(seed)))[0]!.decisions;
}

const brief = (list: readonly CandidateDecision[]): string[] =>
  list.map(({ candidate: name, bucket, reason }) => `${name}: ${bucket} (${reason})`);

describe('wordy replacements', () => {
  const names = ['name of title', 'title'];
  const scorer = (): FakeScorer =>
    scorerOf(
      Object.fromEntries(
        names.flatMap((one) => [
          [`name > ${one}`, 0.9],
          [`${one} > name`, 0.9],
        ]),
      ),
    );
  const stages = (change: Partial<CtaStages>): CtaStages =>
    createStages({ scorer: scorer(), sources: { dictionary: source('dictionary', names) }, ...change });

  test('are rejected where the column has a plain one, unless the rule is off', async () => {
    const of = async (keepsWordy: boolean): Promise<readonly string[]> =>
      brief((await decisions(stages({ keepsWordy }))).filter(({ source: from }) => from === 'dictionary'));
    expect(await of(false)).toEqual(['name of title: rejected (wordy)', 'title: RPL (entailment)']);
    expect(await of(true)).toEqual(['name of title: RPL (entailment)', 'title: RPL (entailment)']);
  });
});

describe('names that the thesaurus lists', () => {
  test('replace with less entailment than others', async () => {
    const proposed: CandidateSource = {
      ...source('dictionary', ['caption', 'title']),
      propose: async (columns) =>
        columns.map(() =>
          ['caption', 'title'].map((name) => ({
            name,
            source: 'dictionary',
            origin: null,
            similarity: null,
            ...(name === 'title' ? { listedFor: 'name' as const } : {}),
          })),
        ),
    };
    const least = THRESHOLDS.rplMin - 0.1;
    const pairs = ['caption', 'title'].flatMap((one) => [`name > ${one}`, `${one} > name`]);
    const given = Object.fromEntries(pairs.map((pair): [string, number] => [pair, least]));
    const stages = createStages({ scorer: scorerOf(given), sources: { dictionary: proposed } });
    const dictionary = (await decisions(stages)).filter(({ source: from }) => from === 'dictionary');
    expect(brief(dictionary)).toEqual(['caption: rejected (not-entailed)', 'title: RPL (listed)']);
  });
});

describe('runPipeline', () => {
  test('tells the rules of a retrieved name that the dictionary proposes, too', async () => {
    const seen: [string, boolean | undefined][] = [];
    const screen: CandidateScreen = {
      fingerprint: 'watching',
      check: ({ name, inDictionary }) => {
        seen.push([name, inDictionary]);
        return Promise.resolve({ rpl: null, add: null });
      },
    };
    const sources = {
      retrieval: source('retrieval', ['label', 'designation']),
      dictionary: source('dictionary', ['Designation', 'title']),
    };
    await decisions(createStages({ sources, screen }));
    expect(seen).toEqual([
      ['label', undefined],
      ['designation', true],
      ['title', undefined],
    ]);
  });

  test('keeps a name out of the bucket that its source did not mean it for', async () => {
    const proposed = (name: string, proposedFor: 'RPL' | 'ADD'): Candidate => ({
      ...candidate(name, 'llm'),
      proposedFor,
    });
    const llm: CandidateSource = {
      id: 'llm',
      fingerprint: 'llm',
      propose: (columns) =>
        Promise.resolve(
          columns.map(() => [
            proposed('label', 'RPL'),
            proposed('height', 'RPL'),
            proposed('weight', 'ADD'),
            proposed('title', 'ADD'),
            proposed('closed', 'ADD'),
          ]),
        ),
    };
    const screen: CandidateScreen = {
      fingerprint: 'closing',
      check: ({ name }) =>
        Promise.resolve(name === 'closed' ? { rpl: 'opaque', add: 'synonym' } : { rpl: null, add: null }),
    };
    const same = ['label', 'title'].flatMap((name) => [`name > ${name}`, `${name} > name`]);
    const scorer = scorerOf(Object.fromEntries(same.map((pair) => [pair, 0.9])));
    expect(brief(await decisions(createStages({ recipe: RECIPES.llm, sources: { llm }, scorer, screen })))).toEqual([
      'label: RPL (entailment)',
      'height: rejected (not-entailed)',
      'weight: ADD (no-equivalence)',
      'title: rejected (equivalent-to-target)',
      'closed: rejected (synonym)',
    ]);
  });

  test('gives one result per task, in task order, however long each takes', async () => {
    const waits = [30, 5, 20, 0, 10, 0, 15, 1];
    let turn = 0;
    const slow = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, waits[turn++ % waits.length]));
    const tasks = waits.map((_, i) => task(`table${i}`));
    const stages = createStages({
      sources: { retrieval: source('retrieval', ['label'], slow), dictionary: source('dictionary', []) },
    });
    const results = await run(tasks, stages);
    expect(results.map(({ id }) => id)).toEqual(tasks.map(({ id }) => id));
    expect(results[3]).toMatchObject({
      primaryEntity: 'table3',
      decisions: [{ db_id: 'town', table: 'table3', column: 'name' }],
    });
    expect(await run([], stages)).toEqual([]);
  });

  test('decides columns of one natural name each for itself, and says which by their original names', async () => {
    const twins = task('singers', ['home town', 'home town'], [0, 1]);
    const columns = ['Home_Town', 'HomeTown'].map((originalName) => ({
      name: 'home town',
      originalName,
      type: 'text' as const,
    }));
    const table = { name: 'singers', originalName: 'tbl_singer', columns };
    const [result] = await run([{ ...twins, target: { ...twins.target, table } }], createStages());
    const decided = result?.decisions.map((one) => [one.table, one.table_original, one.column, one.column_original]);
    expect(new Set(decided?.map((one) => JSON.stringify(one)))).toEqual(
      new Set(['Home_Town', 'HomeTown'].map((one) => JSON.stringify(['singers', 'tbl_singer', 'home town', one]))),
    );
    expect(
      result?.decisions.filter(({ candidate: name, bucket }) => name === 'label' && bucket === 'ADD'),
    ).toHaveLength(2);
  });

  test('gives the same bytes for the same seed, alone or among others, whatever the timing; another seed draws otherwise', async () => {
    const names = Array.from(
      { length: 40 },
      (_, i) => `term ${String.fromCharCode(97 + (i % 26))}${String.fromCharCode(97 + Math.floor(i / 26))}`,
    );
    const bytes = async (tables: readonly string[], seed: number, timing: number): Promise<string[]> => {
      const rng = createRng(timing, 'timing');
      const wait = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, rng.int(5)));
      const stages = createStages({ recipe: RECIPES.w2v, sources: { vocabulary: source('vocabulary', names, wait) } });
      return (
        await run(
          tables.map((table) => task(table, ['name', 'age'], [0, 1])),
          stages,
          createContext(seed),
        )
      ).map((result) => JSON.stringify(result));
    };
    const tables = ['a', 'b', 'c', 'd', 'e', 'f'];
    const whole = await bytes(tables, 1, 1);
    expect(await bytes(tables, 1, 2)).toEqual(whole);
    expect((await Promise.all(tables.map((table) => bytes([table], 1, 3)))).flat()).toEqual(whole);
    expect(await bytes(tables, 2, 1)).not.toEqual(whole);
  });

  test('asks each source once per table, for the columns of the task alone', async () => {
    const retrieval = source('retrieval', ['label']);
    const results = await run(
      [task('singers', ['name', 'age', 'town'], [2, 0])],
      createStages({ sources: { retrieval, dictionary: source('dictionary', []) } }),
    );
    expect(retrieval.asked).toEqual(['singers.2', 'singers.0']);
    expect(results[0]!.decisions.map(({ column }) => column)).toEqual(['town', 'name']);
  });

  test('scores a pair once per run, however many columns and tables ask for it', async () => {
    const scorer = scorerOf({});
    const judge = new BucketJudge(new EconomicalScorer(scorer, null), THRESHOLDS, { fullScores: false });
    await run(
      [task('singers', ['name', 'age'], [0, 1]), { ...task('singers', ['name', 'age'], [0, 1]), id: 'again' }],
      createStages({ judge }),
    );
    expect(new Set(scorer.asked.map((pair) => JSON.stringify(pair))).size).toBe(scorer.asked.length);
  });

  test('does not change its tasks', async () => {
    const tasks = [task('singers', ['name', 'age'], [0, 1])];
    const before = structuredClone(tasks);
    await run(tasks, createStages());
    expect(tasks).toEqual(before);
  });

  test('decides a table with one column', async () => {
    expect(brief(await decisions(createStages(), task('singers', ['name'])))).toEqual([
      'label: ADD (no-equivalence)',
      'designation: rejected (not-entailed)',
    ]);
  });

  test('throws a stage’s error once, at its turn, and starts no further tables', async () => {
    const asked: string[] = [];
    const tpe: TpePredictor = {
      id: 'broken',
      fingerprint: 'broken',
      predict: async ([target]) => {
        asked.push(target!.table.name);
        if (target!.table.name === 'table1') throw new Error('no session');
        await new Promise((resolve) => setTimeout(resolve, 10));
        return ['singer'];
      },
    };
    const seen: string[] = [];
    const consume = async (): Promise<void> => {
      const tasks = Array.from({ length: 12 }, (_, i) => task(`table${i}`));
      for await (const { id } of runPipeline(tasks, createStages({ tpe }), createContext())) seen.push(id);
    };
    await expect(consume()).rejects.toThrow('no session');
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(seen).toEqual(['town/table0']);
    expect(asked.length).toBeLessThanOrEqual(5);
  });

  test('stops when aborted, with the signal’s reason', async () => {
    const controller = new AbortController();
    const seen: string[] = [];
    const consume = async (): Promise<void> => {
      const tasks = Array.from({ length: 12 }, (_, i) => task(`table${i}`));
      for await (const { id } of runPipeline(tasks, createStages(), createContext(1, controller.signal))) {
        seen.push(id);
        controller.abort(new Error('stopped by the test'));
      }
    };
    await expect(consume()).rejects.toThrow('stopped by the test');
    expect(seen.length).toBeLessThan(12);
    await expect(
      run([task('singers')], createStages(), createContext(1, AbortSignal.abort(new Error('before')))),
    ).rejects.toThrow('before');
  });

  test('starts no further tables once its reader stops', async () => {
    const retrieval = source('retrieval', ['label'], () => new Promise((resolve) => setTimeout(resolve, 5)));
    const tasks = Array.from({ length: 20 }, (_, i) => task(`table${i}`));
    for await (const { id } of runPipeline(
      tasks,
      createStages({ sources: { retrieval, dictionary: source('dictionary', []) } }),
      createContext(),
    )) {
      expect(id).toBe('town/table0');
      break;
    }
    const started = retrieval.asked.length;
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(retrieval.asked).toHaveLength(started);
    expect(started).toBeLessThan(10);
  });
});

describe('decisions of recipe cta', () => {
  test('are valid lines of candidates.jsonl', async () => {
    for (const decision of await decisions(createStages()))
      expect(candidateDecisionSchema.parse(decision)).toEqual(decision);
  });

  test('sort by entailment; a dictionary name is RPL or rejected, never ADD', async () => {
    const given = { 'name > label': 0.8, 'label > name': 0.7, 'name > designation': 0.9, 'designation > name': 0.9 };
    expect(brief(await decisions(createStages({ scorer: scorerOf(given) })))).toEqual([
      'label: RPL (entailment)',
      'designation: RPL (entailment)',
    ]);
    expect(brief(await decisions(createStages()))).toEqual([
      'label: ADD (no-equivalence)',
      'designation: rejected (not-entailed)',
    ]);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 8, maxLength: 8 }),
        async (values) => {
          const pairs = ['name', 'age'].flatMap((column) =>
            ['label', 'designation'].flatMap((name) => [`${column} > ${name}`, `${name} > ${column}`]),
          );
          const scores = Object.fromEntries(pairs.map((pair, i) => [pair, values[i]!]));
          for (const { source: from, bucket } of await decisions(createStages({ scorer: scorerOf(scores) }))) {
            if (from === 'dictionary') expect(bucket).not.toBe('ADD');
          }
        },
      ),
    );
  });

  test('a name that both sources propose is the retrieved one: open to both buckets, decided once', async () => {
    const sources = {
      retrieval: source('retrieval', ['stage names']),
      dictionary: source('dictionary', ['Stage_Name']),
    };
    expect(await decisions(createStages({ sources }))).toMatchObject([
      { candidate: 'stage names', source: 'retrieval', bucket: 'ADD' },
    ]);
  });

  test('have e2 null where e1 decided, and both with fullScores', async () => {
    const scorer = scorerOf({ 'name > label': 0.5, 'label > name': 0.9 });
    expect((await decisions(createStages({ scorer })))[0]).toMatchObject({
      bucket: 'rejected',
      reason: 'between-thresholds',
      e1: 0.5,
      e2: null,
      against: 'name',
    });
    const judge = new BucketJudge(scorer, THRESHOLDS, { fullScores: true });
    expect((await decisions(createStages({ judge })))[0]).toMatchObject({ bucket: 'rejected', e1: 0.5, e2: 0.9 });
  });

  test('say against which column: the highest of an accepted ADD, the one in the way of a rejected', async () => {
    const table = task('singers', ['name', 'age', 'town']);
    const accepted = createStages({
      scorer: scorerOf({ 'town > label': 0.3, 'label > age': 0.4, 'name > label': 0.2 }),
    });
    expect((await decisions(accepted, table))[0]).toMatchObject({ bucket: 'ADD', e1: 0.2, e2: 0.1, against: 'age' });
    const rejected = createStages({ scorer: scorerOf({ 'label > town': 0.6 }) });
    expect((await decisions(rejected, table))[0]).toMatchObject({
      bucket: 'rejected',
      reason: 'entailed-by-other',
      e1: 0.1,
      e2: 0.1,
      against: 'town',
    });
  });

  test('compare ADD with columns of like words, RPL only with those as near as the target', async () => {
    const synonym = { 'name > label': 0.9, 'label > name': 0.9, 'town > label': 0.9, 'label > town': 0.9 };
    const table = task('singers', ['name', 'age', 'town']);
    const near = (nearest: string): CtaStages =>
      createStages({ scorer: scorerOf(synonym), similarity: (_, column) => (column === nearest ? 0.9 : 0.3) });
    expect((await decisions(near('town'), table))[0]).toMatchObject({
      bucket: 'rejected',
      reason: 'equivalent-to-other',
      against: 'town',
    });
    expect((await decisions(near('name'), table))[0]).toMatchObject({ bucket: 'RPL', against: 'name' });
    const sources = { retrieval: source('retrieval', ['label']), dictionary: source('dictionary', []) };
    const asked = async (similarity: CtaStages['similarity']): Promise<number> => {
      const scorer = scorerOf({});
      await decisions(createStages({ scorer, similarity, sources }), table);
      return scorer.asked.length;
    };
    expect(await asked((a, b) => (a === b ? 1 : b === 'town' ? 0.6 : 0.3))).toBe(4);
    // Of words without vectors nobody knows what they are like.
    expect(await asked(() => null)).toBe(6);
  });

  test('cost no more pairs a column in a table of 300 columns than in one of 100', async () => {
    const askedOf = async (columns: number): Promise<number> => {
      const names = Array.from({ length: columns }, (_, i) => `column ${i}`);
      const scorer = scorerOf({});
      const stages = createStages({ scorer, similarity: (a, b) => (a === b ? 1 : 0.6) });
      await run([task('records', names, [...names.keys()])], stages);
      return scorer.asked.length / columns;
    };
    const asked = await askedOf(300);
    expect(asked).toBeLessThan(40);
    expect(asked).toBe(await askedOf(100));
  });

  test('compare with the nearest column first, so that a rejection comes soon', async () => {
    const scorer = scorerOf({ 'town > label': 0.6 });
    const similarity = (_: string, column: string): number | null => (column === 'town' ? 0.8 : null);
    await decisions(
      createStages({
        scorer,
        similarity,
        sources: { retrieval: source('retrieval', ['label']), dictionary: source('dictionary', []) },
      }),
      task('singers', ['name', 'age', 'height', 'town']),
    );
    expect(scorer.asked).toHaveLength(3);
  });

  test('name the naturalness rule that closed the bucket, and score nothing where both are closed', async () => {
    const closing = (rpl: string | null, add: string | null): CandidateScreen => ({
      fingerprint: 'closing',
      check: async () => ({ rpl, add }),
    });
    const sources = { retrieval: source('retrieval', ['label']), dictionary: source('dictionary', []) };
    const high = { 'name > label': 0.9, 'label > name': 0.9 };
    const decide = async (screen: CandidateScreen, given = {}): Promise<[CandidateDecision, number]> => {
      const scorer = scorerOf(given);
      const [decision] = await decisions(createStages({ screen, scorer, sources }));
      return [decision!, scorer.asked.length];
    };
    expect(await decide(closing('short', 'short'))).toMatchObject([
      { bucket: 'rejected', reason: 'short', e1: null, e2: null, against: null, near: false },
      0,
    ]);
    expect(await decide(closing('number-agreement', null), high)).toMatchObject([
      { bucket: 'rejected', reason: 'number-agreement', e1: 0.9 },
      1,
    ]);
    expect(await decide(closing('number-agreement', null))).toMatchObject([
      { bucket: 'ADD', reason: 'no-equivalence' },
      4,
    ]);
    expect(await decide(closing(null, 'synonym'))).toMatchObject([{ bucket: 'rejected', reason: 'synonym' }, 1]);
    expect(await decide(closing(null, 'synonym'), high)).toMatchObject([{ bucket: 'RPL' }, 3]);
    expect(await decide(closing('number-agreement', null), { 'name > label': 0.5 })).toMatchObject([
      { reason: 'between-thresholds' },
      1,
    ]);
  });

  test('take an attribute of the rows for their own, though a table of the index has it, too', async () => {
    const origin = { table: 'attributes/singer', title: 'singer', column: 'alias', type: 'text', score: null } as const;
    const attributes: CandidateSource = {
      id: 'attributes',
      fingerprint: 'attributes',
      propose: async (columns) =>
        columns.map(() => [{ name: 'alias', source: 'attributes', origin, similarity: null, proposedFor: 'ADD' }]),
    };
    const sources = { retrieval: source('retrieval', ['alias']), dictionary: source('dictionary', []), attributes };
    const [decision, ...others] = await decisions(createStages({ sources }));
    expect(others).toEqual([]);
    expect(decision).toMatchObject({ bucket: 'ADD', candidate: 'alias', source: 'retrieval', origin });
  });

  test('are marked borderline where a deciding score lies by a threshold', async () => {
    const borderline = async (e1: number): Promise<boolean> =>
      (await decisions(createStages({ scorer: scorerOf({ 'name > label': e1 }) })))[0]!.near;
    expect([
      await borderline(0.3),
      await borderline(0.44),
      await borderline(0.55),
      await borderline(0.635),
      await borderline(0.66),
    ]).toEqual([false, true, false, true, true]);
  });

  test('carry where a candidate comes from, in six decimals', async () => {
    const [decision] = await decisions(createStages({ scorer: scorerOf({ 'name > label': 0.123456789 }) }));
    expect(decision).toMatchObject({
      e1: 0.123457,
      source: 'retrieval',
      similarity: 1,
      origin: { table: 't1', title: 'Singers', column: 'label', type: 'text', score: 0.723457 },
    });
  });

  /** A bank that lists the first names next to the column and the others elsewhere in its table. */
  const bankOf = (names: readonly string[], next: number): CandidateSource => ({
    ...source('bank', names),
    propose: async (columns) =>
      columns.map(() =>
        names.map((name, i) => ({
          ...candidate(name, 'bank', 1 - i / 100),
          proposedFor: 'ADD' as const,
          isNextTo: i < next,
        })),
      ),
  });
  const lettered = (count: number): string[] =>
    Array.from({ length: count }, (_, i) => `label ${String.fromCharCode(97 + i)}`);

  test('keep for a column what is close to it, and of the rest at most half as many', async () => {
    const sources = { retrieval: source('retrieval', []), bank: bankOf(lettered(9), 4) };
    const list = await decisions(createStages({ sources }));
    const added = list.filter(({ bucket }) => bucket === 'ADD').map(({ goes_with: kind }) => kind);
    expect(added).toEqual(['column', 'column', 'column', 'column', 'row', 'row']);
    expect(list.filter(({ reason }) => reason === 'unassociated')).toHaveLength(3);
    const stages = createStages({ sources, keepsUnassociated: true });
    expect((await decisions(stages)).filter(({ bucket }) => bucket === 'ADD')).toHaveLength(9);
  });

  test('ask no further once a column has enough that is close to it', async () => {
    const sources = { retrieval: source('retrieval', []), bank: bankOf(lettered(20), 20) };
    const list = await decisions(createStages({ sources }));
    expect(list.slice(0, 8).map(({ reason }) => reason)).toEqual(new Array(8).fill('no-equivalence'));
    expect(list.slice(8, 20).map(({ reason }) => reason)).toEqual(new Array(12).fill('enough-additions'));
  });

  test('ask first about those that readers likeliest take, and never about those that they would hardly', async () => {
    const promises = new Map(lettered(20).map((name, i) => [name, i / 20]));
    const acceptability: CtaStages['acceptability'] = {
      fingerprint: 'promises',
      ofTable:
        async () =>
        () =>
        ({ name }) => ({
          isUnlikely: { replacement: false, addition: promises.get(name) === 0.95 },
          promise: promises.get(name)!,
          combine: (reading) => reading,
        }),
    };
    const sources = { retrieval: source('retrieval', []), bank: bankOf(lettered(20), 20) };
    const reading = { replacement: 0, addition: 0.9, topic: 0.9 };
    const thresholds = { ...THRESHOLDS, reading: { replacement: 0.5, addition: 0.5, topic: 0.5 } };
    const scorer: EntailmentScorer = {
      id: 'reading',
      fingerprint: 'reading',
      score: async (pairs) => pairs.map(() => ({ ...scoreOf(0.1), reading })),
    };
    const judge = new BucketJudge(scorer, thresholds, { fullScores: false });
    const list = await decisions(createStages({ sources, judge, acceptability }));
    const reasonOf = (name: string): string => list.find(({ candidate }) => candidate === name)!.reason;
    expect(reasonOf('label t')).toBe('reads-odd');
    expect(lettered(19).slice(-8).map(reasonOf)).toEqual(new Array(8).fill('no-equivalence'));
    expect(reasonOf('label a')).toBe('enough-additions');
  });

  test('go by what readers would say, where the judge tells', async () => {
    const entailed = scorerOf({ 'name > label': 0.9, 'label > name': 0.9, 'name > title': 0.9, 'title > name': 0.9 });
    const readings: Readonly<Record<string, Reading>> = {
      label: { replacement: 0.9, addition: 0.1, topic: 0.9 },
      title: { replacement: 0.2, addition: 0.1, topic: 0.9 },
      height: { replacement: 0.1, addition: 0.8, topic: 0.7 },
      weather: { replacement: 0.1, addition: 0.3, topic: 0.1 },
    };
    const scorer: EntailmentScorer = {
      ...entailed,
      score: async (pairs, context) =>
        (await entailed.score(pairs, context)).map((score, i) => {
          const name = pairs[i]!.hypothesis.replace(/^\w+ (.*) \(\w+\)\.$/, '$1');
          return { ...score, reading: readings[name] ?? null };
        }),
    };
    const thresholds = { ...THRESHOLDS, reading: { replacement: 0.5, addition: 0.5, topic: 0.5 } };
    const judge = new BucketJudge(scorer, thresholds, { fullScores: false });
    const sources = { retrieval: source('retrieval', Object.keys(readings)), dictionary: source('dictionary', []) };
    const list = await decisions(createStages({ sources, judge }));
    expect(brief(list)).toEqual([
      'label: RPL (entailment)',
      'title: rejected (reads-odd)',
      'height: ADD (no-equivalence)',
      'weather: rejected (reads-odd)',
    ]);
    expect(list[0]).toMatchObject({ acceptability: 0.9, association: null });
    expect(list[2]).toMatchObject({ acceptability: 0.8, association: 0.7, goes_with: 'column' });
    expect(list[3]).not.toHaveProperty('acceptability');
  });

  test('take a name that sources mean for different buckets for either', async () => {
    const bank = bankOf(['handle'], 1);
    const sources = { retrieval: source('retrieval', []), bank, dictionary: source('dictionary', ['handle']) };
    const given = { 'name > handle': 0.9, 'handle > name': 0.9 };
    expect(brief(await decisions(createStages({ sources, scorer: scorerOf(given) })))).toEqual([
      'handle: RPL (entailment)',
    ]);
    expect(brief(await decisions(createStages({ sources })))).toEqual(['handle: ADD (no-equivalence)']);
  });
});

describe('decisions by rank', () => {
  const names = Array.from(
    { length: 60 },
    (_, i) => `term ${String.fromCharCode(97 + Math.floor(i / 26))}${String.fromCharCode(97 + (i % 26))}`,
  );
  const vocabulary = (): CtaStages =>
    createStages({ recipe: RECIPES.w2v, sources: { vocabulary: source('vocabulary', names) } });

  test('of w2v are five of the top 15 for RPL, five of ranks 15 to 50 for ADD, without a judge', async () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const list = await decisions(vocabulary(), task('singers'), seed);
      const ranks = (bucket: string): number[] =>
        list.filter((one) => one.bucket === bucket).map((one) => names.indexOf(one.candidate));
      expect(ranks('RPL')).toHaveLength(5);
      expect(ranks('ADD')).toHaveLength(5);
      expect(Math.max(...ranks('RPL'))).toBeLessThan(15);
      expect(Math.min(...ranks('ADD'))).toBeGreaterThanOrEqual(15);
      expect(Math.max(...ranks('ADD'))).toBeLessThan(50);
      for (const one of list) expect(one).toMatchObject({ reason: 'rank', e1: null, e2: null, against: null });
    }
  });

  test('of text attackers go by the attacker’s order, of others by similarity', async () => {
    const of = async (name: 'w2v' | 'textfooler', source_: 'vocabulary' | 'neighbors') => {
      const propose = source(source_, names.toReversed());
      const list = await decisions(createStages({ recipe: RECIPES[name], sources: { [source_]: propose } }));
      return list.filter(({ bucket }) => bucket === 'RPL').map((one) => names.indexOf(one.candidate));
    };
    expect(Math.min(...(await of('textfooler', 'neighbors')))).toBeGreaterThanOrEqual(45);
    expect(await of('w2v', 'vocabulary')).toHaveLength(5);
  });

  test('take what there is of a short list', async () => {
    const stages = createStages({
      recipe: RECIPES.w2v,
      sources: { vocabulary: source('vocabulary', names.slice(0, 3)) },
    });
    expect(brief(await decisions(stages)).sort()).toEqual(names.slice(0, 3).map((name) => `${name}: RPL (rank)`));
  });

  test.each(Object.values(RECIPES).map((recipe): [string, Recipe] => [recipe.id, recipe]))(
    'of %s never put one name into both buckets',
    async (_, recipe) => {
      const kinds = [...new Set([...recipe.rpl.sources, ...recipe.add.sources])];
      // A screen that closes one bucket to every third name moves the ranks of the two apart.
      const screen: CandidateScreen = {
        fingerprint: 'thirds',
        check: async ({ name }) => ({ rpl: names.indexOf(name) % 3 === 0 ? 'short' : null, add: null }),
      };
      for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
        const sources = Object.fromEntries(kinds.map((kind) => [kind, source(kind, names)]));
        const list = await decisions(createStages({ recipe, sources, screen }), task('singers'), seed);
        const of = (bucket: string): string[] =>
          list.filter((one) => one.bucket === bucket).map((one) => one.candidate);
        expect(of('RPL').filter((name) => of('ADD').includes(name))).toEqual([]);
        expect(new Set(list.map(({ candidate: name }) => name)).size).toBe(list.length);
      }
    },
  );

  test('of cta-without-retriever judge the dictionary’s names and draw ADD from the vocabulary', async () => {
    const sources = { dictionary: source('dictionary', ['designation']), vocabulary: source('vocabulary', names) };
    const scorer = scorerOf({ 'name > designation': 0.9, 'designation > name': 0.9 });
    const list = await decisions(createStages({ recipe: RECIPES['cta-without-retriever'], sources, scorer }));
    expect(list.filter(({ bucket }) => bucket === 'RPL')).toMatchObject([
      { candidate: 'designation', reason: 'entailment' },
    ]);
    expect(list.filter(({ bucket }) => bucket === 'ADD')).toHaveLength(5);
    expect(scorer.asked.every(({ premise, hypothesis }) => `${premise}${hypothesis}`.includes('designation'))).toBe(
      true,
    );
  });
});
