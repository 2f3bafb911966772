import { itemAt, mustGet } from '../../present.js';
import type { CurvePoint, DatabaseOrigin } from './distillation.js';
import type { GoldCase } from './gold-cases.js';
import type { TrialDatabase } from './trial-database.js';

/** How a neighbor is named in sets: by its gold's position in the task and its own. */
export function neighborKey({ position }: GoldCase, neighbor: number): string {
  return `${position}.${neighbor}`;
}

/** How often neighbors that no whole result distinguishes are distinguished by what is determinate of one. */
class PartlyTold {
  readonly #uncut = new Map<string, number>();
  readonly #cut = new Map<string, number>();

  /**
   * Where LIMIT takes some of tied rows counts only for gold queries that no whole result was found of: `countPartial`.
   */
  times(key: string, isFound: boolean): number {
    return (this.#uncut.get(key) ?? 0) + (isFound ? 0 : (this.#cut.get(key) ?? 0));
  }

  add(key: string, isCut: boolean): void {
    const counts = isCut ? this.#cut : this.#uncut;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
}

/** Which neighbors the databases so far tell from their gold queries, and how often. */
export class NeighborTally {
  /** Neighbors that showed a difference only where it proves nothing. */
  readonly doubtful = new Set<string>();
  readonly #cases: readonly GoldCase[];
  readonly #redundancy: number;
  /** By gold's position: how many databases distinguish each of its neighbors. */
  readonly #told: ReadonlyMap<number, Uint32Array>;
  readonly #partly = new PartlyTold();
  /** Positions of gold queries that some database gave a whole result that is not empty. */
  readonly #found = new Set<number>();
  /** Positions of gold queries of whose results, not empty, a part distinguished a neighbor. */
  readonly #foundPartly = new Set<number>();

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

  /** Checks whether some database gave a gold a result that is not empty. */
  isFound({ position }: GoldCase): boolean {
    return this.#found.has(position) || this.#foundPartly.has(position);
  }

  isLeft(gold: GoldCase, neighbor: number): boolean {
    if (this.#timesTold(gold, neighbor) > 0) return false;
    return this.#partly.times(neighborKey(gold, neighbor), this.#found.has(gold.position)) === 0;
  }

  /** Neighbors that no database distinguishes. */
  get left(): number {
    return this.#cases.reduce((sum, gold) => sum + gold.open.filter((n) => this.isLeft(gold, n)).length, 0);
  }

  /** Neighbors that could do with another database. */
  wanted(gold: GoldCase): readonly number[] {
    return gold.open.filter((n) => this.#timesTold(gold, n) < this.#redundancy);
  }

  /** True if another database could be of use. */
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
    const target = this.#cases.find(({ position }) => position === origin.gold);
    if (target === undefined || !this.#takeGold(trial, target, [origin.neighbor])) return false;
    for (const gold of this.#cases) {
      const wanted = this.wanted(gold).filter((n) => gold !== target || n !== origin.neighbor);
      this.#takeGold(trial, gold, wanted);
    }
    return true;
  }

  #timesTold(gold: GoldCase, neighbor: number): number {
    return itemAt(this.#toldOf(gold), neighbor);
  }

  #toldOf({ position }: GoldCase): Uint32Array {
    return mustGet(this.#told.get(position), 'told.get(position)');
  }

  #takeGold(trial: TrialDatabase, gold: GoldCase, wanted: readonly number[]): boolean {
    const isFound = this.#found.has(gold.position);
    if (wanted.length === 0 && isFound) return false;
    const result = trial.resultOf(gold);
    if (result === null || (result.isEmpty && this.isFound(gold))) return false;
    const told = wanted.filter((n) => trial.judge(gold, result, itemAt(gold.neighbors, n).sql) === 'told');
    if (told.length === 0 && (result.isEmpty || isFound)) return false;
    if (!trial.isDeterminate(gold, result, 'quick')) {
      for (const n of told) if (this.isLeft(gold, n)) this.doubtful.add(neighborKey(gold, n));
      return !result.isEmpty && this.#takePartly(trial, gold, told);
    }
    if (!result.isEmpty && !isFound) this.#forgetEmpty(gold);
    for (const n of told) {
      this.#toldOf(gold)[n] = this.#timesTold(gold, n) + 1;
      this.doubtful.delete(neighborKey(gold, n));
    }
    if (!result.isEmpty) this.#found.add(gold.position);
    return true;
  }

  /** Forgets the neighbors distinguished while the gold query found nothing: they do not count any longer. */
  #forgetEmpty(gold: GoldCase): void {
    if (!this.isFound(gold)) this.#toldOf(gold).fill(0);
  }

  /** Takes neighbors that no whole result distinguishes so far; whether another database of the kind is of use. */
  #takePartly(trial: TrialDatabase, gold: GoldCase, differing: readonly number[]): boolean {
    const isFound = this.#found.has(gold.position);
    const open = differing.filter((n) => {
      const times = this.#partly.times(neighborKey(gold, n), isFound);
      return this.#timesTold(gold, n) === 0 && times < this.#redundancy;
    });
    const partial = open.length === 0 ? null : trial.partialOf(gold, 'quick');
    if (partial === null || (partial.isCut && isFound)) return false;
    const told = open.filter((n) => {
      return trial.judgePartly(gold, partial, itemAt(gold.neighbors, n).sql) === 'told';
    });
    if (told.length > 0) {
      this.#forgetEmpty(gold);
      this.#foundPartly.add(gold.position);
    }
    for (const n of told) {
      this.#partly.add(neighborKey(gold, n), partial.isCut);
      this.doubtful.delete(neighborKey(gold, n));
    }
    return told.length > 0;
  }
}

/** The curve with another point, if it says something new. */
export function withPoint(curve: readonly CurvePoint[], point: CurvePoint): readonly CurvePoint[] {
  return curve.at(-1)?.left === point.left ? curve : [...curve, point];
}
