import {
  ATTACK_CONDITIONS,
  type AttackBreakdown,
  type AttackCase,
  type AttackCondition,
  type AttackReport,
  type AttackScore,
  type Fragility,
  type PerturbedCase,
  type ReportedChange,
} from '../../../../src/measure/attack/attack-report.js';
import { EXACT_COMPONENTS } from '../../../../src/evaluate/exact/components.js';
import { HARDNESS_LEVELS } from '../../../../src/evaluate/exact/hardness.js';
import { type Outcome, OUTCOMES } from '../../../../src/evaluate/metric.js';
import { bootstrapMean } from '../../../../src/report/statistics/bootstrap.js';
import { testMcNemar } from '../../../../src/report/statistics/mcnemar.js';
import { createRng, pick } from '../../../../src/seeded-rng.js';
import type { Database } from '../../../../src/schema/schema.js';
import type { Rng } from '../../../../src/stage.js';
import type { AnswerMetric } from '../../../../src/victims/scoring.js';

const SUBJECTS = 'concert singer pets car flight battle course student museum player country dog orchestra voter'.split(
  ' ',
);
const COLUMNS: Readonly<Record<string, { readonly RPL: readonly string[]; readonly ADD: readonly string[] }>> = {
  name: { RPL: ['title', 'label', 'full name'], ADD: ['nickname', 'brand name'] },
  country: { RPL: ['nation', 'state of origin'], ADD: ['continent', 'country of residence'] },
  year: { RPL: ['calendar year', 'annum'], ADD: ['founding year', 'month'] },
  age: { RPL: ['years old', 'years of life'], ADD: ['retirement age'] },
  capacity: { RPL: ['maximum number of people', 'size'], ADD: ['attendance', 'highest attendance'] },
  'home town': { RPL: ['place of birth', 'city of origin'], ADD: ['mailing city'] },
};
const NAMES = Object.keys(COLUMNS);
const LINES = 2_147_483_647;

const sqlName = (name: string): string => name.replaceAll(' ', '_');
const dbOf = (index: number): string =>
  `${SUBJECTS[index % SUBJECTS.length]!}_${1 + Math.floor(index / SUBJECTS.length)}`;

/** The databases that `syntheticReport` speaks of. */
export function syntheticDatabases(count = 20): readonly Database[] {
  return Array.from({ length: count }, (_, index) => ({
    id: dbOf(index),
    tables: ['entry', 'event'].map((name) => ({
      name,
      originalName: name,
      columns: NAMES.map((column) => ({ name: column, originalName: sqlName(column), type: 'text' as const })),
    })),
    primaryKeys: [],
    foreignKeys: [],
  }));
}

interface Query {
  readonly columns: readonly string[];
  readonly sql: (nameOf: (column: string) => string) => string;
}

function drawQuery(rng: Rng): Query {
  const [a, b] = [pick(NAMES, rng), pick(NAMES, rng)];
  const value = rng.int(90) + 1;
  const shapes: readonly Query[] = [
    { columns: [a], sql: (nameOf) => `SELECT ${nameOf(a)} FROM entry` },
    { columns: [a, b], sql: (nameOf) => `SELECT ${nameOf(a)} FROM entry WHERE ${nameOf(b)} > ${value}` },
    {
      columns: [a, b],
      sql: (nameOf) =>
        `SELECT ${nameOf(a)}, count(*) FROM entry GROUP BY ${nameOf(a)} HAVING avg(${nameOf(b)}) < ${value}`,
    },
    {
      columns: [a, b],
      sql: (nameOf) =>
        `SELECT T1.${nameOf(a)} FROM entry AS T1 JOIN event AS T2 ON T1.name = T2.name ORDER BY T1.${nameOf(b)} DESC LIMIT 1`,
    },
  ];
  const { columns, sql } = pick(shapes, rng);
  return { columns: [...new Set(columns)], sql };
}

function drawOutcome(rng: Rng, right: number): Outcome {
  if (rng.next() < right) return 'correct';
  return pick(['wrong', 'wrong', 'wrong', 'failing', 'unparsable'] as const, rng);
}

function drawAnswer(
  rng: Rng,
  right: number,
  gold: string,
  wrong: string,
  metrics: readonly AnswerMetric[],
): AttackCase['original'] {
  if (rng.next() < 0.01) {
    const outcome = (metric: AnswerMetric): Outcome | null => (metrics.includes(metric) ? 'empty' : null);
    return {
      predicted: null,
      failure: 'cut-off',
      cleaned: [],
      exact: outcome('exact'),
      execution: outcome('execution'),
    };
  }
  const exact = drawOutcome(rng, right);
  const execution = exact === 'correct' ? 'correct' : drawOutcome(rng, 0.1);
  return {
    predicted: exact === 'correct' ? gold : wrong,
    failure: null,
    cleaned: rng.next() < 0.02 ? ['code-fence', 'semicolon'] : [],
    exact: metrics.includes('exact') ? exact : null,
    execution: metrics.includes('execution') ? execution : null,
  };
}

