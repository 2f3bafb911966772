import type { CurvePoint } from './distillation.js';
import type { GoldCase } from './gold-cases.js';
import type { TrialDatabase } from './trial-database.js';

/** How a neighbor is named in sets: by its gold's position in the task and its own. */
export function neighborKey({ position }: GoldCase, neighbor: number): string {
  return `${position}.${neighbor}`;
}

/** Which neighbors the databases so far tell from their golds, and how often. */
export class NeighborTally {
  /** Neighbors that showed a difference only where it proves nothing. */
  readonly doubtful = new Set<string>();
  readonly #cases: readonly GoldCase[];
  readonly #redundancy: number;
  /** Databases by neighbor that tell it apart. */
  readonly #told = new Map<string, number>();
  /** Positions of golds that some database gave rows. */
  readonly #found = new Set<number>();

  constructor(cases: readonly GoldCase[], redundancy: number) {
    this.#cases = cases;
    this.#redundancy = Math.max(1, redundancy);
  }

  /** Takes over what databases showed that are not kept. */
  recall(doubtful: readonly string[]): void {
    this.doubtful.clear();
    for (const key of doubtful) this.doubtful.add(key);
  }

  isLeft(gold: GoldCase, neighbor: number): boolean {
    return !this.#told.has(neighborKey(gold, neighbor));
  }

  /** Neighbors that no database tells apart. */
  get left(): number {
    return this.#cases.reduce((sum, gold) => sum + gold.open.filter((n) => this.isLeft(gold, n)).length, 0);
  }

  /** Neighbors that could do with another database. */
  wanted(gold: GoldCase): readonly number[] {
    return gold.open.filter((n) => (this.#told.get(neighborKey(gold, n)) ?? 0) < this.#redundancy);
  }

  /** Whether another database could be of use. */
  get isOpen(): boolean {
    return this.#cases.some((gold) => this.wanted(gold).length > 0);
  }

  /** Runs what is wanted on a database; whether that told a neighbor apart, or gave a gold its first rows. */
  take(trial: TrialDatabase): boolean {
    return this.#cases.filter((gold) => this.#takeGold(trial, gold)).length > 0;
  }

  #takeGold(trial: TrialDatabase, gold: GoldCase): boolean {
    const wanted = this.wanted(gold);
    const isFound = this.#found.has(gold.position);
    if (wanted.length === 0 && isFound) return false;
    const result = trial.resultOf(gold);
    if (result === null) return false;
    const told = wanted.filter((n) => trial.judge(gold, result, gold.neighbors[n]!.sql) === 'told');
    if (told.length === 0 && (result.rows === 0 || isFound)) return false;
    const keys = told.map((n) => neighborKey(gold, n));
    if (!trial.isDeterminate(gold, result, 'quick')) {
      for (const key of keys) if (!this.#told.has(key)) this.doubtful.add(key);
      return false;
    }
    for (const key of keys) {
      this.#told.set(key, (this.#told.get(key) ?? 0) + 1);
      this.doubtful.delete(key);
    }
    if (result.rows > 0) this.#found.add(gold.position);
    return true;
  }
}

/** The curve with another point, if it says something new. */
export function withPoint(curve: readonly CurvePoint[], point: CurvePoint): readonly CurvePoint[] {
  return curve.at(-1)?.left === point.left ? curve : [...curve, point];
}
