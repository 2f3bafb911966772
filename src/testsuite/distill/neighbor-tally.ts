import { elementAt, present } from '../../present.js';
import type { CurvePoint, DatabaseOrigin } from './distillation.js';
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
  /** By gold's position: how many databases distinguish each of its neighbors. */
  readonly #told: ReadonlyMap<number, Uint32Array>;
  /** Positions of golds that some database gave a result that is not empty. */
  readonly #found = new Set<number>();

  constructor(cases: readonly GoldCase[], redundancy: number) {
    this.#cases = cases;
    this.#redundancy = Math.max(1, redundancy);
    this.#told = new Map(cases.map(({ position, neighbors }) => [position, new Uint32Array(neighbors.length)]));
  }

  /** Takes over what databases showed that are not kept. */
  recall(doubtful: readonly string[]): void {
    this.doubtful.clear();
    for (const key of doubtful) this.doubtful.add(key);
  }

  /** Whether some database gave a gold a result that is not empty. */
  isFound({ position }: GoldCase): boolean {
    return this.#found.has(position);
  }

  isLeft(gold: GoldCase, neighbor: number): boolean {
    return this.#timesTold(gold, neighbor) === 0;
  }

  /** Neighbors that no database distinguishes. */
  get left(): number {
    return this.#cases.reduce((sum, gold) => sum + gold.open.filter((n) => this.isLeft(gold, n)).length, 0);
  }

  /** Neighbors that could do with another database. */
  wanted(gold: GoldCase): readonly number[] {
    return gold.open.filter((n) => this.#timesTold(gold, n) < this.#redundancy);
  }

  /** Whether another database could be of use. */
  get isOpen(): boolean {
    return this.#cases.some((gold) => this.wanted(gold).length > 0);
  }

  /**
   * Runs what is wanted on a database; whether that distinguished a neighbor, or gave a gold its first rows. A targeted
   * one has to distinguish its target first: where thousands of neighbors are wanted it takes seconds to run them all.
   */
  take(trial: TrialDatabase, origin: DatabaseOrigin): boolean {
    if (origin.kind !== 'aimed') {
      return this.#cases.filter((gold) => this.#takeGold(trial, gold, this.wanted(gold))).length > 0;
    }
    const target = present(
      this.#cases.find(({ position }) => position === origin.gold),
      'cases.find()',
    );
    if (!this.#takeGold(trial, target, [origin.neighbor])) return false;
    for (const gold of this.#cases) {
      const wanted = this.wanted(gold).filter((n) => gold !== target || n !== origin.neighbor);
      this.#takeGold(trial, gold, wanted);
    }
    return true;
  }

  #timesTold({ position }: GoldCase, neighbor: number): number {
    return present(this.#told.get(position), 'told.get(position)')[neighbor]!;
  }

  #takeGold(trial: TrialDatabase, gold: GoldCase, wanted: readonly number[]): boolean {
    const isFound = this.#found.has(gold.position);
    if (wanted.length === 0 && isFound) return false;
    const result = trial.resultOf(gold);
    if (result === null || (result.isEmpty && isFound)) return false;
    const told = wanted.filter((n) => trial.judge(gold, result, elementAt(gold.neighbors, n).sql) === 'told');
    if (told.length === 0 && (result.isEmpty || isFound)) return false;
    if (!trial.isDeterminate(gold, result, 'quick')) {
      for (const n of told) if (this.isLeft(gold, n)) this.doubtful.add(neighborKey(gold, n));
      return false;
    }
    // What was distinguished while the gold found nothing does not count any longer.
    if (!result.isEmpty && !isFound) present(this.#told.get(gold.position), 'told.get(gold.position)').fill(0);
    for (const n of told) {
      present(this.#told.get(gold.position), 'told.get(gold.position)')[n]!++;
      this.doubtful.delete(neighborKey(gold, n));
    }
    if (!result.isEmpty) this.#found.add(gold.position);
    return true;
  }
}

/** The curve with another point, if it says something new. */
export function withPoint(curve: readonly CurvePoint[], point: CurvePoint): readonly CurvePoint[] {
  return curve.at(-1)?.left === point.left ? curve : [...curve, point];
}
