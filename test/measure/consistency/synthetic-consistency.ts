import { HARDNESS_LEVELS } from '../../../src/evaluate/exact/hardness.js';
import {
  CAPABILITIES,
  type ConsistencyFigures,
  type ConsistencyReport,
  type FailureCluster,
} from '../../../src/measure/consistency/consistency-report.js';
import { QUERY_FEATURES } from '../../../src/sql/query-features.js';
import { KEEPING_IDS } from '../../../src/variants/relations/relations.js';

const CASES = 1000;

function figuresOf(rate: number): ConsistencyFigures {
  const own = { judged: CASES, inconsistent: Math.round(CASES * rate), rate };
  return {
    cases: CASES,
    seeds: 100,
    open: 0,
    ...own,
    interval: { mean: rate, low: rate * 0.8, high: rate * 1.2, confidence: 0.95 },
    by: { exact: own, execution: own },
    accuracy: {
      exact: { cases: CASES, seeds: 0.5, mutants: 0.45, broken: 60, mended: 10 },
      execution: { cases: CASES, seeds: 0.6, mutants: 0.55, broken: 55, mended: 5 },
    },
  };
}

function clusterOf(relation: string, failures: number): FailureCluster {
  const sides = { exact: 'correct' as const, execution: 'correct' as const, failure: null };
  return {
    relation,
    failures,
    seeds: 3,
    databases: 2,
    changes: ['tables', 'columns'],
    errorType: 'table joining',
    example: {
      id: `dev:1~${relation}.0`,
      seed: 'dev:1',
      dbId: 'concert~1',
      origin: 'concert',
      relations: [relation],
      details: ['dropped singer.song_name'],
      shrunkFrom: null,
      before: {
        ...sides,
        question: 'What is the age?',
        gold: 'SELECT age FROM singer',
        predicted: 'SELECT age FROM singer',
      },
      after: {
        ...sides,
        exact: 'wrong',
        question: 'Tell me what is the age?',
        gold: 'SELECT age FROM singer',
        predicted: 'SELECT song_release_year FROM singer JOIN concert ON singer.id = concert.singer_id',
      },
      schema: { before: ['singer(id, name, song_name, age)'], after: ['singer(id, name, age)'] },
    },
  };
}

/** A report with figures for all relations, each with the same rate. */
export function syntheticConsistency({
  rate,
  relations = KEEPING_IDS,
}: {
  readonly rate: number;
  readonly relations?: readonly string[];
}): ConsistencyReport {
  const cell = (
    relation: string,
    i: number,
  ): { relation: string; cases: number; judged: number; inconsistent: number; rate: number } => ({
    relation,
    cases: 90,
    judged: 90,
    inconsistent: i,
    rate: i / 90,
  });
  return {
    format: 'perturbql-consistency',
    version: 1,
    perturbql: '0.1.0',
    victim: { id: 'baseline', description: 'built-in parser', fingerprint: 'baseline:1' },
    dataset: { format: 'spider', seeds: 1034, databases: 20, fingerprint: 'd' },
    mutants: { cases: 12_000, schemas: 2000, fingerprint: 'm' },
    settings: {
      values: 'ignored',
      metrics: { exact: 'exact-values-ignored@3', execution: 'execution-ordered@2' },
      fold: null,
      seed: 0,
      shrinkQuestions: 200,
    },
    accuracy: { exact: 0.5, execution: 0.6 },
    all: figuresOf(rate),
    relations: Object.fromEntries(relations.map((relation) => [relation, figuresOf(rate)])),
    features: relations.flatMap((relation, r) =>
      QUERY_FEATURES.map((key, k) => ({ key, ...cell(relation, (r * k) % 23) })),
    ),
    hardness: relations.flatMap((relation, r) => HARDNESS_LEVELS.map((key, k) => ({ key, ...cell(relation, r * k) }))),
    capabilities: CAPABILITIES.map(({ id, relations: own }) => ({ id, rate, relations: [...own] })),
    clusters: relations.flatMap((relation) => [clusterOf(relation, 30), clusterOf(relation, 4)]),
    usage: {
      questions: 13_034,
      shrinking: 0,
      calls: 0,
      promptTokens: 0,
      completionTokens: 0,
      failures: { 'no-sql': 3 },
    },
    warnings: ['one thing to know'],
  };
}
