import { examplesNamed } from '../../../formats/dataset.js';
import { formatCount } from '../../../counts.js';
import { someIds } from '../../../report/figures.js';
import { askedDatabases, type AskedInputs } from '../../asked-inputs.js';
import { type ChosenVictim, warningOf } from '../../../victims/create-victim.js';
import { learnsFromAsked } from '../../../victims/victims.js';
import { costOf, countFailures, type VictimAnswer } from '../../../victims/victim.js';
import { executionsOf } from '../../../victims/executions/execution-figures.js';
import { warnOfUnanswered } from '../../asked-report.js';
import type { RecompositionReport } from '../../compositions/recomposition-report.js';
import { recompositionWarnings } from '../../compositions/measure-recompositions.js';
import { groupBy } from '../../../run/group-by.js';
import { mustGet } from '../../../present.js';
import { memoizeObject } from '../../../schema/memoize.js';
import { sha256Of } from '../../../run/sha256.js';
import { VERSION } from '../../../version.js';
import {
  CAPABILITIES,
  type ConsistencyFigures,
  type ConsistencyReport,
  type FailureCluster,
  type ConsistencyRate,
  type ExpectedFigures,
  type ReportedAccuracy,
} from '../consistency-report.js';
import type { ConsistencyOptions } from '../consistency-options.js';
import type { JudgedCase } from '../consistency-judge.js';
import { countedRelation, rankOfRelation } from '../../../variants/relations/counted-relation.js';
import type { SeedGroup } from '../../mutants/subject-store.js';
import { pairedFlips } from '../../mutants/paired-flips.js';
import { HARDNESS_LEVELS, UNKNOWN_HARDNESS } from '../../../evaluate/exact/hardness.js';
import { featuresOf, QUERY_FEATURES, type QueryFeature } from '../../../sql/query-features.js';
import { meanOf } from '../../../report/statistics/mean.js';
import { type PairedPoints, testPairs } from '../../../report/statistics/paired-points.js';
import { rateInterval } from '../../../report/statistics/bootstrap.js';
import { createRng } from '../../../seeded-rng.js';
import { accuracyOf, isMeasured, pointOf } from '../../judged-answer.js';
import { EXPECTED_ANSWERS, expectedAnswer } from '../../../variants/relations/relation.js';
import type { Sameness } from '../../../evaluate/exact/same-query.js';
import { ANSWER_METRICS, type AnswerMetric } from '../../../victims/scoring.js';

/** The inputs of a report. */
export interface ConsistencyFindings {
  readonly options: ConsistencyOptions;
  readonly inputs: AskedInputs;
  readonly chosen: Pick<ChosenVictim, 'id' | 'fingerprint' | 'description' | 'warning'>;
  readonly metrics: ConsistencyReport['settings']['metrics'];
  readonly cases: readonly JudgedCase[];
  readonly clusters: readonly FailureCluster[];
  /** Null where no composed questions were asked. */
  readonly compositions: RecompositionReport | null;
  /** Each answer once. */
  readonly answers: readonly VictimAnswer[];
  /** Of them, those that shrinking asked for. */
  readonly shrinking: number;
  /** Ids of questions that predictions from elsewhere lack. */
  readonly missing: readonly string[];
}

/** Figures by relation. */
function relationFigures(cases: readonly JudgedCase[], seed: number): Record<string, ConsistencyFigures> {
  const groups = [...groupBy(cases, ({ mutant }) => countedRelation(mutant))];
  groups.sort(([a], [b]) => rankOfRelation(a) - rankOfRelation(b));
  return Object.fromEntries(groups.map(([relation, own]) => [relation, figuresOf(own, seed, relation)]));
}

/** The mean rate of each capability's relations; relations that have no rate are left out. */
function capabilityRates(
  relations: Readonly<Record<string, Pick<ConsistencyFigures, 'rate'>>>,
): ConsistencyReport['capabilities'] {
  return CAPABILITIES.map(({ id, relations: own }) => {
    const measured = own.flatMap((relation) => {
      const rate = relations[relation]?.rate ?? null;
      return rate === null ? [] : [{ relation, rate }];
    });
    const rate = measured.length === 0 ? null : meanOf(measured.map((one) => one.rate));
    return { id, rate, relations: measured.map(({ relation }) => relation) };
  });
}

