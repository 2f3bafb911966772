import { tally } from '../counts.js';
import { itemAt } from '../present.js';
import { letteredWords } from './identifiers/name-letters.js';
import { memoizeObject } from './memoize.js';
import type { Column, ColumnRef, Database, Table } from './schema.js';

/** How identifiers of a schema are written. */
export type NamingStyle =
  | 'snake_case'
  | 'Capital_Snake'
  | 'Sentence_snake'
  | 'UPPER_SNAKE'
  | 'camelCase'
  | 'PascalCase'
  | 'spaces'
  | 'Capital Spaces'
  | 'Sentence spaces'
  | 'UPPER SPACES'
  | 'joined'
  | 'UPPERJOINED';

const JOINING_WORDS = new Set('a an the of in on at by for per to from with and or'.split(' '));

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Joining words within a title stay small: "Year_of_Birth". */
const capitalInTitle = (word: string, i: number): string => (i > 0 && JOINING_WORDS.has(word) ? word : capital(word));

const capitalAtStart = (word: string, i: number): string => (i === 0 ? capital(word) : word);

/** An acronym keeps its capitals within camelCase, but can't begin it: "idNumber". */
const camel = (word: string, i: number): string => (i === 0 ? word.toLowerCase() : capital(word));

/** Words that stay in capitals where the column that is replaced writes them so: "Client_ID", "StuID". */
const ACRONYMS = /(?<![A-Z])[A-Z]{2,}(?![a-z])/g;

const RENDER: Readonly<Record<NamingStyle, (words: readonly string[]) => string>> = {
  snake_case: (words) => words.join('_'),
  Capital_Snake: (words) => words.map(capitalInTitle).join('_'),
  Sentence_snake: (words) => words.map(capitalAtStart).join('_'),
  UPPER_SNAKE: (words) => words.join('_').toUpperCase(),
  camelCase: (words) => words.map(camel).join(''),
  PascalCase: (words) => words.map(capital).join(''),
  spaces: (words) => words.join(' '),
  'Capital Spaces': (words) => words.map(capitalInTitle).join(' '),
  'Sentence spaces': (words) => words.map(capitalAtStart).join(' '),
  'UPPER SPACES': (words) => words.join(' ').toUpperCase(),
  joined: (words) => words.join('').toLowerCase(),
  UPPERJOINED: (words) => words.join('').toUpperCase(),
};

/** How one style is written in other letters: of names in small letters, in capitals, and with a capital in front. */
interface StyleFamily {
  readonly lower: NamingStyle;
  readonly upper: NamingStyle;
  readonly capital: NamingStyle;
}

const SNAKE: StyleFamily = { lower: 'snake_case', upper: 'UPPER_SNAKE', capital: 'Capital_Snake' };
const CAMEL: StyleFamily = { lower: 'camelCase', upper: 'PascalCase', capital: 'PascalCase' };
const SPACES: StyleFamily = { lower: 'spaces', upper: 'UPPER SPACES', capital: 'Capital Spaces' };
const JOINED: StyleFamily = { lower: 'joined', upper: 'UPPERJOINED', capital: 'PascalCase' };

const FAMILIES: Readonly<Record<NamingStyle, StyleFamily>> = {
  snake_case: SNAKE,
  Capital_Snake: SNAKE,
  Sentence_snake: { ...SNAKE, capital: 'Sentence_snake' },
  UPPER_SNAKE: SNAKE,
  camelCase: CAMEL,
  PascalCase: CAMEL,
  spaces: SPACES,
  'Capital Spaces': SPACES,
  'Sentence spaces': { ...SPACES, capital: 'Sentence spaces' },
  'UPPER SPACES': SPACES,
  joined: JOINED,
  UPPERJOINED: JOINED,
};

const isJoined = (style: NamingStyle): boolean => FAMILIES[style] === JOINED;

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

/** At least two capitals and no small letter; acronyms are so in every style. */
const isUpper = (identifier: string): boolean => /^[^\p{Ll}]*\p{Lu}[^\p{Ll}]*\p{Lu}[^\p{Ll}]*$/u.test(identifier);

/** Style of an identifier of several parts. */
function separatedStyle(parts: readonly string[], { lower, upper, capital }: StyleFamily): NamingStyle {
  if (isUpper(parts.join(' '))) return upper;
  const isSmall = (part: string): boolean => /^[a-z]/.test(part);
  // Titles keep their joining words small: "Years of Experience".
  if (parts.every((part, i) => !isSmall(part) || (i > 0 && JOINING_WORDS.has(part)))) return capital;
  const [first = '', ...others] = parts.filter((part) => part !== '');
  if (isSmall(first) || !others.every((part) => isSmall(part) || !/\p{L}/u.test(part))) return lower;
  return lower === 'spaces' ? 'Sentence spaces' : 'Sentence_snake';
}

/** Whether an identifier is several words of its name and nothing else: "hometown", and "patnm" where it was read. */
function isSeveralWords({ originalName, name, reading }: Styled): boolean {
  if (!name.includes(' ')) return false;
  if (lettersOf(name) === lettersOf(originalName)) return true;
  return reading !== undefined && (letteredWords(originalName, name)?.length ?? 0) > 1;
}

