import { LRUCache } from 'lru-cache';
import { getOrMake } from '../../../present.js';
import type { CandidateDecision } from '../../../formats/artifacts/candidates.js';
import type { Dataset } from '../../../formats/dataset.js';
import { groupBy } from '../../../run/group-by.js';
import { columnNameKey } from '../../../schema/name-identity.js';
import { columnKey, type ColumnRef } from '../../../schema/schema.js';
import { decidedColumns, type PerturbationKind } from './candidate-pool.js';
import type { TablePlan } from '../../candidates/plan-tables.js';
import { shuffled } from '../../../seeded-rng.js';
import type { Rng } from '../../../stage.js';

/** The facts about a candidate that a difficulty is given. */
type RatedName = Pick<CandidateDecision, 'candidate' | 'column' | 'similarity'>;

/** For each word that questions use, the share of the questions that do, above 0 to 1. */
type AskedWords = ReadonlyMap<string, number>;

const UNASKED: AskedWords = new Map();

/** Columns whose questions' words are in memory: the candidates of a column are rated one after another. */
const COLUMNS_AT_HAND = 256;

const wordsOf = (text: string): readonly string[] => [...new Set(columnNameKey(text).split(' '))];

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Four decimals: more would say nothing. */
export function roundDifficulty(difficulty: number): number {
  return Math.round(difficulty * 1e4) / 1e4;
}

/**
 * How hard a candidate makes it to find the right column, 0 to 1. Its nearness is the mean of three shares: of its
 * words that the column's name has; of its words in a question asked of the column (mean over the questions); and the
 * cosine of the word vectors, 0 where it is negative. What is not known (no questions, no vectors) is left out of the
 * mean. A new name is as hard as it is far (RPL), a further column as it is near (ADD).
 */
export function rateDifficulty(
  kind: PerturbationKind,
  { candidate, column, similarity }: RatedName,
  asked: AskedWords = UNASKED,
): number {
  const words = wordsOf(candidate);
  const known = new Set(wordsOf(column));
  const nearness = meanOf([
    meanOf(words.map((word) => Number(known.has(word)))),
    ...(asked.size === 0 ? [] : [meanOf(words.map((word) => asked.get(word) ?? 0))]),
    ...(similarity === null ? [] : [Math.max(0, similarity)]),
  ]);
  return roundDifficulty(kind === 'RPL' ? 1 - nearness : nearness);
}

/** The difficulty of an accepted candidate: the one it was given, else what its words say. */
export function difficultyOf(decision: CandidateDecision, kind: PerturbationKind): number {
  return decision.difficulty ?? rateDifficulty(kind, decision);
}

const placeOf = (dbId: string, ref: ColumnRef): string => `${dbId} ${columnKey(ref)}`;

function countWords(questions: readonly string[]): AskedWords {
  const counts = groupBy(questions.flatMap(wordsOf), (word) => word);
  return new Map([...counts].map(([word, all]) => [word, all.length / questions.length]));
}

/** Rates candidates by the questions asked of their columns: those whose gold queries mention these. */
export class DifficultyRater {
  readonly #databases: Dataset['databases'];
  readonly #questions: ReadonlyMap<string, readonly string[]>;
  readonly #words = new LRUCache<string, AskedWords>({ max: COLUMNS_AT_HAND });

  constructor(dataset: Dataset, mentions: TablePlan['mentions']) {
    this.#databases = dataset.databases;
    const asked = [...dataset.examples()].flatMap(({ id, dbId, question }) =>
      (mentions.get(id)?.columns ?? []).map((ref) => ({ place: placeOf(dbId, ref), question })),
    );
    const groups = groupBy(asked, ({ place }) => place);
    this.#questions = new Map([...groups].map(([place, all]) => [place, all.map(({ question }) => question)]));
  }

  /** The decision, with its difficulty where it is accepted and lacks one. */
  rate(decision: CandidateDecision): CandidateDecision {
    const { bucket, difficulty } = decision;
    if (bucket === 'rejected' || difficulty !== undefined) return decision;
    return { ...decision, difficulty: this.difficultyOf(decision, bucket) };
  }

  /** The difficulty that a decision has, or would have if its name were taken. */
  difficultyOf(decision: CandidateDecision, kind: PerturbationKind): number {
    const { bucket, difficulty } = decision;
    if (bucket === kind && difficulty !== undefined) return difficulty;
    const database = this.#databases.get(decision.db_id);
    const [ref] = database === undefined ? [] : decidedColumns(database, decision);
    return rateDifficulty(kind, decision, ref === undefined ? UNASKED : this.#askedOf(decision.db_id, ref));
  }

  #askedOf(dbId: string, ref: ColumnRef): AskedWords {
    const place = placeOf(dbId, ref);
    return getOrMake(this.#words, place, () => countWords(this.#questions.get(place) ?? []));
  }
}

/** Which of a column's candidates are drawn first: any, those of the harder half, or either with equal chance. */
export const SAMPLE_CHOICES = ['random', 'hard', 'balanced'] as const;
export type SampleChoice = (typeof SAMPLE_CHOICES)[number];

/**
 * Candidates of one column in the order in which they are tried. The harder half comes first where it is asked for: new
 * names far from the old one (RPL), further columns near to the one that they are next to (ADD).
 */
export function drawOrder(
  candidates: readonly CandidateDecision[],
  kind: PerturbationKind,
  sample: SampleChoice,
  rng: Rng,
): readonly CandidateDecision[] {
  const order = shuffled(candidates, rng);
  const isHard = sample === 'hard' || (sample === 'balanced' && rng.int(2) === 0);
  if (!isHard) return order;
  // Of three names the middle one is in no half: it is neither hard nor easy.
  const half = Math.max(1, Math.floor(order.length / 2));
  const harder = new Set(order.toSorted((a, b) => difficultyOf(b, kind) - difficultyOf(a, kind)).slice(0, half));
  return [...order.filter((one) => harder.has(one)), ...order.filter((one) => !harder.has(one))];
}
