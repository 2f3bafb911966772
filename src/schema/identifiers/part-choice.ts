import { itemAt, mustGet, zip } from '../../present.js';
import { stemOf } from './database-words.js';
import type { IdentifierPart } from './identifier-parts.js';
import { type Beliefs, pathPart, type ReadingBasis, type Unit } from './reading-path.js';

/** A way to read a part, and how much it is believed. */
interface PartOption {
  /** With a space between each two words. */
  readonly reading: string;
  readonly posterior: number;
  readonly basis: ReadingBasis;
}

/** The letters of a part where it is taken apart, and how much the borders between them are believed. */
interface Pieces {
  readonly letters: readonly string[];
  readonly posterior: number;
}

/** What is believed of a part: its readings by what they say, and where the best path takes it apart. */
export interface PartBelief {
  readonly part: IdentifierPart;
  readonly options: ReadonlyMap<string, PartOption>;
  /** The key of the reading of the best path. */
  readonly best: string;
  readonly pieces: Pieces;
}

/** The reading of a part that is chosen. */
export interface ChosenPart extends IdentifierPart, PartOption {
  readonly pieces: Pieces;
}

/** A place keeps a reading of its own where that is so many times as likely as the table's. */
const OTHERWISE = 3;

/** Singular and plural say the same of a part: "milligram" and "milligrams". */
export const sameWords = (words: string): string => words.split(' ').map(stemOf).join(' ');

/** What is believed of each part of an identifier. */
export function partBeliefs({ parts }: Unit, { paths, masses }: Beliefs): readonly PartBelief[] {
  return parts.map((part, at) => {
    const ways = zip(paths, masses).map(([path, mass]) => ({ ...pathPart(path, part, at), mass }));
    const options = new Map<string, PartOption>();
    for (const { words, basis, mass } of ways) {
      const reading = words.join(' ');
      const key = sameWords(reading);
      const known = options.get(key) ?? { reading, basis, posterior: 0 };
      options.set(key, { ...known, posterior: known.posterior + mass });
    }
    const { words, pieces: letters } = itemAt(ways, 0);
    const borders = letters.join(' ');
    const posterior = ways.reduce((sum, { pieces, mass }) => sum + (pieces.join(' ') === borders ? mass : 0), 0);
    return { part, options, best: sameWords(words.join(' ')), pieces: { letters, posterior } };
  });
}

/** The reading of each run of letters that its identifiers together believe most, `"table\nletters"` to key. */
export function tableReadings(
  beliefs: readonly (readonly [Unit, readonly PartBelief[]])[],
): ReadonlyMap<string, string> {
  const sums = new Map<string, Map<string, number>>();
  for (const [{ table }, parts] of beliefs)
    for (const { part, options } of parts) {
      const place = placeKey(table, part);
      let sum = sums.get(place);
      if (sum === undefined) sums.set(place, (sum = new Map<string, number>()));
      for (const [key, { posterior }] of options) sum.set(key, (sum.get(key) ?? 0) + posterior);
    }
  return new Map(
    [...sums].map(([place, sum]) => [place, [...sum].reduce((best, one) => (one[1] > best[1] ? one : best))[0]]),
  );
}

const placeKey = (table: number, { text }: IdentifierPart): string => `${table}\n${text}`;

/** The table's reading of a part, or its own where the words around it say otherwise. */
export function chosenPart(table: number, belief: PartBelief, ofTable: ReadonlyMap<string, string>): ChosenPart {
  const { part, options, best, pieces } = belief;
  const own = mustGet(options.get(best), 'the best reading of a part');
  const shared = options.get(mustGet(ofTable.get(placeKey(table, part)), 'the reading of a table'));
  const option = shared !== undefined && shared.posterior * OTHERWISE >= own.posterior ? shared : own;
  return { ...part, ...option, pieces };
}
