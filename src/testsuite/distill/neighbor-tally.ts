import { itemAt } from '../../present.js';
import type { CurvePoint, DatabaseOrigin } from '../suite/suite-manifest.js';
import type { GoldCase, PlacedNeighbor } from './gold-cases.js';
import type { TrialDatabase } from './trial-database.js';

/** How a neighbor is named in sets: by its gold's position in the task and its own. */
export function neighborKey({ position }: GoldCase, { place }: PlacedNeighbor): string {
  return `${position}.${place}`;
}

/** How often neighbors that no whole result distinguishes are distinguished by what is determinate of one. */
class PartlyTold {
  readonly #uncut = new Map<PlacedNeighbor, number>();
  readonly #cut = new Map<PlacedNeighbor, number>();

  /**
   * Where LIMIT takes some of tied rows counts only for gold queries that no whole result was found of: `countPartial`.
   */
  times(neighbor: PlacedNeighbor, isFound: boolean): number {
    return (this.#uncut.get(neighbor) ?? 0) + (isFound ? 0 : (this.#cut.get(neighbor) ?? 0));
  }

  add(neighbor: PlacedNeighbor, isCut: boolean): void {
    const counts = isCut ? this.#cut : this.#uncut;
    counts.set(neighbor, (counts.get(neighbor) ?? 0) + 1);
  }
}

/** Which neighbors the databases so far tell from their gold queries, and how often. */
export class NeighborTally {
  /** Neighbors that showed a difference only where it proves nothing. */
  readonly doubtful = new Set<string>();
  readonly #cases: readonly GoldCase[];
  readonly #redundancy: number;
  /** How many databases distinguish each neighbor. */
  readonly #told = new Map<PlacedNeighbor, number>();
  readonly #partly = new PartlyTold();
  /** Positions of gold queries that some database gave a whole result that is not empty. */
  readonly #found = new Set<number>();
  /** Positions of gold queries of whose results, not empty, a part distinguished a neighbor. */
  readonly #foundPartly = new Set<number>();

  constructor(cases: readonly GoldCase[], redundancy: number) {
    this.#cases = cases;
    this.#redundancy = Math.max(1, redundancy);
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

  isLeft(gold: GoldCase, neighbor: PlacedNeighbor): boolean {
    if (this.#timesTold(neighbor) > 0) return false;
    return this.#partly.times(neighbor, this.#found.has(gold.position)) === 0;
  }

  /** Neighbors that no database distinguishes. */
  get left(): number {
    return this.#cases.reduce((sum, gold) => sum + gold.open.filter((one) => this.isLeft(gold, one)).length, 0);
  }

  /** Neighbors that could do with another database. */
  wanted({ open }: GoldCase): readonly PlacedNeighbor[] {
    return open.filter((one) => this.#timesTold(one) < this.#redundancy);
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
    const aimedAt = this.#cases.find(({ position }) => position === origin.gold);
    if (aimedAt === undefined) return false;
    const target = itemAt(aimedAt.neighbors, origin.neighbor);
    if (!this.#takeGold(trial, aimedAt, [target])) return false;
    for (const gold of this.#cases)
      this.#takeGold(
        trial,
        gold,
        this.wanted(gold).filter((one) => one !== target),
      );
    return true;
  }

  #timesTold(neighbor: PlacedNeighbor): number {
    return this.#told.get(neighbor) ?? 0;
  }

  #takeGold(trial: TrialDatabase, gold: GoldCase, wanted: readonly PlacedNeighbor[]): boolean {
    const isFound = this.#found.has(gold.position);
    if (wanted.length === 0 && isFound) return false;
    const result = trial.resultOf(gold);
    if (result === null || (result.isEmpty && this.isFound(gold))) return false;
    const told = wanted.filter(({ sql }) => trial.judge(gold, result, sql) === 'told');
    if (told.length === 0 && (result.isEmpty || isFound)) return false;
    if (!trial.isDeterminate(gold, result, 'quick')) {
      for (const one of told) if (this.isLeft(gold, one)) this.doubtful.add(neighborKey(gold, one));
      return !result.isEmpty && this.#takePartly(trial, gold, told);
    }
    if (!result.isEmpty && !isFound) this.#forgetEmpty(gold);
    for (const one of told) {
      this.#told.set(one, this.#timesTold(one) + 1);
      this.doubtful.delete(neighborKey(gold, one));
    }
    if (!result.isEmpty) this.#found.add(gold.position);
    return true;
  }

  /** Forgets the neighbors distinguished while the gold query found nothing: they do not count any longer. */
  #forgetEmpty(gold: GoldCase): void {
    if (!this.isFound(gold)) for (const one of gold.neighbors) this.#told.delete(one);
  }

  /** Takes neighbors that no whole result distinguishes so far; whether another database of the kind is of use. */
  #takePartly(trial: TrialDatabase, gold: GoldCase, differing: readonly PlacedNeighbor[]): boolean {
    const isFound = this.#found.has(gold.position);
    const open = differing.filter(
      (one) => this.#timesTold(one) === 0 && this.#partly.times(one, isFound) < this.#redundancy,
    );
    const partial = open.length === 0 ? null : trial.partialOf(gold, 'quick');
    if (partial === null || (partial.isCut && isFound)) return false;
    const told = open.filter(({ sql }) => trial.judgePartly(gold, partial, sql) === 'told');
    if (told.length > 0) {
      this.#forgetEmpty(gold);
      this.#foundPartly.add(gold.position);
    }
    for (const one of told) {
      this.#partly.add(one, partial.isCut);
      this.doubtful.delete(neighborKey(gold, one));
    }
    return told.length > 0;
  }
}

/** The curve with another point, if it says something new. */
export function withPoint(curve: readonly CurvePoint[], point: CurvePoint): readonly CurvePoint[] {
  return curve.at(-1)?.left === point.left ? curve : [...curve, point];
}