/** What shows the style of a column. */
type Styled = Pick<Column, 'name' | 'originalName' | 'reading'>;

/** Style of one identifier; null where it says nothing (a single lower-case word fits several). */
export function detectNamingStyle(column: Styled): NamingStyle | null {
  const { originalName: identifier } = column;
  if (identifier.includes(' ')) return separatedStyle(identifier.split(/[_ ]/), SPACES);
  if (identifier.includes('_')) return separatedStyle(identifier.split('_'), SNAKE);
  if (isUpper(identifier)) return isSeveralWords(column) ? 'UPPERJOINED' : null;
  if (/^[a-z0-9]+[A-Z]/.test(identifier)) return 'camelCase';
  if (/^[A-Z][a-z0-9]+[A-Z]|^[A-Z]{2,}[a-z]{2}/.test(identifier)) return 'PascalCase';
  return /^[a-z]/.test(identifier) && isSeveralWords(column) ? 'joined' : null;
}

function commonest<T>(items: readonly T[]): T | null {
  return (
    [...tally(items)].reduce<[T, number] | null>(
      (best, entry) => (best === null || entry[1] > best[1] ? entry : best),
      null,
    )?.[0] ?? null
  );
}

/** The commonest style of some tables; words are written together only where no column of theirs separates them. */
function commonStyle(tables: readonly Table[]): NamingStyle | null {
  const styles = tables.flatMap(({ columns }) => columns.map(detectNamingStyle)).filter((style) => style !== null);
  return commonest(styles.filter((style) => !isJoined(style))) ?? commonest(styles);
}

/** Names in capitals of so few letters are acronyms in any style: "ID", "CODE". */
const LONGEST_ACRONYM = 4;

/** A style in the letters of an identifier: what is "Home_Town" in a table is "home_town" for its "age". */
function inLettersOf(identifier: string, style: NamingStyle): NamingStyle {
  const { lower, upper, capital } = FAMILIES[style];
  if (isUpper(identifier)) return identifier.length > LONGEST_ACRONYM || style === upper ? upper : capital;
  return /^\p{Lu}/u.test(identifier) ? capital : lower;
}

/**
 * Style of a column: its own where its name shows one, else the commonest of its table, else of its database, in the
 * letters of the name (small, capitals, a capital in front); else that of snake_case. Words are never written together
 * in a table that separates them.
 */
export function columnNamingStyle(database: Pick<Database, 'tables'>, ref: ColumnRef): NamingStyle {
  const table = itemAt(database.tables, ref.table);
  const column = itemAt(table.columns, ref.column);
  const own = detectNamingStyle(column);
  if (own !== null && !isJoined(own)) return own;
  const shared = commonStyle([table]) ?? commonStyle(database.tables);
  return inLettersOf(column.originalName, shared ?? 'snake_case');
}

/** A new name may be longer than the longest of its schema by this share. */
const LONGER_BY = 0.5;

/** Characters of an identifier, or of what it was read as where it abbreviates: "pat_nm" is as long as "patient name". */
function lengthOf({ name, originalName, reading }: Pick<Table, 'name' | 'originalName' | 'reading'>): number {
  return reading === undefined ? originalName.length : Math.max(originalName.length, name.length);
}

/** Checks whether no identifier of a table has a Latin letter. */
const isTableWithoutLatin = memoizeObject(
  (table: Table): boolean => ![table, ...table.columns].some((one) => /\p{Script=Latin}/u.test(one.originalName)),
);

/** Checks whether no identifier of a schema has a Latin letter: a new name that has some would be in another script. */
export function isWithoutLatin({ tables }: Pick<Database, 'tables'>): boolean {
  return tables.every(isTableWithoutLatin);
}

/**
 * The most characters that a new identifier of a schema may have: half as many again as its longest table or column, in
 * full where it is abbreviated.
 */
export function longestNewIdentifier({ tables }: Pick<Database, 'tables'>): number {
  const lengths = tables.flatMap((table) => [table, ...table.columns].map(lengthOf));
  return Math.floor(lengths.reduce((longest, length) => Math.max(longest, length), 0) * (1 + LONGER_BY));
}

/** The acronyms of an identifier in small letters; one that is all in capitals has only "ID", as a word of its own. */
function acronymsOf(identifier: string): ReadonlySet<string> {
  if (/\p{Ll}/u.test(identifier)) return new Set((identifier.match(ACRONYMS) ?? []).map((word) => word.toLowerCase()));
  return new Set(/(?:^|[^A-Z])ID(?:$|[^A-Z])/.test(identifier) ? ['id'] : []);
}

/** Renders natural words as an identifier: "home town" → "Home_Town"; an "ID" of the identifier it follows stays "ID". */
export function styledIdentifier(naturalName: string, style: NamingStyle, like = ''): string {
  const acronyms = acronymsOf(like);
  const words = naturalName
    .toLowerCase()
    // "administrator's" is one word, as a key of `name-identity.ts` has it.
    .replace(/['’]/gu, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => (acronyms.has(word) ? word.toUpperCase() : word));
  return RENDER[style](words);
}