function drawPerturbed(
  rng: Rng,
  changesRng: Rng,
  kind: 'RPL' | 'ADD',
  seed: number,
  query: Query,
  right: number,
  metrics: readonly AnswerMetric[],
): PerturbedCase {
  const changes = query.columns.map((column): ReportedChange => {
    const candidate = pick(COLUMNS[column]![kind], changesRng);
    return { table: 'entry', column, candidate, originalName: sqlName(column), newName: sqlName(candidate) };
  });
  const renamed = new Map(changes.map(({ column, newName }) => [column, newName]));
  const changedName = (column: string): string => renamed.get(column) ?? sqlName(column);
  const gold = query.sql(kind === 'RPL' ? changedName : sqlName);
  const wrong = query.sql(kind === 'RPL' ? sqlName : changedName);
  return { ...drawAnswer(rng, right, gold, wrong, metrics), kind, seed, changes, gold, queries: 1 };
}

/** Size and shape of a made-up run. */
export interface SyntheticSize {
  readonly examples?: number;
  readonly databases?: number;
  readonly seeds?: readonly number[];
  readonly metrics?: readonly AnswerMetric[];
  readonly seed?: number;
  /** Chance of a right answer by condition. */
  readonly right?: Readonly<Record<AttackCondition, number>>;
}

const RIGHT = { original: 0.71, RPL: 0.29, ADD: 0.41 } as const;

function drawCase(index: number, size: Required<SyntheticSize>): AttackCase {
  const { seeds, metrics, right } = size;
  // Questions and perturbations are the same whatever the victim; only its answers depend on the seed.
  const query = drawQuery(createRng(0, `query ${index}`));
  const rng = createRng(size.seed, `case ${index}`);
  const hardness = HARDNESS_LEVELS[index % 4]!;
  const ease = 1.15 - 0.1 * (index % 4);
  const gold = query.sql(sqlName);
  const dbId = dbOf(index % size.databases);
  const draw = (kind: 'RPL' | 'ADD'): PerturbedCase[] =>
    seeds.map((seed) =>
      drawPerturbed(rng, createRng(seed, `changes ${index} ${kind}`), kind, seed, query, right[kind] * ease, metrics),
    );
  return {
    id: `dev:${index}`,
    dbId,
    question: `What is the ${query.columns.join(' and the ')} of each ${dbId.split('_')[0]!} in list ${index}?`,
    hardness,
    gold,
    original: drawAnswer(rng, right.original * ease, gold, gold.replace('entry', 'event'), metrics),
    perturbed: [...draw('RPL'), ...draw('ADD')],
  };
}

interface Scored {
  readonly id: string;
  readonly seed: number | null;
  readonly before: Outcome;
  readonly after: Outcome;
}

function scoredOf(cases: readonly AttackCase[], metric: AnswerMetric, condition: AttackCondition): Scored[] {
  return cases.flatMap(({ id, original, perturbed }): Scored[] => {
    const before = original[metric]!;
    if (condition === 'original') return [{ id, seed: null, before, after: before }];
    const own = perturbed.filter(({ kind }) => kind === condition);
    return own.map((one) => ({ id, seed: one.seed, before, after: one[metric]! }));
  });
}

const right = (outcome: Outcome): number => Number(outcome === 'correct');
const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function byExample(scored: readonly Scored[], valueOf: (one: Scored) => number): number[][] {
  const groups = new Map<string, number[]>();
  for (const one of scored) groups.set(one.id, [...(groups.get(one.id) ?? []), valueOf(one)]);
  return [...groups.values()];
}

function scoreOf(
  cases: readonly AttackCase[],
  seeds: readonly number[],
  metric: AnswerMetric,
  condition: AttackCondition,
): AttackScore {
  const scored = scoredOf(cases, metric, condition);
  const rng = (name: string): Rng => createRng(0, `${name} ${metric} ${condition}`);
  const bySeed =
    condition === 'original'
      ? [meanOf(scored.map(({ after }) => right(after)))]
      : seeds.map((seed) => meanOf(scored.filter((one) => one.seed === seed).map(({ after }) => right(after))));
  const accuracy = meanOf(bySeed);
  const squares = bySeed.reduce((sum, value) => sum + (value - accuracy) ** 2, 0);
  const outcomes = Object.fromEntries(
    OUTCOMES.map((outcome) => [outcome, scored.filter(({ after }) => after === outcome).length]),
  ) as AttackScore['outcomes'];
  const lost = ({ before, after }: Scored): number => right(before) - right(after);
  const absolute = meanOf(scored.map(lost));
  const before = meanOf(scored.map((one) => right(one.before)));
  return {
    metric,
    condition,
    accuracy,
    std: bySeed.length < 2 ? null : Math.sqrt(squares / (bySeed.length - 1)),
    bySeed,
    interval: bootstrapMean(
      byExample(scored, ({ after }) => right(after)),
      rng('accuracy'),
      { resamples: 25 },
    ),
    drop:
      condition === 'original'
        ? null
        : {
            absolute,
            relative: before === 0 ? null : absolute / before,
            interval: bootstrapMean(byExample(scored, lost), rng('drop'), { resamples: 25 }),
            mcnemar: testMcNemar(
              scored.filter((one) => lost(one) > 0).length,
              scored.filter((one) => lost(one) < 0).length,
            ),
          },
    outcomes,
  };
}

