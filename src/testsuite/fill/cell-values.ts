import { pick } from '../../run/seeded-rng.js';
import type { Rng } from '../../stage.js';
import { drawNumber, rangeByName, type NumberRange } from '../../perturb/database/values/number-values.js';
import { detectTimes, timeFormat } from '../../perturb/database/values/time-values.js';
import { storedValue } from '../../perturb/database/values/declared-types.js';
import { textsByName } from '../../perturb/database/values/name-words.js';
import type { SqlValue } from '../../sql/execution/query-outcome.js';
import type { CatalogColumn } from './table-catalog.js';
import type { Wish } from './wishes.js';

/** Beyond all numbers that are drawn otherwise; each wish for the most or least gets one of its own. */
const EXTREME = 10_000_000;
/** Where numbers that no other row has begin. */
const ALONE = 20_000;
const TRIES = 40;

const YEARS: readonly [number, number] = [Date.UTC(1970, 0, 1), Date.UTC(2019, 11, 31)];
const DEFAULT_RANGE: NumberRange = { low: 1, high: 999, decimals: 0 };

/** A wish for a bound above or below. */
type Bound = Extract<Wish, { readonly kind: 'above' | 'below' }>;

/** Whether a column's values are numbers, whatever its schema calls them. */
function isNumeric({ affinity, type }: CatalogColumn): boolean {
  if (affinity === 'TEXT') return false;
  return affinity === 'INTEGER' || affinity === 'REAL' || type === 'number';
}

/** Whether two cells hold the same, numbers and texts alike: 1 is '1'. */
export function sameCell(a: SqlValue | undefined, b: SqlValue | undefined): boolean {
  return a === b || (a != null && b != null && String(a) === String(b));
}

function rangeFor({ words, affinity }: CatalogColumn): NumberRange {
  const range = rangeByName(words) ?? DEFAULT_RANGE;
  return affinity === 'INTEGER' ? { ...range, decimals: 0, high: Math.max(range.high, range.low + 20) } : range;
}

function numberWithin(column: CatalogColumn, bounds: readonly Bound[], rng: Rng): SqlValue {
  const usual = rangeFor(column);
  const step = 10 ** -usual.decimals;
  const limit = (kind: Bound['kind']): readonly number[] =>
    bounds
      .filter((bound) => bound.kind === kind)
      .map(({ value, strict }) => {
        const shift = strict ? step : 0;
        return Number(value) + (kind === 'above' ? shift : -shift);
      });
  const lows = limit('above');
  const highs = limit('below');
  const low = Math.max(...lows, highs.length > 0 ? Math.min(usual.low, ...highs) : usual.low);
  const high = Math.min(...highs, lows.length > 0 ? Math.max(usual.high, low + usual.high - usual.low) : usual.high);
  return drawNumber({ low, high: Math.max(low, high), decimals: usual.decimals }, rng);
}

const DAY = 86_400_000;

/** A text between bounds: a day in their own format where they are times, else a text that sorts next to one. */
function textWithin(bounds: readonly Bound[], rng: Rng): SqlValue {
  const [bound] = bounds;
  const text = String(bound!.value);
  const style = detectTimes([text]);
  if (style === null) {
    if (/^-?\d+(?:\.\d+)?$/u.test(text)) return String(Number(text) + (bound!.kind === 'above' ? 1 : -1));
    return bound!.kind === 'above' ? `${text}a` : text.slice(0, -1);
  }
  const days = (1 + rng.int(20)) * (bounds.length > 1 ? 1 : 10) * DAY;
  const format = style.format.isYear ? 366 * days : days;
  const moved = style.format.render(style.low + (bound!.kind === 'above' ? format : -format));
  const other = bounds.find(({ kind }) => kind !== bound!.kind);
  const beyond =
    other !== undefined && (bound!.kind === 'above' ? moved > String(other.value) : moved < String(other.value));
  return beyond ? text : moved;
}

/** A text that a LIKE pattern matches; what `%` stands for differs from text to text. */
function textLike(pattern: string, rng: Rng): string {
  const word = textsByName('name').draw(rng);
  const filled = pattern.replaceAll('_', 'a');
  if (!filled.includes('%')) return filled;
  return filled
    .replace('%', pattern.startsWith('%') ? `${word} ` : ` ${word}`)
    .replaceAll('%', '')
    .trimStart();
}

/** Values for cells, by wishes or by the columns' names and types. One for each filled database: it counts. */
export class CellValues {
  readonly #rng: Rng;
  #count = 0;

  constructor(rng: Rng) {
    this.#rng = rng;
  }

  /** A value as other rows may hold it, too. */
  usual(column: CatalogColumn): SqlValue {
    return this.#stored(this.#draw(column), column);
  }

  /** A value that meets as many of the wishes as it can, for cells of these columns that are to be equal. */
  meeting(wishes: readonly Wish[], columns: readonly CatalogColumn[]): SqlValue {
    const column = columns.find(isNumeric) ?? columns[0]!;
    for (const wish of wishes) {
      if (wish.kind === 'one-of' && wish.values.length > 0) return pick(wish.values, this.#rng);
    }
    const avoided = wishes.flatMap((wish) => (wish.kind === 'not' ? [wish.value] : []));
    for (let i = 0; i < TRIES; i++) {
      const value = this.#stored(this.#meet(wishes, column), column);
      if (!avoided.some((other) => sameCell(other, value))) return value;
    }
    return this.alone(column);
  }

  /** A value that no other cell gets. */
  alone(column: CatalogColumn): SqlValue {
    this.#count++;
    if (isNumeric(column)) return this.#stored(BigInt(ALONE + this.#count), column);
    const value = this.#draw(column);
    if (typeof value === 'string' && detectTimes([value]) !== null) {
      return timeFormat('YYYY-MM-DD').render(YEARS[1] + this.#count * DAY);
    }
    return this.#stored(`${String(value)} ${this.#count}`, column);
  }

  /** A value as the column stores it. */
  #stored(value: SqlValue, { declaredType }: CatalogColumn): SqlValue {
    return storedValue(value, declaredType, false);
  }

  #meet(wishes: readonly Wish[], column: CatalogColumn): SqlValue {
    const kinds = new Set(wishes.map(({ kind }) => kind));
    if (kinds.has('most')) return this.#extreme(column, true);
    if (kinds.has('least')) return this.#extreme(column, false);
    const like = wishes.find((wish) => wish.kind === 'like');
    if (like !== undefined) return textLike(like.pattern, this.#rng);
    const bounds = wishes.filter((wish): wish is Bound => wish.kind === 'above' || wish.kind === 'below');
    if (bounds.length > 0) {
      const numbers = isNumeric(column) && bounds.every(({ value }) => !Number.isNaN(Number(value)));
      return numbers ? numberWithin(column, bounds, this.#rng) : textWithin(bounds, this.#rng);
    }
    return kinds.has('alone') ? this.alone(column) : this.#draw(column);
  }

  #extreme(column: CatalogColumn, most: boolean): SqlValue {
    this.#count++;
    if (!isNumeric(column)) return most ? `zz ${this.#count}` : `! ${this.#count}`;
    return BigInt(most ? EXTREME + this.#count : -this.#count);
  }

  #draw(column: CatalogColumn): SqlValue {
    if (isNumeric(column)) return drawNumber(rangeFor(column), this.#rng);
    if (column.type === 'time' || /DATE|TIME/iu.test(column.declaredType)) {
      const time = YEARS[0] + this.#rng.next() * (YEARS[1] - YEARS[0]);
      return timeFormat('YYYY-MM-DD').render(time);
    }
    return textsByName(column.words).draw(this.#rng);
  }
}
