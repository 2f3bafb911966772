import { examplesNamed } from '../../../formats/dataset.js';
import { keepsGold } from '../../../formats/output-set.js';
import { countNoun, formatCount } from '../../../counts.js';
import { someIds } from '../../../report/figures.js';
import type { PerturbationKind } from '../../../variants/relations/names/candidate-pool.js';
import { sha256Of } from '../../../run/sha256.js';
import { columnAt, columnKey, type Database } from '../../../schema/schema.js';
import { VERSION } from '../../../version.js';
import type { AttackOptions } from '../attack-options.js';
import { type AttackPlan, drawnSeeds, type PlannedGroup } from '../attack-plan.js';
import {
  ATTACK_CONDITIONS,
  type AttackCase,
  type AttackReport,
  type PerturbedCase,
  type ReportedChange,
} from '../attack-report.js';
import { ATTACK_METRICS, type AttackMetric } from '../../../victims/scoring.js';
import { warnOfUnanswered } from '../../asked-report.js';
import type { MutantReport } from '../../mutants/mutant-report.js';
import type { RecompositionReport } from '../../compositions/recomposition-report.js';
import { recompositionWarnings } from '../../compositions/measure-recompositions.js';
import { type ChosenVictim, warningOf } from '../../../victims/create-victim.js';
import type { TableSet } from '../table-set.js';
import { costOf, countBy, countFailures, type VictimAnswer } from '../../../victims/victim.js';
import {
  breakDownByComponent,
  breakDownByDatabase,
  breakDownByDifficulty,
  breakDownByHardness,
  countFragility,
} from './breakdowns.js';
import { scoreConditions, summarizeColumns } from './condition-scores.js';
import {
  answersOf,
  answersUnder,
  hardnessOf,
  type ScoredAnswer,
  type ScoredExample,
  type ScoredVariant,
} from './scored-example.js';
import { changeOf, outcomeOf } from '../../judged-answer.js';
import { executionsOf } from '../../../victims/executions/execution-figures.js';
import type { ResultDifference } from '../../../report/result-difference.js';
import type { ColumnChange } from '../../../variants/relations/names/draw-perturbation.js';
import type { AnswerScorer } from '../../../victims/answer-scorer.js';
import { toScore } from '../asking.js';
import type { PerturbedRows } from '../perturbed-rows.js';

/** Of the variants that turned wrong by execution: where the two results differ. */
export async function differencesOf(
  examples: readonly ScoredExample[],
  { scorer, rows }: { readonly scorer: AnswerScorer; readonly rows: PerturbedRows },
  signal: AbortSignal,
): Promise<ReadonlyMap<ScoredVariant, ResultDifference>> {
  const broken = examples.flatMap((scored) =>
    scored.variants.flatMap((variant) => {
      const { before, after, tables } = variant;
      if (changeOf(outcomeOf(before, 'execution'), outcomeOf(after, 'execution')) !== 'broken') return [];
      return [{ variant, answered: toScore({ ...scored, tables, answer: after.answer }, rows) }];
    }),
  );
  const differences = await scorer.differences(
    broken.map(({ answered }) => answered),
    signal,
  );
  return new Map(
    broken.flatMap(({ variant, answered }) => {
      const difference = differences.get(answered.id);
      return difference === undefined ? [] : [[variant, difference] as const];
    }),
  );
}

/** The inputs of a report. */
export interface AttackFindings {
  readonly options: AttackOptions;
  readonly plan: AttackPlan;
  readonly chosen: Pick<ChosenVictim, 'id' | 'fingerprint' | 'description' | 'answers' | 'warning'>;
  /** Names and versions of the metrics' modes. */
  readonly metrics: AttackReport['settings']['metrics'];
  /** sha256 over the original databases; null where nothing was executed. */
  readonly databases: string | null;
  readonly examples: readonly ScoredExample[];
  /** Of variants that turned wrong: where the two results differ. */
  readonly differences: ReadonlyMap<ScoredVariant, ResultDifference>;
  /** Null where no composed questions were asked. */
  readonly compositions: RecompositionReport | null;
  /** Null where no mutants were asked. */
  readonly mutants: MutantReport | null;
  readonly mutantWarnings: readonly string[];
  /** Each answer once. */
  readonly answers: readonly VictimAnswer[];
  /** Ids of questions that predictions from elsewhere lack. */
  readonly missing: readonly string[];
}

