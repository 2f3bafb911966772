/**
 * Least association of an added column with its target and table; chosen by reading Spider's training databases. Of 480
 * additions to 48 of them, the share of acceptable ones rose as a logistic curve does, from 0.70 at 3.5 over 0.79 at 4
 * to 0.86 at 4.5.
 */
export const ASSOCIATION_FLOOR = 4.5;
/**
 * Below this nothing is kept, however few candidates a column has: by the same curve a third of the additions at 2 is
 * acceptable, and 70 % at 3.5. With 3.5, one column in ten of wide tables had fewer than three.
 */
export const LEAST_ASSOCIATION = 2;
/** How much more the domain tells than the name: of additions read, it told good from bad best. */
const DOMAIN_WEIGHT = 3;
/**
 * What it adds that the title names what the table's rows are: of additions read, 94 % were good where it does so alone,
 * 70 % where it does so with other words, 37 % of the rest.
 */
const ENTITY_WEIGHT = 1.6;
/** "Officers on duty" is found under "Police stations", and belongs to the police more than to a station. */
const ASIDE_WEIGHT = 1.5;
/** Mean cosine of retrieved tables, for retrievers whose scores are no cosines and names that were not retrieved. */
export const AVERAGE_DOMAIN = 0.45;

/** What tells whether an addition fits (ADVETA §2.3). */
export interface AssociationSigns {
  /** Cosine of the name with the column plus its cosine with the table, -2 to 2. */
  readonly name: number;
  /** Cosine of the title of the table that it comes from with the table's name. */
  readonly title: number;
  /** Score of that table in retrieval. */
  readonly domain: number;
  /** How far that title names the entity of the table's rows, 0 to 1. */
  readonly entity: number;
  /** How much nearer the name is to what else that title says than to the table's name; 0 where it says nothing else. */
  readonly aside: number;
  /** How much nearer it is to another table of the database than to its own; below 0 where its own is the nearest. */
  readonly foreign: number;
}

/** How well an addition fits, -20 to 14. A retrieval score beyond 1 is no cosine (bm25) and counts as an average one. */
export function associationOf({ name, title, domain, entity, aside, foreign }: AssociationSigns): number {
  const nearness = name / 2 + title + DOMAIN_WEIGHT * (domain > 1 ? AVERAGE_DOMAIN : domain);
  return nearness + ENTITY_WEIGHT * entity - ASIDE_WEIGHT * aside - foreign;
}

/** The nearest candidates that a column keeps although they are under the floor. */
const ALWAYS_KEPT = 3;

/**
 * Which of a column's accepted ADD candidates are associated enough (ADVETA §2.3): those above the floor, and where
 * there are fewer than three, the nearest three that are not wholly foreign.
 */
export function keepAssociated(associations: readonly number[]): readonly boolean[] {
  const ranked = [...associations.keys()].sort((a, b) => associations[b]! - associations[a]!);
  const kept = new Set(
    ranked.filter((i, rank) => {
      const floor = rank < ALWAYS_KEPT ? LEAST_ASSOCIATION : ASSOCIATION_FLOOR;
      return associations[i]! >= floor;
    }),
  );
  return associations.map((_, i) => kept.has(i));
}

/** Candidates of a column that the judge is asked about for ADD at a time: what follows the best is hardly kept. */
const JUDGED_AT_ONCE = 16;

/**
 * When the judge is asked about each candidate of a column as an addition: the most associated first, 0 for the first
 * round; null for what could not be kept.
 */
export function judgingRounds(associations: readonly number[]): readonly (number | null)[] {
  const ranked = [...associations.keys()].sort((a, b) => associations[b]! - associations[a]!);
  const rounds = new Map(ranked.map((i, rank) => [i, Math.floor(rank / JUDGED_AT_ONCE)]));
  return associations.map((association, i) => (association < LEAST_ASSOCIATION ? null : rounds.get(i)!));
}

/** Whether a column has so many accepted additions that no further round is needed. */
export function hasEnoughAdditions(accepted: number): boolean {
  return accepted >= ALWAYS_KEPT;
}

/** Columns of one table that the same name may be added for. */
const COLUMNS_PER_NAME = 2;

/** An accepted addition: the name, its column by position, and how well they go together. */
export interface Addition {
  readonly name: string;
  readonly column: number;
  readonly association: number;
}

/**
 * Which additions of a table are kept so that each name is with the columns that it is most associated with: a name
 * that fits every column is associated with none (ADVETA §2.3). A column is never left with fewer than three.
 */
export function spreadAdditions(additions: readonly Addition[]): readonly boolean[] {
  const kept = additions.map(() => true);
  const left = new Map<number, number>();
  const byName = new Map<string, number[]>();
  additions.forEach(({ name, column }, i) => {
    left.set(column, (left.get(column) ?? 0) + 1);
    byName.set(name, [...(byName.get(name) ?? []), i]);
  });
  const surplus = [...byName.values()].flatMap((positions) =>
    [...positions].sort((a, b) => additions[b]!.association - additions[a]!.association).slice(COLUMNS_PER_NAME),
  );
  // The least associated go first, so that what a column must keep is its best.
  for (const i of surplus.sort((a, b) => additions[a]!.association - additions[b]!.association)) {
    const { column } = additions[i]!;
    if (left.get(column)! <= ALWAYS_KEPT) continue;
    kept[i] = false;
    left.set(column, left.get(column)! - 1);
  }
  return kept;
}
