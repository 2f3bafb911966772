import type { ColumnRef, Database, Table } from './schema.js';

/** How identifiers of a schema are written. */
export type NamingStyle =
  'snake_case' | 'Capital_Snake' | 'UPPER_SNAKE' | 'camelCase' | 'PascalCase' | 'spaces' | 'Capital Spaces' | 'joined';

const JOINING_WORDS = new Set('a an the of in on at by for per to from with and or'.split(' '));

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Joining words within a title stay small: "Year_of_Birth". */
const capitalInTitle = (word: string, i: number): string => (i > 0 && JOINING_WORDS.has(word) ? word : capital(word));

/** Words that stay in capitals where the column that is replaced writes them so: "Client_ID". */
const ACRONYM = /(?:^|[^A-Za-z])(ID)(?:$|[^A-Za-z])/;

const RENDER: Readonly<Record<NamingStyle, (words: readonly string[]) => string>> = {
  snake_case: (words) => words.join('_'),
  Capital_Snake: (words) => words.map(capitalInTitle).join('_'),
  UPPER_SNAKE: (words) => words.join('_').toUpperCase(),
  camelCase: (words) => words.map((word, i) => (i === 0 ? word : capital(word))).join(''),
  PascalCase: (words) => words.map(capital).join(''),
  spaces: (words) => words.join(' '),
  'Capital Spaces': (words) => words.map(capitalInTitle).join(' '),
  joined: (words) => words.join(''),
};

/** Style of one identifier; null where it says nothing (a single lower-case word fits several). */
export function detectNamingStyle(identifier: string, naturalName: string): NamingStyle | null {
  const parts = identifier.split(/[_ ]/);
  // Titles keep their joining words small: "Years of Experience".
  const capitals = parts.every((part, i) => /^[^a-z]/.test(part) || (i > 0 && JOINING_WORDS.has(part)));
  if (identifier.includes(' ')) return capitals ? 'Capital Spaces' : 'spaces';
  if (/^[^a-z]*[A-Z][^a-z]*[A-Z][^a-z]*$/.test(identifier) && (identifier.includes('_') || identifier.length > 4))
    return 'UPPER_SNAKE';
  if (identifier.includes('_')) return capitals ? 'Capital_Snake' : 'snake_case';
  if (/^[a-z0-9]+[A-Z]/.test(identifier)) return 'camelCase';
  if (/^[A-Z][a-z0-9]+[A-Z]/.test(identifier)) return 'PascalCase';
  if (/^[a-z]/.test(identifier)) return naturalName.includes(' ') ? 'joined' : null;
  return null;
}

function commonest<T>(items: readonly T[]): T | null {
  const counts = new Map<T, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return (
    [...counts].reduce<[T, number] | null>(
      (best, entry) => (best === null || entry[1] > best[1] ? entry : best),
      null,
    )?.[0] ?? null
  );
}

function stylesOf(tables: readonly Table[]): NamingStyle[] {
  const styles = tables.flatMap(({ columns }) =>
    columns.map((column) => detectNamingStyle(column.originalName, column.name)),
  );
  return styles.filter((style) => style !== null);
}

/** Whether a style writes its words as an identifier is written: "id" fits snake_case, "Id" PascalCase. */
function fitsCase(style: NamingStyle, identifier: string): boolean {
  return /^[A-Z]/.test(RENDER[style](['a', 'b'])) === /^[A-Z]/.test(identifier);
}

/**
 * Style of a column: its own where its name shows one, else the commonest of its table, else of its database, as far
 * as it fits the case of the name; else snake_case (lower) or Capital_Snake (capitalized).
 */
export function columnNamingStyle(database: Pick<Database, 'tables'>, ref: ColumnRef): NamingStyle {
  const table = database.tables[ref.table]!;
  const { originalName, name } = table.columns[ref.column]!;
  const own = detectNamingStyle(originalName, name);
  if (own !== null) return own;
  const shared = [stylesOf([table]), stylesOf(database.tables)].map(commonest);
  const fallback = /^[A-Z]/.test(originalName) ? 'Capital_Snake' : 'snake_case';
  return shared.find((style) => style !== null && fitsCase(style, originalName)) ?? fallback;
}

/** Renders natural words as an identifier: "home town" → "Home_Town"; an "ID" of the identifier it follows stays "ID". */
export function styledIdentifier(naturalName: string, style: NamingStyle, like = ''): string {
  const words = naturalName
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => (word === 'id' && ACRONYM.test(like) ? 'ID' : word));
  return RENDER[style](words);
}
