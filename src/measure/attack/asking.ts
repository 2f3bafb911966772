import { isSqliteError } from '../../sql/execution/open-connection.js';
import { PerturbqlError } from '../../errors.js';
import type { QuerySource } from '../../sql/execution/query-protocol.js';
import { type AnswerToScore, type ColumnsToScore, countSqlColumns } from '../../victims/answer-scorer.js';
import type { VictimAnswer } from '../../victims/victim.js';
import type { PerturbedRows } from './perturbed-rows.js';
import type { AttackGroup, TableSet, DrawnTables } from './table-set.js';
import type { RunHost } from '../../run/run-host.js';
import {
  type AttackPlan,
  type PlannedGroup,
  type PlannedQuestion,
  plannedQuestions,
  questionId,
} from './attack-plan.js';
import type { AttackOptions, AttackStrategy } from './attack-options.js';
import type { AnswerCache } from '../../victims/answer-cache.js';
import type { QuestionMaker } from './attack-questions.js';
import { greedy, importance, worstOfK, type SearchStrategy, type Standing } from './table-search.js';
import { isMatched } from '../../evaluate/exact/components.js';
import { mustGet, zip } from '../../present.js';
import { groupBy } from '../../run/group-by.js';
import type { AttackCondition } from './attack-report.js';
import { forEachConcurrent } from '../../run/concurrency.js';
import { areOpen, isAllRight, type Judgement } from '../judged-answer.js';
import type { ScoredAnswer, ScoredExample, ScoredVariant } from './summary/scored-example.js';

/** An answer to an example on some tables. */
export interface AnsweredCase extends Pick<PlannedQuestion, 'example' | 'group' | 'turn' | 'tables'> {
  readonly answer: Pick<VictimAnswer, 'sql' | 'columns'>;
}

type Pair = ReturnType<AnswerToScore['pair']>;

function pairOf({ example, group, turn, tables, answer }: AnsweredCase): Pair {
  // The metric keeps what it makes of a schema as long as there is the schema: perturbed ones come and go.
  const database = tables.changes.length === 0 ? tables.schema : { ...tables.schema };
  const gold = tables.queries[turn]?.sql ?? example.query;
  return { group: group.id, database, gold, predicted: answer.sql ?? '' };
}

/** An answer as the metrics see it: the same SQL for an example on the same tables has one score. */
export function toScore(answered: AnsweredCase, rows: PerturbedRows): AnswerToScore {
  const { example, tables, answer } = answered;
  return {
    id: JSON.stringify([example.id, tables.key, answer.sql ?? '']),
    pair: () => pairOf(answered),
    source: () => sourceOf(answered, rows),
  };
}

/** An answer with columns as its metric sees it. */
export function toColumns(answered: AnsweredCase): ColumnsToScore {
  const { example, tables, answer } = answered;
  const columns = answer.columns ?? null;
  return { id: JSON.stringify([example.id, tables.key, columns]), pair: () => pairOf(answered), columns };
}

/** A text says why the database can't be perturbed so. */
function sourceOf(answered: AnsweredCase, rows: PerturbedRows): QuerySource | string | null {
  const { gold, predicted } = pairOf(answered);
  try {
    return rows.sourceOf(answered.group.database, answered.tables, [gold, predicted]);
  } catch (error) {
    if (error instanceof PerturbqlError || isSqliteError(error)) return error.message;
    throw error;
  }
}

/** How each searching strategy searches. */
const SEARCH_STRATEGIES: Readonly<Record<Exclude<AttackStrategy, 'random'>, SearchStrategy>> = {
  greedy,
  importance,
  'worst-of-k': worstOfK,
};

/** The tables that a group was asked of under a condition, and the ids of the questions of each turn on them. */
type SettledTables = (DrawnTables | (typeof ORIGINAL & Pick<DrawnTables, 'tables'>)) & {
  readonly group: AttackGroup;
  /** Table sets that a search asked of; 1 without one. */
  readonly queries: number;
  readonly ids: readonly string[];
};

/** Scores answers, one judgement each in their order. */
export type ScoreCases = (cases: readonly AnsweredCase[], host: RunHost) => Promise<readonly Judgement[]>;

export interface AskingOptions extends Pick<AttackOptions, 'strategy' | 'budget'> {
  readonly plan: AttackPlan;
  readonly book: AnswerCache;
  readonly score: ScoreCases;
  readonly maker: QuestionMaker;
  /** Questions at a time. */
  readonly width: number;
  /** True if a question that repeats another is asked by its own id. */
  readonly repeats: boolean;
}

/**
 * Has the searches of an attack answered, and all answers scored; without a search they are there. An example each, in
 * the order of the plan.
 */
