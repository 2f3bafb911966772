import type { CandidateDecision } from '../../../formats/artifacts/candidates.js';
import { identifierKey, spellingKey } from '../../../schema/name-identity.js';
import { itemAt } from '../../../present.js';
import { longestNewIdentifier } from '../../../schema/naming-style.js';
import { columnAt, columnKey, type ColumnRef, type Database } from '../../../schema/schema.js';
import type { Rng } from '../../../stage.js';
import type { CandidatePool, PerturbationKind } from './candidate-pool.js';
import { drawOrder, type SampleChoice } from './candidate-difficulty.js';
import {
  type AbbreviateChoice,
  KeyNames,
  linkedColumnGroups,
  type LinkedKeys,
  NewIdentifiers,
} from './new-column-names.js';

/** One column renamed (RPL), or one added because of a target column (ADD). */
export interface ColumnChange {
  readonly kind: PerturbationKind;
  /** The renamed column, or the target that the added one is associated with. */
  readonly ref: ColumnRef;
  /** New name in natural words. */
  readonly name: string;
  /** New name in the style of the schema. */
  readonly originalName: string;
  readonly decision: CandidateDecision;
}

/** A column that was to be perturbed in a bucket and has no name that fits. */
export interface ColumnWithout {
  readonly kind: PerturbationKind;
  readonly ref: ColumnRef;
}

export interface DrawnPerturbation {
  readonly changes: readonly ColumnChange[];
  /** Candidates that were drawn and put back because they clashed with another name. */
  readonly redraws: number;
  readonly without: readonly ColumnWithout[];
}

/** Checks whether two new names of one table mean the same; the NLI judge, where there is one. */
export type EquivalenceCheck = (
  database: Database,
  table: number,
  a: ColumnChange,
  b: ColumnChange,
) => Promise<boolean>;

export interface DrawRequest {
  readonly database: Database;
  readonly columns: readonly ColumnRef[];
  readonly kind: PerturbationKind;
  readonly pool: CandidatePool;
  readonly sample: SampleChoice;
  readonly linkedKeys: LinkedKeys;
  readonly abbreviate: AbbreviateChoice;
  readonly areEquivalent: EquivalenceCheck;
  /** The changes drawn before for the same schema: their names are taken. */
  readonly before?: readonly ColumnChange[];
}

/**
 * Draws one candidate per column, jointly per table: names pairwise distinct after normalizing and as identifiers, none
 * equivalent to another (ADVETA §2.2, §2.3). A draw that clashes is put back and counted.
 */
export async function drawPerturbation(request: DrawRequest, rng: Rng): Promise<DrawnPerturbation> {
  const draw = new Draw(request);
  for (const ref of request.columns) await draw.take(ref, rng);
  return draw.result();
}

class Draw {
  readonly #request: DrawRequest;
  readonly #groups: ReadonlyMap<string, readonly ColumnRef[]>;
  /** Name keys and lower-case identifiers in use, by table. */
  readonly #used: Set<string>[];
  readonly #longest: number;
  readonly #identifiers: NewIdentifiers;
  /** Null where none is asked for: an added column is no key. */
  readonly #keyNames: KeyNames | null;
  readonly #changes: ColumnChange[] = [];
  /** Columns that were tried, and whether they have a new name. */
  readonly #done = new Map<string, boolean>();
  readonly #without: ColumnWithout[] = [];
  #redraws = 0;