function warnOfGold(examples: readonly ScoredExample[], metric: AttackMetric): readonly string[] {
  const bad = examples.filter((example) =>
    answersOf(example).some((answer) => outcomeOf(answer, metric) === 'bad-gold'),
  );
  if (bad.length === 0) return [];
  const ids = someIds(bad.map(({ example }) => example.id));
  return [
    `${metric}: ${formatCount(bad.length)} examples have gold that can't be scored on some tables and count as wrong: ${ids}`,
  ];
}

/**
 * Checks whether tables have renamed columns, in some draw, that no gold query of the example names: other turns do.
 */
function keepsGoldUnderRpl({ example, turn, variants }: ScoredExample): boolean {
  return variants.some(({ kind, tables: { changes, queries } }) => {
    return changes.length > 0 && keepsGold(kind, queries[turn]?.sql ?? null, example.query);
  });
}

/** Equal for equal new names, wherever additions stand. */
function namesKey({ changes }: TableSet): string {
  return JSON.stringify(changes.map(({ ref, name }) => [columnKey(ref), name]));
}

/** "19 of 30 examples under RPL and 17 under ADD"; of a condition without any nothing is said. */
function underConditions(counts: Readonly<Record<PerturbationKind, number>>, examples: number): string {
  const having = (['RPL', 'ADD'] as const).filter((kind) => counts[kind] > 0);
  const parts = having.map((kind, i) => {
    const of = i === 0 ? ` of ${countNoun(examples, 'example')}` : '';
    return `${formatCount(counts[kind])}${of} under ${kind}`;
  });
  return parts.join(' and ');
}

/** Where seeds drew the same names again, as columns have few: the figures are of fewer names than that. */
function warnOfRepeats({ groups, examples }: AttackPlan, seeds: number): readonly string[] {
  const repeatedIn = (kind: PerturbationKind): number => {
    const isRepeated = ({ drawn }: PlannedGroup): boolean => {
      const own = drawn.filter((one) => one.kind === kind && one.tables.changes.length > 0);
      return own.length > 0 && new Set(own.map(({ tables }) => namesKey(tables))).size < seeds;
    };
    return groups.filter(isRepeated).reduce((sum, { group }) => sum + group.examples.length, 0);
  };
  const repeated = { RPL: repeatedIn('RPL'), ADD: repeatedIn('ADD') };
  if (repeated.RPL + repeated.ADD === 0) return [];
  return [
    `${underConditions(repeated, examples)} get fewer different names than their ${seeds} seeds ask for, as their columns have few candidates: give more of them, or fewer --seeds`,
  ];
}

function warningsOf(findings: AttackFindings): string[] {
  const { options, plan, chosen, databases, examples, compositions } = findings;
  const { RPL, ADD } = plan.unperturbed;
  const warnings = [...(plan.inputs.dataset.notes ?? []), ...warningOf(chosen)];
  if (options.candidates !== null && RPL + ADD > 0) {
    warnings.push(
      `${underConditions(plan.unperturbed, examples.length)} keep their tables, as no column that they mention has a candidate; they are scored like the others`,
    );
  }
  const unchanged = examples.filter(keepsGoldUnderRpl).length;
  if (unchanged > 0) {
    warnings.push(
      `${formatCount(unchanged)} of ${countNoun(examples.length, 'example')} keep their gold query under RPL, as it names no renamed column; they are scored like the others`,
    );
  }
  warnings.push(...warnOfRepeats(plan, drawnSeeds(options).length));
  if (compositions !== null) warnings.push(...recompositionWarnings(compositions));
  warnings.push(...findings.mutantWarnings);
  for (const metric of ATTACK_METRICS) warnings.push(...warnOfGold(examples, metric));
  const unexecuted = examples.filter(({ original }) => original.execution === null);
  if (unexecuted.length > 0 && databases !== null) {
    const ids = [...new Set(unexecuted.map(({ group }) => group.database.id))];
    warnings.push(
      `${formatCount(unexecuted.length)} examples are not executed, as there are no databases for ${someIds(ids)}`,
    );
  }
  if (chosen.answers === 'columns')
    warnings.push('the victim answers with columns: exact match and execution do not apply');
  else if (options.databases !== null && databases === null)
    warnings.push('nothing is executed: no database was found');
  warnings.push(...warnOfUnanswered(findings, ', and count as wrong until asked again'));
  return warnings;
}