function breakdownOf(
  cases: readonly AttackCase[],
  metrics: readonly AnswerMetric[],
  keyOf: (one: AttackCase) => string,
): AttackBreakdown[] {
  const keys = [...new Set(cases.map(keyOf))];
  return metrics.flatMap((metric) =>
    keys.map((key) => {
      const own = cases.filter((one) => keyOf(one) === key);
      const accuracyOf = (condition: AttackCondition): number =>
        meanOf(scoredOf(own, metric, condition).map(({ after }) => right(after)));
      const accuracy = { original: accuracyOf('original'), RPL: accuracyOf('RPL'), ADD: accuracyOf('ADD') };
      return { metric, key, examples: own.length, accuracy };
    }),
  );
}

function fragilities(cases: readonly AttackCase[], metric: AnswerMetric, withCandidate: boolean): Fragility[] {
  const found = new Map<string, Fragility>();
  for (const { dbId, original, perturbed } of cases) {
    for (const one of perturbed.filter(() => original[metric] === 'correct')) {
      for (const { table, column, candidate } of one.changes) {
        const named = withCandidate ? candidate : null;
        const key = JSON.stringify([one.kind, dbId, table, column, named]);
        const before = found.get(key) ?? {
          kind: one.kind,
          dbId,
          table,
          column,
          candidate: named,
          cases: 0,
          broken: 0,
        };
        found.set(key, {
          ...before,
          cases: before.cases + 1,
          broken: before.broken + Number(one[metric] !== 'correct'),
        });
      }
    }
  }
  return [...found.values()].sort((a, b) => b.broken / b.cases - a.broken / a.cases || b.cases - a.cases);
}

/** A made-up attack whose figures fit its cases; the same size gives the same report. */
export function syntheticReport(given: SyntheticSize = {}): AttackReport {
  const size: Required<SyntheticSize> = {
    examples: 60,
    databases: 20,
    seeds: [0, 1, 2, 3, 4],
    metrics: ['exact', 'execution'],
    seed: 0,
    right: RIGHT,
    ...given,
  };
  const { metrics, seeds } = size;
  const cases = Array.from({ length: size.examples }, (_, index) => drawCase(index, size));
  const easier = (by: number) => (value: number | null) => (value === null ? null : Math.min(1, value + by));
  return {
    format: 'perturbql-attack',
    version: 1,
    perturbql: '0.1.0',
    victim: {
      id: 'baseline',
      description: 'nearest example with lexical linking',
      fingerprint: `victim-${size.seed % LINES}`,
    },
    dataset: { format: 'spider', examples: cases.length, databases: size.databases, fingerprint: 'd'.repeat(64) },
    settings: {
      strategy: 'random',
      budget: null,
      seeds: [...seeds],
      candidates: 'adveta:data/adveta',
      linkedKeys: 'same',
      addPosition: 'seeded',
      metrics: Object.fromEntries(metrics.map((metric) => [metric, `${metric}-v1`])),
      databases: metrics.includes('execution') ? 'e'.repeat(64) : null,
    },
    scores: metrics.flatMap((metric) => ATTACK_CONDITIONS.map((condition) => scoreOf(cases, seeds, metric, condition))),
    leftOut: [{ reason: 'no column of the gold query has a candidate', examples: 7 }],
    byHardness: breakdownOf(cases, metrics, ({ hardness }) => hardness!),
    byDatabase: breakdownOf(cases, metrics, ({ dbId }) => dbId),
    byComponent: !metrics.includes('exact')
      ? []
      : EXACT_COMPONENTS.map((key, i) => {
          const all = breakdownOf(cases, ['exact'], () => key)[0]!;
          const lift = easier(0.02 * i);
          const { original, RPL, ADD } = all.accuracy;
          return { ...all, accuracy: { original: lift(original), RPL: lift(RPL), ADD: i === 8 ? null : lift(ADD) } };
        }),
    columns: fragilities(cases, metrics[0]!, false),
    candidates: fragilities(cases, metrics[0]!, true),
    usage: {
      questions: cases.length * (1 + 2 * seeds.length),
      calls: cases.length * (1 + 2 * seeds.length) + 12,
      promptTokens: 1_204_332,
      completionTokens: 88_120,
      failures: { original: { 'cut-off': 2 }, RPL: { 'cut-off': 12, 'no-sql': 3 }, ADD: { 'cut-off': 9 } },
      cleaned: { 'code-fence': 31, semicolon: 31 },
    },
    warnings: [],
    cases,
  };
}