function usageOf({ answers, shrinking }: ConsistencyFindings): ConsistencyReport['usage'] {
  return {
    questions: answers.length,
    shrinking,
    ...costOf(answers),
    failures: countFailures(answers),
    ...executionsOf(answers),
  };
}

function warnOfGold(cases: readonly JudgedCase[]): readonly string[] {
  return (['exact', 'execution'] as const).flatMap((metric) => {
    const bad = cases.filter(({ after }) => after[metric]?.outcome === 'bad-gold').map(({ mutant }) => mutant.id);
    if (bad.length === 0) return [];
    return [
      `${metric}: the gold query of ${formatCount(bad.length)} mutants has no answer; they are left out of its accuracy: ${someIds(bad)}`,
    ];
  });
}

function warningsOf(findings: ConsistencyFindings): string[] {
  const { options, inputs, chosen, cases, compositions } = findings;
  const warnings = [...(inputs.dataset.notes ?? []), ...warningOf(chosen), ...warnOfGold(cases)];
  if (compositions !== null) warnings.push(...recompositionWarnings(compositions));
  const withoutGold = (inputs.mutants?.groups ?? []).filter(isWithoutGold).length;
  if (withoutGold > 0) {
    warnings.push(
      `${formatCount(withoutGold)} seeds have no gold query: the results of both predictions tell whether they agree, and there is no accuracy`,
    );
  }
  const unexecuted = cases.filter(({ hasRows }) => !hasRows).length;
  if (unexecuted > 0) {
    warnings.push(
      `${formatCount(unexecuted)} mutants are not executed, as there are no rows: they are told by exact match alone`,
    );
  }
  const untold = cases.filter(({ isSame, isOpen }) => isSame === null && !isOpen).length;
  if (untold > 0) {
    warnings.push(
      `of ${formatCount(untold)} mutants it can't be told whether the prediction changed; they count in no rate`,
    );
  }
  warnings.push(...warnOfUnanswered(findings, '; their cases count in no rate until they are asked again'));
  if (options.fold !== null && !learnsFromAsked(options.victim)) {
    warnings.push('only the fold was asked; that the model did not learn from it is not checked');
  }
  return warnings;
}

const isWithoutGold = ({ seed }: SeedGroup): boolean => seed.query === null;

/** Summarizes a run: all that `report.json` and its page hold. The same answers give the same report. */
export function summarizeConsistency(findings: ConsistencyFindings): ConsistencyReport {
  const { options, inputs, chosen, metrics, cases, clusters, compositions } = findings;
  const { dataset, mutants } = inputs;
  const groups = mutants?.groups ?? [];
  const { seed, values, fold, shrinkQuestions } = options;
  const relations = relationFigures(cases, seed);
  const own = cases.filter(({ mutant }) => mutant.db_id !== mutant.origin);
  const withoutGold = groups.filter(isWithoutGold).length;
  return {
    format: 'perturbql-consistency',
    version: 1,
    perturbql: VERSION,
    victim: { id: chosen.id, description: chosen.description, fingerprint: chosen.fingerprint },
    dataset: {
      ...examplesNamed(options),
      format: dataset.format,
      seeds: groups.length,
      ...(withoutGold === 0 ? {} : { withoutGold }),
      databases: new Set(askedDatabases(inputs)).size,
      fingerprint: sha256Of(JSON.stringify(dataset.fingerprints)),
    },
    mutants: mutants && {
      cases: cases.length,
      schemas: new Set(own.map(({ mutant }) => mutant.db_id)).size,
      fingerprint: mustGet(mutants.run.fingerprints['mutants'], 'run.fingerprints[mutants]'),
    },
    settings: { values, metrics, fold, seed, shrinkQuestions },
    accuracy: byMetric((metric) =>
      accuracyOf(
        cases.map(({ before }) => before),
        metric,
      ),
    ),
    all: figuresOf(cases, seed, 'all'),
    relations,
    paired: pairedFlips(cases, Object.keys(relations), seed),
    features: featureCells(cases),
    hardness: hardnessCells(cases),
    capabilities: capabilityRates(relations),
    ...(compositions === null ? {} : { compositions }),
    clusters: [...clusters],
    usage: usageOf(findings),
    warnings: warningsOf(findings),
  };
}

type Key = ConsistencyReport['features'][number]['key'] | ConsistencyReport['hardness'][number]['key'];

