import type { StageContext, TargetTable } from '../stage.js';
import type { EntityClass } from './attribute-catalog.js';
import { itemAt } from '../present.js';

/** Words of table names that say how rows are kept, not what they are: "car data", "model list", "player attributes". */
export const FILING_WORDS: ReadonlySet<string> = new Set(
  'data info information list table detail details attribute attributes statistics profile'.split(' '),
);

/** How near texts are to a target table and to what its rows are called. */
export interface TableNearness {
  /** Cosine with the table (domain, name and columns), -1 to 1. */
  readonly table: number;
  /** Cosine with the primary entity, -1 to 1. */
  readonly entity: number;
}

/** Asks an encoder for the nearness of each text to a table whose rows are called `entity`. */
export type AskNearness = (
  target: TargetTable,
  entity: string,
  texts: readonly string[],
  context: StageContext,
) => Promise<readonly TableNearness[]>;

/** How a class was found: by the whole primary entity, by the last words of it, or by what WordNet puts its head under. */
type ClassMatch = 'whole' | 'head' | 'kind';

export interface FoundClasses {
  /** One class for each sense of the noun. */
  readonly senses: readonly EntityClass[];
  readonly match: ClassMatch;
}

/**
 * Least sum of the cosines of a class's other nouns with the table and with its primary entity. An "invoice line" is no
 * road, as a line may be, and a "roller coaster" no person, as a coaster (who lives on a coast) is. Chosen on the 193
 * primary entities of Spider's training databases that no class is named after: 11 of 16 under the floor for last words,
 * and 6 of the 7 under that for kinds, were in the wrong class. Of a noun of the catalog itself the encoder can't say so.
 */
const LEAST_NEARNESS: Readonly<Record<ClassMatch, number>> = { whole: -Infinity, head: 0.36, kind: 0.48 };

/** The nouns that say which sense of its own noun a class is: "bridge, road, street" of a line. */
function otherNouns({ id, nouns }: EntityClass): string {
  const others = nouns.filter((noun) => noun !== id);
  return (others.length === 0 ? [id] : others).join(', ');
}

/**
 * The sense whose attributes and nouns are nearest to the table, whatever column is asked about; null where a class that
 * was not found by the whole entity is too far from it.
 */
export async function fittingClass(
  { senses, match }: FoundClasses,
  target: TargetTable,
  entity: string,
  ask: AskNearness,
  context: StageContext,
): Promise<EntityClass | null> {
  const [only, ...others] = senses;
  if (only !== undefined && others.length === 0 && match === 'whole') return only;
  const rated: { sense: EntityClass; fit: number; nearness: number }[] = [];
  for (const sense of senses) {
    const names = sense.attributes.map(({ name }) => name);
    const all = await ask(target, entity, [otherNouns(sense), ...names], context);
    const [nouns, attributes] = [itemAt(all, 0), all.slice(1)];
    const mean = attributes.reduce((sum, { table }) => sum + table, 0) / Math.max(1, names.length);
    rated.push({ sense, fit: mean + nouns.table, nearness: nouns.table + nouns.entity });
  }
  const best = rated.reduce((a, b) => (b.fit > a.fit ? b : a));
  return best.nearness < LEAST_NEARNESS[match] ? null : best.sense;
}