export async function askExamples(options: AskingOptions, host: RunHost): Promise<readonly ScoredExample[]> {
  const { strategy, book, plan, score } = options;
  const settled =
    strategy === 'random' ? plannedSets(options) : await searchSets(options, SEARCH_STRATEGIES[strategy], host);
  const cases = settled.flatMap((set) =>
    zip(set.group.examples, set.ids).map(([example, id], turn) => {
      return { ...set, example, turn, answer: mustGet(book.get(id), 'an answer to each question') };
    }),
  );
  const { dialect } = plan.inputs.dataset;
  const scored = zip(cases, await score(cases, host)).map(([answered, judgement]) => {
    // Here, and not in each step of a search, which does not go by it.
    const linked = judgement.columns ? judgement.columns.counts : countSqlColumns(pairOf(answered), dialect);
    const after: ScoredAnswer = { answer: answered.answer, ...judgement, linked };
    return { ...answered, after };
  });
  const byExample = groupBy(scored, ({ example }) => example.id);
  return Array.from(byExample.values(), ([{ example, group, turn, after: original }, ...others]) => {
    const variants = others.flatMap(({ kind, seed, tables, queries, after }): readonly ScoredVariant[] => {
      const isOpen = areOpen([original, after]);
      return kind === 'original' ? [] : [{ kind, seed, tables, queries, before: original, after, isOpen }];
    });
    return { example, group, turn, original, variants };
  });
}

function plannedSets({ plan, repeats }: AskingOptions): readonly SettledTables[] {
  const questions = [...plannedQuestions(plan)];
  const idOf = new Map(questions.map((question) => [question.id, repeats ? question.id : question.repeats]));
  return plan.groups.flatMap(({ group, original, drawn }) =>
    [{ ...ORIGINAL, tables: original }, ...drawn].map((set) => {
      const asked = group.examples.map(({ id }) => questionId(id, set.kind, set.seed));
      return { ...set, group, queries: 1, ids: asked.map((id) => mustGet(idOf.get(id), 'the id of a question')) };
    }),
  );
}

async function searchSets(
  options: AskingOptions,
  strategy: SearchStrategy,
  host: RunHost,
): Promise<readonly SettledTables[]> {
  const { plan, budget, width } = options;
  const { perturber } = plan;
  const found = new Map<DrawnTables, SettledTables>();
  const tasks = plan.groups.flatMap((planned) => planned.drawn.map((drawn) => ({ planned, drawn })));
  let done = 0;
  await forEachConcurrent(tasks, width, host.signal, async ({ planned, drawn }, signal) => {
    const { kind, seed, tables: first } = drawn;
    const { group } = planned;
    const stand = (tables: TableSet): Promise<Standing> => standOn(tables, { kind, planned, options, host, signal });
    const { tables, queries } = await strategy({ group, kind, seed, first, budget, perturber, stand });
    found.set(drawn, { group, kind, seed, tables, queries, ids: searchIds(planned, kind, tables) });
    host.progress('searches', ++done, tasks.length);
  });
  return plan.groups.flatMap((planned) => {
    const { group, original: tables, drawn } = planned;
    const original = { ...ORIGINAL, group, tables, queries: 1, ids: searchIds(planned, 'original', tables) };
    return [original, ...drawn.map((one) => mustGet(found.get(one), 'the tables that a search found'))];
  });
}

/** What a search tries tables for. */
interface Trial {
  readonly kind: DrawnTables['kind'];
  readonly planned: PlannedGroup;
  readonly options: AskingOptions;
  readonly host: RunHost;
  readonly signal: AbortSignal;
}

/** How well the model does on tables: each turn is asked after the one before. */
async function standOn(tables: TableSet, { kind, planned, options, host, signal }: Trial): Promise<Standing> {
  const { book, maker, score } = options;
  const { group } = planned;
  const cases: AnsweredCase[] = [];
  for (const [turn, [example, id]] of zip(group.examples, searchIds(planned, kind, tables)).entries()) {
    const answer = await book.ask({ id, make: () => maker.onTables(id, example, group, tables) }, signal);
    cases.push({ example, group, turn, tables, answer });
  }
  const judgements = await score(cases, host);
  return {
    correct: judgements.filter(isAllRight).length,
    matched: judgements.reduce((sum, judgement) => sum + countMatched(judgement), 0),
  };
}

/** The condition of tables as they are; they are drawn with no seed. */
const ORIGINAL = { kind: 'original', seed: null } as const;

/** Equal for equal tables, whichever seed's search comes to them. */
function searchIds({ group, original }: PlannedGroup, kind: AttackCondition, tables: TableSet): readonly string[] {
  const isOriginal = tables.key === original.key;
  return group.examples.map(({ id }) =>
    isOriginal ? questionId(id, 'original', null) : questionId(id, kind, tables.key),
  );
}

/** Components that match; of an answer with columns, those that the gold asks for. */
function countMatched({ columns, exact }: Judgement): number {
  if (columns) return columns.counts?.matched ?? 0;
  return Object.values(exact?.components ?? {}).filter(isMatched).length;
}
