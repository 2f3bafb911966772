import { someIds } from '../../report/figures.js';
import type { ChosenVictim } from '../../victims/create-victim.js';
import { learnsFromAsked } from '../../victims/victims.js';
import { costOf, countFailures } from '../../victims/answer-cost.js';
import { executionsOf } from '../../victims/executions/execution-figures.js';
import type { RecompositionReport } from '../../victims/recomposition/recomposition-report.js';
import { recompositionWarnings } from '../../victims/recomposition/summarize-recompositions.js';
import { isSettled, type VictimAnswer } from '../../victims/victim.js';
import { groupBy } from '../../run/group-by.js';
import { mustGet } from '../../present.js';
import { sha256Of } from '../../run/sha256.js';
import { VERSION } from '../../version.js';
import { CAPABILITIES } from '../capabilities.js';
import type { ConsistencyInputs } from '../consistency-inputs.js';
import type { ConsistencyOptions } from '../consistency-options.js';
import type { ConsistencyFigures, ConsistencyReport, FailureCluster } from '../consistency-report.js';
import type { JudgedCase } from '../judge/consistency-judge.js';
import { countedRelation, rankOfRelation } from '../../metamorphic/counted-relation.js';
import type { SeedGroup } from '../../victims/mutants/subject.js';
import { figuresOf, seedAccuracy } from './figures.js';
import { pairedFlips } from '../../victims/mutants/paired-flips.js';
import { featureCells, hardnessCells } from './heat-cells.js';

/** The inputs of a report. */
export interface ConsistencyFindings {
  readonly options: ConsistencyOptions;
  readonly inputs: ConsistencyInputs;
  readonly chosen: Pick<ChosenVictim, 'id' | 'fingerprint' | 'description'>;
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
    const sum = measured.reduce((total, { rate }) => total + rate, 0);
    const rate = measured.length === 0 ? null : sum / measured.length;
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
      `${metric}: the gold of ${bad.length} mutants has no answer; they are left out of its accuracy: ${someIds(bad)}`,
    ];
  });
}

function warningsOf({ options, inputs, cases, compositions, answers, missing }: ConsistencyFindings): string[] {
  const warnings = [...(inputs.dataset.notes ?? []), ...warnOfGold(cases)];
  if (compositions !== null) warnings.push(...recompositionWarnings(compositions));
  const withoutGold = inputs.groups.filter(isWithoutGold).length;
  if (withoutGold > 0) {
    warnings.push(
      `${withoutGold} seeds have no gold query: the results of both predictions tell whether they agree, and there is no accuracy`,
    );
  }
  const unexecuted = cases.filter(({ hasRows }) => !hasRows).length;
  if (unexecuted > 0) {
    warnings.push(`${unexecuted} mutants are not executed, as there are no rows: they are told by exact match alone`);
  }
  const untold = cases.filter(({ isSame, isOpen }) => isSame === null && !isOpen).length;
  if (untold > 0) {
    warnings.push(`of ${untold} mutants it can't be told whether the prediction changed; they count in no rate`);
  }
  const open = answers.filter((answer) => !isSettled(answer)).length;
  if (open > 0) {
    warnings.push(
      `${open} questions have no answer because of transient failures; their cases count in no rate until they are asked again`,
    );
  }
  if (missing.length > 0) {
    warnings.push(`${missing.length} questions have no prediction and count as unanswered: ${someIds(missing)}`);
  }
  if (options.fold !== null && !learnsFromAsked(options.victim)) {
    warnings.push('only the fold was asked; that the model did not learn from it is not checked');
  }
  return warnings;
}

function askedDatabases({ groups, compositions }: ConsistencyInputs): readonly string[] {
  return [...groups.map(({ seed }) => seed.db_id), ...(compositions?.cases ?? []).map(({ child }) => child.dbId)];
}

const isWithoutGold = ({ seed }: SeedGroup): boolean => seed.query === null;

/** Summarizes a run: all that `report.json` and its page hold. The same answers give the same report. */
export function summarizeConsistency(findings: ConsistencyFindings): ConsistencyReport {
  const { options, inputs, chosen, metrics, cases, clusters, compositions } = findings;
  const { dataset, run, groups } = inputs;
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
      format: dataset.format,
      seeds: groups.length,
      ...(withoutGold === 0 ? {} : { withoutGold }),
      databases: new Set(askedDatabases(inputs)).size,
      fingerprint: sha256Of(JSON.stringify(dataset.fingerprints)),
    },
    mutants: run && {
      cases: cases.length,
      schemas: new Set(own.map(({ mutant }) => mutant.db_id)).size,
      fingerprint: mustGet(run.fingerprints['mutants'], 'run.fingerprints[mutants]'),
    },
    settings: { values, metrics, fold, seed, shrinkQuestions },
    accuracy: { exact: seedAccuracy(cases, 'exact'), execution: seedAccuracy(cases, 'execution') },
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