/** By relation and key, the cases that have it; keys in their order, none without a case. */
function cellsOf<K extends Key>(
  cases: readonly JudgedCase[],
  keys: readonly K[],
  has: (one: JudgedCase, key: K) => boolean,
): { relation: string; key: K; cases: number; judged: number; inconsistent: number; rate: number | null }[] {
  return [...groupBy(cases, ({ mutant }) => countedRelation(mutant))].flatMap(([relation, own]) =>
    keys.flatMap((key) => {
      const having = own.filter((one) => has(one, key));
      if (having.length === 0) return [];
      return [{ relation, key, cases: having.length, ...rateOf(having.map(({ isSame }) => isSame)) }];
    }),
  );
}

/** The heat map by feature of the seed's gold. */
function featureCells(cases: readonly JudgedCase[]): ConsistencyReport['features'] {
  const featuresFor = memoizeObject(
    ({ query }: SeedGroup['seed']) => new Set<QueryFeature>(query === null ? [] : featuresOf(query)),
  );
  return cellsOf(cases, QUERY_FEATURES, ({ group }, feature) => featuresFor(group.seed).has(feature));
}

/** The same by the hardness of the seed's gold. */
function hardnessCells(cases: readonly JudgedCase[]): ConsistencyReport['hardness'] {
  const levels = [...HARDNESS_LEVELS, UNKNOWN_HARDNESS] as const;
  return cellsOf(cases, levels, ({ before: { exact } }, level) => {
    return exact?.hardness === (level === UNKNOWN_HARDNESS ? null : level);
  });
}

/** How often predictions are not as expected, of those that can be told. */
function rateOf(verdicts: readonly Sameness[]): ConsistencyRate {
  const judged = verdicts.filter((isSame) => isSame !== null);
  const inconsistent = judged.filter((isSame) => !isSame).length;
  return { judged: judged.length, inconsistent, rate: judged.length === 0 ? null : inconsistent / judged.length };
}

function pairedAccuracy(cases: readonly JudgedCase[], metric: AnswerMetric): ReportedAccuracy | null {
  const measured = cases.filter((one) => isMeasured(one, metric));
  if (measured.length === 0) return null;
  const pairs = measured.map(({ mutant, before, after }): PairedPoints => {
    return { cluster: mutant.seed, first: pointOf(before, metric), second: pointOf(after, metric) };
  });
  const { onlyFirst, onlySecond } = testPairs(pairs);
  return {
    cases: pairs.length,
    seeds: meanOf(pairs.map(({ first }) => first)),
    mutants: meanOf(pairs.map(({ second }) => second)),
    broken: onlyFirst,
    mended: onlySecond,
  };
}

function byMetric<T>(make: (metric: AnswerMetric) => T): Record<AnswerMetric, T> {
  return Object.fromEntries(ANSWER_METRICS.map((metric) => [metric, make(metric)])) as Record<AnswerMetric, T>;
}

/** Returns figures for mutants, whatever they ask for; the interval draws all mutants of a seed together. */
function foundOf(cases: readonly JudgedCase[], seed: number, purpose: string): ExpectedFigures {
  const bySeed = groupBy(cases, ({ mutant }) => mutant.seed);
  const clusters = [...bySeed.values()].map((own) =>
    own.flatMap(({ isSame }) => (isSame === null ? [] : [Number(!isSame)])),
  );
  return {
    cases: cases.length,
    seeds: bySeed.size,
    open: cases.filter(({ isOpen }) => isOpen).length,
    ...rateOf(cases.map(({ isSame }) => isSame)),
    interval: rateInterval(clusters, createRng(seed, `consistency ${purpose}`)),
    by: byMetric((metric) => rateOf(cases.map(({ same }) => same[metric]))),
    accuracy: byMetric((metric) => pairedAccuracy(cases, metric)),
  };
}

/** Returns figures for mutants, in all and by expected answer. `purpose` names the intervals' random stream. */
function figuresOf(cases: readonly JudgedCase[], seed: number, purpose: string): ConsistencyFigures {
  const apart = groupBy(cases, ({ mutant }) => expectedAnswer(mutant));
  const expected = EXPECTED_ANSWERS.flatMap((answer) => {
    const own = apart.get(answer);
    return own === undefined ? [] : [[answer, foundOf(own, seed, purpose)] as const];
  });
  return {
    ...foundOf(cases, seed, purpose),
    expected: Object.fromEntries(expected),
  };
}