  constructor(request: DrawRequest) {
    this.#request = request;
    this.#groups =
      request.kind === 'RPL' && request.linkedKeys === 'same' ? linkedColumnGroups(request.database) : new Map();
    this.#longest = longestNewIdentifier(request.database);
    this.#identifiers = new NewIdentifiers(request.database, request.abbreviate);
    this.#keyNames = request.kind === 'RPL' ? new KeyNames(request.database) : null;
    this.#used = request.database.tables.map(
      (table) =>
        new Set(
          [...table.columns, table].flatMap((named) => [spellingKey(named.name), takenIdentifier(named.originalName)]),
        ),
    );
    for (const change of request.before ?? []) this.#take(change);
  }

  async take(ref: ColumnRef, rng: Rng): Promise<void> {
    const key = columnKey(ref);
    if (!this.#done.has(key)) {
      const group = this.#groups.get(key) ?? [ref];
      const isChanged = await this.#draw(group, rng);
      for (const member of group) this.#done.set(columnKey(member), isChanged);
    }
    if (this.#done.get(key) !== true) this.#without.push({ kind: this.#request.kind, ref });
  }

  /** Draws a name for columns that are renamed together; false where none fits. */
  async #draw(group: readonly ColumnRef[], rng: Rng): Promise<boolean> {
    const { kind, sample } = this.#request;
    for (const decision of drawOrder(this.#candidatesOf(group), kind, sample, rng)) {
      const changes = this.#changesOf(group, decision);
      if (await this.#fits(changes)) {
        for (const change of changes) this.#accept(change);
        return true;
      }
      this.#redraws++;
    }
    return false;
  }

  result(): DrawnPerturbation {
    return { changes: this.#changes, redraws: this.#redraws, without: this.#without };
  }

  /** A name that was accepted for any of the columns that are renamed together. */
  #candidatesOf(group: readonly ColumnRef[]): readonly CandidateDecision[] {
    const { pool, database, kind } = this.#request;
    const byName = new Map(
      group.flatMap((ref) =>
        pool.of(database, ref, kind).map((decision) => [spellingKey(decision.candidate), decision]),
      ),
    );
    return [...byName.values()];
  }

  /** Columns that are renamed together are abbreviated together, or not where one of them would have another's name. */
  #changesOf(group: readonly ColumnRef[], decision: CandidateDecision): readonly ColumnChange[] {
    const { kind } = this.#request;
    const name = decision.candidate;
    const short = group.flatMap((ref) => {
      const identifier = this.#identifiers.abbreviated(ref, name);
      const isFree = identifier !== null && !this.#isTaken(ref.table, identifier);
      return isFree ? [identifier] : [];
    });
    return group.map((ref, i) => {
      const originalName = short.length === group.length ? short[i]! : this.#identifiers.inFull(ref, name);
      return { kind, ref, name, originalName, decision };
    });
  }

  async #fits(changes: readonly ColumnChange[]): Promise<boolean> {
    for (const change of changes) {
      const { table } = change.ref;
      if (
        change.originalName === '' ||
        this.#isTooLong(change) ||
        (change.decision.reason !== 'annotated' && this.#keyNames?.isAnothers(change.ref, change.name) === true) ||
        this.#usedIn(table).has(spellingKey(change.name)) ||
        this.#isTaken(table, change.originalName) ||
        this.#followers(change).some((follower) => this.#isTaken(follower.table, follower.identifier))
      )
        return false;
      if (await this.#isSaidByAnother(change)) return false;
    }
    return true;
  }

  /**
   * Checks whether a new name of the table means the same; all are asked about at once, which a model answers sooner.
   */
  async #isSaidByAnother(change: ColumnChange): Promise<boolean> {
    const { database, before = [], areEquivalent } = this.#request;
    const { table } = change.ref;
    const others = [...before, ...this.#changes].filter(({ ref }) => ref.table === table);
    const answers = await Promise.all(others.map((other) => areEquivalent(database, table, change, other)));
    return answers.includes(true);
  }

  /** People's names are kept as they are; what was generated is never much longer than the schema's own names. */
  #isTooLong({ originalName, decision }: ColumnChange): boolean {
    return decision.reason !== 'annotated' && originalName.length > this.#longest;
  }

  #accept(change: ColumnChange): void {
    this.#changes.push(change);
    this.#take(change);
  }

  /** No other gets its names. */
  #take(change: ColumnChange): void {
    this.#usedIn(change.ref.table).add(spellingKey(change.name)).add(takenIdentifier(change.originalName));
    for (const { table, identifier } of this.#followers(change)) this.#usedIn(table).add(takenIdentifier(identifier));
  }

  #usedIn(table: number): Set<string> {
    return itemAt(this.#used, table);
  }

  #isTaken(table: number, identifier: string): boolean {
    return this.#usedIn(table).has(takenIdentifier(identifier));
  }

  /** Columns derived from a renamed one, which take its name. */
  #followers({ kind, ref, originalName }: ColumnChange): readonly { table: number; identifier: string }[] {
    const { database } = this.#request;
    const { family } = columnAt(database, ref);
    if (kind !== 'RPL' || family === undefined) return [];
    return database.tables.flatMap(({ columns }, table) =>
      columns.flatMap((column) =>
        column.family?.key === family.key && column.family.suffix !== ''
          ? [{ table, identifier: `${originalName}${column.family.suffix}` }]
          : [],
      ),
    );
  }
}

/** Identifiers apart from name keys, in one set: SQLite compares identifiers without case. */
function takenIdentifier(originalName: string): string {
  return `\u0000${identifierKey(originalName)}`;
}