/** Summarizes an attack: all that `report.json` and its page hold. The same answers give the same report. */
export function summarizeAttack(findings: AttackFindings): AttackReport {
  const { options, plan, chosen, metrics, databases, examples, compositions, mutants, answers } = findings;
  const { dataset } = plan.inputs;
  const { strategy, budget, candidates, sample, linkedKeys, abbreviate, addPosition } = options;
  const seeds = drawnSeeds(options);
  const drawn = mutants === null ? seeds : options.seeds;
  const fragility = countFragility(examples);
  const linking = summarizeColumns(examples, seeds.length);
  return {
    format: 'perturbql-attack',
    version: 1,
    perturbql: VERSION,
    victim: { id: chosen.id, description: chosen.description, fingerprint: chosen.fingerprint },
    dataset: {
      ...examplesNamed(options),
      format: dataset.format,
      examples: examples.length,
      databases: new Set(examples.map(({ group }) => group.database.id)).size,
      fingerprint: sha256Of(JSON.stringify(dataset.fingerprints)),
    },
    settings: {
      strategy,
      budget: strategy === 'random' ? null : budget,
      seeds: [...drawn],
      candidates,
      ...(sample === 'random' ? {} : { sample }),
      linkedKeys,
      ...(abbreviate === 'never' ? {} : { abbreviate }),
      addPosition,
      metrics,
      databases,
    },
    scores: [...scoreConditions(examples, seeds.length)],
    ...(linking === null ? {} : { linking: [...linking] }),
    ...(compositions === null ? {} : { compositions }),
    ...(mutants === null ? {} : { mutants }),
    leftOut: plan.leftOut.map(({ reason, examples: count }) => ({ reason, examples: count })),
    byHardness: [...breakDownByHardness(examples)],
    byDatabase: [...breakDownByDatabase(examples)],
    ...(seeds.length === 0 ? {} : { byDifficulty: [...breakDownByDifficulty(examples)] }),
    byComponent: [...breakDownByComponent(examples)],
    columns: [...fragility.columns],
    candidates: [...fragility.candidates],
    usage: summarizeUsage(answers, examples),
    warnings: warningsOf(findings),
    cases: examples.map((scored) => reportCase(scored, findings.differences)),
  };
}

type Usage = AttackReport['usage'];

function failuresOf(examples: readonly ScoredExample[]): Usage['failures'] {
  const entries = ATTACK_CONDITIONS.flatMap((condition) => {
    const answers = examples.flatMap((example) => answersUnder(example, condition));
    const failures = countFailures(answers.map(({ answer }) => answer));
    return Object.keys(failures).length === 0 ? [] : [[condition, failures] as const];
  });
  return Object.fromEntries(entries);
}

/**
 * Returns the cost of the victim: `answers` are those it gave, each once, and those from a cache cost nothing; failures
 * count in every case that they decide.
 */
export function summarizeUsage(answers: readonly VictimAnswer[], examples: readonly ScoredExample[]): Usage {
  return {
    questions: answers.length,
    ...costOf(answers),
    failures: failuresOf(examples),
    cleaned: countBy(answers.flatMap(({ cleaned }) => cleaned)),
    ...executionsOf(answers),
  };
}

function reportChange(database: Database, { ref, decision, originalName }: ColumnChange): ReportedChange {
  const column = columnAt(database, ref);
  return {
    table: database.tables[ref.table]!.name,
    column: column.name,
    candidate: decision.candidate,
    originalName: column.originalName,
    newName: originalName,
  };
}

function reportAnswer(scored: ScoredAnswer): AttackCase['original'] {
  const { sql, failure, cleaned, columns, raw } = scored.answer;
  return {
    predicted: columns === undefined ? sql : raw,
    failure: failure?.kind ?? null,
    cleaned: [...cleaned],
    exact: outcomeOf(scored, 'exact'),
    execution: outcomeOf(scored, 'execution'),
    ...(scored.columns == null ? {} : { columns: outcomeOf(scored, 'columns') }),
  };
}

function reportVariant(
  variant: ScoredVariant,
  { group, turn }: ScoredExample,
  rows: ResultDifference | undefined,
): PerturbedCase {
  const { kind, seed, tables, queries } = variant;
  return {
    ...reportAnswer(variant.after),
    kind,
    seed,
    changes: tables.changes.map((change) => reportChange(group.database, change)),
    gold: tables.queries[turn]!.sql,
    queries,
    ...(rows !== undefined && { rows }),
  };
}

/** An example as the report shows it. */
function reportCase(scored: ScoredExample, differences: AttackFindings['differences']): AttackCase {
  const { example, group, original, variants } = scored;
  return {
    id: example.id,
    ...(group.id === example.id ? {} : { interaction: group.id }),
    dbId: example.dbId,
    question: example.question,
    hardness: hardnessOf(scored),
    gold: example.query,
    original: reportAnswer(original),
    perturbed: variants.map((variant) => reportVariant(variant, scored, differences.get(variant))),
  };
}
