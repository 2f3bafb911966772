import type { Rng } from '../../stage.js';

/** Numbers of a column: a range, both ends within, with a number of decimals. */
export interface NumberRange {
  readonly low: number;
  readonly high: number;
  /** Digits after the point; 0 = integers; -3 = whole thousands. */
  readonly decimals: number;
}

/** From this ratio of its ends on, a range above zero is drawn from by magnitude, as prices and populations lie. */
const WIDE = 100;
/** A handful of sample values spans only a part of a column's range. */
const MARGIN = 0.5;
const MOST_DECIMALS = 6;

const range = (low: number, high: number, decimals = 0): NumberRange => ({ low, high, decimals });

/** Numbers of things: "number of visits", "jars sold", "hives harvested". */
const COUNT =
  /\b(?:number|count|total|amount) of\b|\p{L}{2,}[a-rtv-z]s (?:\p{L}{2,}ed|sold|made|won|lost|kept|held|built|caught|grown|drawn|given|taken|paid|sent|seen|read|run)$/u;

/** Checks whether a name counts things. */
export function isCountName(name: string): boolean {
  return COUNT.test(name.toLowerCase());
}

const COUNTS = range(1, 200);
/** Sums of the size that prices and fees have. */
export const SUMS = range(5, 500, 2);
export const MINUTES = range(1, 240);

/** Typical numbers by name: the first pattern that fits a name counts; the particular ones come first. */
const BY_NAME: readonly (readonly [RegExp, NumberRange])[] = [
  [/\b(?:number|count|total|amount) of (?:people|inhabitants|residents|voters|spectators)\b/u, range(100, 100_000)],
  [/\b(?:number|count|total) of\b|\bcount\b|\bhow many\b|\bnum\b/u, COUNTS],
  [/^(?:is|has|was|can)\b/u, range(0, 1)],
  [/\b(?:percent|percentage|pct|proportion)\b|%/u, range(0, 100, 1)],
  [/\b(?:ratio|probability|fraction|coefficient)\b/u, range(0, 1, 2)],
  [/\bgpa\b/u, range(1, 4, 2)],
  [/\b(?:rating|stars)\b/u, range(1, 5, 1)],
  [/\b(?:salary|income|wages?|pay)\b/u, range(18_000, 150_000)],
  [/\b(?:budget|sales|revenue|profit|turnover|assets|earnings|gross|gdp|spending)\b/u, range(10_000, 5_000_000)],
  [/\b(?:price|cost|fee|fare|charge|payment|balance|amount|expense|tax|rent|discount)\b/u, SUMS],
  [/\b(?:year|season|founded|established|since|yr)\b/u, range(1960, 2020)],
  [/\bage\b|\bold\b/u, range(18, 80)],
  [/\b(?:population|inhabitants|residents)\b/u, range(1_000, 5_000_000)],
  [
    /\b(?:capacity|seats|attendance|audience|viewers|visitors|admissions|spectators|circulation|subscribers|votes)\b/u,
    range(100, 80_000),
  ],
  [/\b(?:area|surface|acreage)\b/u, range(10, 100_000, 1)],
  [/\b(?:elevation|altitude|depth)\b/u, range(1, 4_000)],
  [/\blatitude\b|\blat\b/u, range(-60, 70, 4)],
  [/\blongitude\b|\blng\b|\blon\b/u, range(-180, 180, 4)],
  [/\btemperature\b|\bcelsius\b/u, range(-10, 38, 1)],
  [/\bheight\b|\bstature\b/u, range(150, 210)],
  [/\bweight\b|\bmass\b/u, range(45, 120, 1)],
  [/\b(?:speed|velocity|mph)\b/u, range(10, 300)],
  [/\b(?:horsepower|power)\b/u, range(50, 600)],
  [/\b(?:length|width|distance|range|mileage|size|radius|diameter)\b/u, range(1, 500, 1)],
  [/\b(?:rank|ranking|position|place|seed|standing)\b/u, range(1, 100)],
  [/\b(?:points?|score|grade|marks?|goals|wins|losses|games|matches)\b/u, range(0, 100)],
  [/\b(?:quantity|stock|inventory|units|copies)\b/u, range(1, 500)],
  [/\b(?:duration|minutes|seconds|hours|runtime)\b/u, MINUTES],
  [/\b(?:zip|postal code|postcode)\b/u, range(10_000, 99_999)],
  [/\bmonth\b/u, range(1, 12)],
  [/\bdays?\b/u, range(1, 31)],
  [/\b(?:floors?|storeys?|stories|level|rooms?|bedrooms?)\b/u, range(1, 40)],
  [/\b(?:installments|servings|lessons|meals|nights)$/u, range(1, 24)],
  [/^(?:years|months|weeks)\b|\b(?:years|months|weeks)$/u, range(1, 40)],
  [/\brate\b/u, range(0, 20, 2)],
];

