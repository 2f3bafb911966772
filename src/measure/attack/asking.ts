import { isSqliteError } from '../../sql/execution/open-connection.js';
import { PerturbqlError } from '../../errors.js';
import type { DatasetExample } from '../../formats/dataset.js';
import type { QuerySource } from '../../sql/execution/query-protocol.js';
import type { SetCount } from '../../evaluate/linking/set-scores.js';
import type { SqlDialect } from '../../sql/dialect.js';
import type { AnswerToScore } from '../../victims/answer-scorer.js';
import { type ColumnsToScore, countSqlColumns } from '../../victims/column-scorer.js';
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
import type { AnswerCache, LazyQuestion } from '../../victims/answer-cache.js';
import type { QuestionMaker } from './question-maker.js';
import { greedy, importance, worstOfK } from './search/search-strategies.js';
import type { SearchStrategy, Standing } from './search/table-search.js';
import { isMatched } from '../../evaluate/exact/components.js';
import { itemAt, mustGet, zip } from '../../present.js';
import { forEachConcurrent } from '../../run/for-each-concurrent.js';
import { areOpen, isAllRight, type Judgement } from '../judged-answer.js';
import type { ScoredAnswer, ScoredExample, ScoredVariant } from './summary/scored-example.js';

/** An answer to an example on some tables. */
export interface AnsweredCase {
  readonly example: DatasetExample;
  readonly group: AttackGroup;
  readonly turn: number;
  readonly tables: TableSet;
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

/** How many columns an answer with SQL names of those asked for; null where the gold can't be read. */
export function columnsOfSql(answered: AnsweredCase, dialect: SqlDialect): SetCount | null {
  return countSqlColumns(pairOf(answered), dialect);
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

/** The tables that were settled on for a kind and seed, and the ids of the questions of each turn on them. */
interface SettledTables extends DrawnTables {
  readonly queries: number;
  readonly ids: readonly string[];
}

/** A group with all that it was asked of. */
interface AskedGroup {
  readonly planned: PlannedGroup;
  readonly originalIds: readonly string[];
  readonly sets: readonly SettledTables[];
}

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
 * Lists the questions an attack asks before any search: the originals, then the perturbed ones, unless a search chooses
 * these itself. `repeats` as in `AskingOptions`.
 */
export function firstQuestions(
  plan: AttackPlan,
  maker: QuestionMaker,
  { strategy, repeats }: Pick<AskingOptions, 'strategy' | 'repeats'>,
): readonly LazyQuestion[] {
  const questions = [...plannedQuestions(plan)];
  const isAsked = ({ id, repeats: first }: PlannedQuestion): boolean => repeats || first === id;
  const perturbed = strategy === 'random' ? questions.filter((one) => !isOriginal(one) && isAsked(one)) : [];
  return [...questions.filter(isOriginal), ...perturbed].map((question) => ({
    id: question.id,
    make: () => maker.ofPlan(question),
  }));
}

/** Has the searches of an attack answered, and all answers scored; those to `firstQuestions` are there. */
export class Asking {
  readonly #options: AskingOptions;
  readonly #host: RunHost;

  constructor(options: AskingOptions, host: RunHost) {
    this.#options = options;
    this.#host = host;
  }

  async run(): Promise<readonly ScoredExample[]> {
    const { strategy } = this.#options;
    const asked = strategy === 'random' ? this.#planned() : await this.#search(SEARCH_STRATEGIES[strategy]);
    return this.#score(asked);
  }

  #planned(): readonly AskedGroup[] {
    const { plan, repeats } = this.#options;
    const questions = [...plannedQuestions(plan)];
    const idOf = new Map(questions.map((question) => [question.id, repeats ? question.id : question.repeats]));
    return plan.groups.map((planned) => {
      const idsOf = (kind: DrawnTables['kind'] | 'original', seed: number | null): readonly string[] =>
        planned.group.examples.map(({ id }) => idOf.get(questionId(id, kind, seed))!);
      const sets = planned.drawn.map((drawn) => ({ ...drawn, queries: 1, ids: idsOf(drawn.kind, drawn.seed) }));
      return { planned, originalIds: idsOf('original', null), sets };
    });
  }

  async #search(strategy: SearchStrategy): Promise<readonly AskedGroup[]> {
    const { plan, budget, width } = this.#options;
    const { perturber } = plan;
    const found = new Map<DrawnTables, SettledTables>();
    const tasks = plan.groups.flatMap((planned) => planned.drawn.map((drawn) => ({ planned, drawn })));
    let done = 0;
    await forEachConcurrent(tasks, width, this.#host.signal, async ({ planned, drawn }, signal) => {
      const { kind, seed, tables: first } = drawn;
      const { group } = planned;
      const stand = (tables: TableSet): Promise<Standing> => this.#stand(planned, kind, tables, signal);
      const { tables, queries } = await strategy({ group, kind, seed, first, budget, perturber, stand });
      found.set(drawn, { kind, seed, tables, queries, ids: searchIds(planned, kind, tables) });
      this.#host.progress('searches', ++done, tasks.length);
    });
    return plan.groups.map((planned) => ({
      planned,
      originalIds: planned.group.examples.map(({ id }) => questionId(id, 'original', null)),
      sets: planned.drawn.map((drawn) => mustGet(found.get(drawn), 'the tables that a search found')),
    }));
  }

  async #stand(
    planned: PlannedGroup,
    kind: DrawnTables['kind'],
    tables: TableSet,
    signal: AbortSignal,
  ): Promise<Standing> {
    const { book, maker } = this.#options;
    const { group } = planned;
    const cases: AnsweredCase[] = [];
    const turns = zip(group.examples, searchIds(planned, kind, tables));
    for (const [turn, [example, id]] of turns.entries()) {
      const answer = await book.ask({ id, make: () => maker.make(id, example, group, tables) }, signal);
      cases.push({ example, group, turn, tables, answer });
    }
    const judgements = await this.#options.score(cases, this.#host);
    return {
      correct: judgements.filter(isAllRight).length,
      matched: judgements.reduce((sum, judgement) => sum + countMatched(judgement), 0),
    };
  }

  async #score(asked: readonly AskedGroup[]): Promise<readonly ScoredExample[]> {
    const cases = asked.flatMap(({ planned: { group, original }, originalIds, sets }) =>
      [{ tables: original, ids: originalIds }, ...sets].flatMap(({ tables, ids }) =>
        zip(group.examples, ids).map(([example, id], turn) => {
          const answer = mustGet(this.#options.book.get(id), 'an answer to each question');
          return { example, group, turn, tables, answer };
        }),
      ),
    );
    const judgements = await this.#options.score(cases, this.#host);
    const { dialect } = this.#options.plan.inputs.dataset;
    const answers = zip(cases, judgements)
      .map(([answered, judgement]): ScoredAnswer => {
        // Here, and not in each step of a search, which does not go by it.
        const linked = judgement.columns ? judgement.columns.counts : columnsOfSql(answered, dialect);
        return { answer: answered.answer, ...judgement, linked };
      })
      .values();
    const next = (): ScoredAnswer => mustGet(answers.next().value, 'a score of each answer');
    return asked.flatMap(({ planned: { group }, originalIds, sets }) => {
      const originals = originalIds.map(next);
      const perturbed = sets.map(({ ids, ...set }) => ({ ...set, scored: ids.map(next) }));
      return zip(group.examples, originals).map(([example, original], turn): ScoredExample => {
        const variants = perturbed.map(({ kind, seed, tables, queries, scored }): ScoredVariant => {
          const after = itemAt(scored, turn);
          return { kind, seed, tables, queries, before: original, after, isOpen: areOpen([original, after]) };
        });
        return { example, group, turn, original, variants };
      });
    });
  }
}

/**
 * These are asked first: a victim that fails on one example after the other is known from one that fails on an example.
 */
function isOriginal({ condition }: PlannedQuestion): boolean {
  return condition === 'original';
}

/** Equal for equal tables, whichever seed's search comes to them. */
function searchIds({ group, original }: PlannedGroup, kind: DrawnTables['kind'], tables: TableSet): readonly string[] {
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