const KEY_NAME = /\b(?:id|identifier|no|number|code|key|serial)$/u;

/** Checks whether the name is that of a number which distinguishes rows: "invoice number", "staff id". */
export function namesKey(name: string): boolean {
  return KEY_NAME.test(name.toLowerCase());
}

/** The range that a column's natural name suggests ("average price", "year of birth"), else null. */
export function rangeByName(name: string): NumberRange | null {
  const found = BY_NAME.find(([pattern]) => pattern.test(name.toLowerCase()))?.[1];
  return found ?? (isCountName(name) ? COUNTS : null);
}

function decimalsOf(value: number): number {
  const text = String(value);
  if (text.includes('e')) return Math.abs(value) < 1 ? MOST_DECIMALS : 0;
  return Math.min(MOST_DECIMALS, text.split('.')[1]?.length ?? 0);
}

/** Steps of a range that rounding must leave, so that a column does not repeat a handful of numbers. */
const STEPS = 20;

/** Zeros that all numbers end in, as prices and populations in whole thousands do. */
function commonZeros(numbers: readonly number[], span: number): number {
  let zeros = 0;
  while (10 ** (zeros + 1) * STEPS <= span && numbers.every((value) => value % 10 ** (zeros + 1) === 0)) zeros++;
  return zeros;
}

/** The range of some numbers; null of none. */
export function rangeOf(numbers: readonly number[]): NumberRange | null {
  const finite = numbers.filter((value) => Number.isFinite(value));
  if (finite.length === 0) return null;
  const [low, high] = finite.reduce(([a, b], value) => [Math.min(a, value), Math.max(b, value)], [Infinity, -Infinity]);
  const decimals = finite.reduce((most, value) => Math.max(most, decimalsOf(value)), 0);
  return { low, high, decimals: decimals === 0 ? 0 - commonZeros(finite, high - low) : decimals };
}

/** How far below the least of a few samples a positive range begins. */
const BELOW = 3;

/**
 * A range that a whole column may have of which these are samples: wider at both ends, not past zero or into the
 * future.
 */
export function widened(sampled: NumberRange): NumberRange {
  const { low, high, decimals } = sampled;
  const step = 10 ** -decimals;
  // Years.
  if (decimals <= 0 && low >= 1000 && high <= 2100) {
    const margin = Math.max(5, (high - low) * MARGIN);
    return { low: low - margin, high: Math.min(Math.max(high, 2020), high + margin), decimals: 0 };
  }
  const margin = Math.max((high - low) * MARGIN, Math.abs(high) * 0.1, step);
  const below = low >= 0 && low - margin < 0 ? Math.max(Math.min(low, step), low / BELOW) : low - margin;
  return { low: below, high: low >= 0 && high <= 1 && decimals > 0 ? 1 : high + margin, decimals };
}

/** A range within the one that a name suggests, where its samples are: a score ends at 100. */
export function withinUsual(range: NumberRange, sampled: NumberRange, usual: NumberRange | null): NumberRange {
  if (usual === null || sampled.low < usual.low || sampled.high > usual.high) return range;
  return { ...range, low: Math.max(range.low, usual.low), high: Math.min(range.high, usual.high) };
}

/** A number of a range; integers come as bigint. Zero has no sign: SQLite stores none. */
export function drawNumber({ low, high, decimals }: NumberRange, rng: Rng): bigint | number {
  const share = rng.next();
  const wide = low > 0 && high / low >= WIDE;
  const value = wide ? low * (high / low) ** share : low + (high - low) * share;
  if (decimals > 0 || Math.abs(value) >= Number.MAX_SAFE_INTEGER) {
    return Number(value.toFixed(Math.max(0, decimals))) + 0;
  }
  const step = 10 ** -decimals;
  return BigInt(Math.round(value / step) * step);
}

/** The number that a cell of a web table holds: "1,250", "$ 3.50", "45 %"; null where it is none. */
export function parseNumber(text: string): number | null {
  const bare = text
    .replace(/[−–]/gu, '-')
    .replace(/[$€£¥%,\s]/gu, '')
    .trim();
  return /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/iu.test(bare) ? Number(bare) : null;
}
