import { itemAt } from '../../../present.js';
import { expandSingleWords } from '../../../schema/abbreviations.js';
import { spacedName } from '../../../schema/name-identity.js';
import type { Database } from '../../../schema/schema.js';
import type { SqlDialect } from '../../../sql/dialect.js';
import { meaningfulTokens, type Token } from '../../../sql/tokenizer.js';

/** The aggregates of a gold query, as far as words of its question can name them. */
export interface GoldAggregates {
  /** Names of the functions that it calls, in small letters: "count". */
  readonly functions: ReadonlySet<string>;
  /**
   * Words of the columns whose greatest or least value it looks for: inside max() and min(), or after ORDER BY with a
   * LIMIT.
   */
  readonly extremes: ReadonlySet<string>;
  /** Words of all columns that it names. */
  readonly columns: ReadonlySet<string>;
  /** Texts of its string literals. */
  readonly literals: readonly string[];
}

/** Words of each column by its identifier in small letters. */
interface ColumnWords {
  readonly all: readonly string[];
  /** Without those of its table: "area" of plot.plot_area, as the largest plot is no largest area. */
  readonly own: readonly string[];
}

function columnWords({ tables }: Database): Map<string, ColumnWords> {
  const wordsOf = (name: string, originalName: string): string[] => [
    ...new Set(`${name} ${expandSingleWords(spacedName(originalName))}`.toLowerCase().split(/\s+/)),
  ];
  return new Map(
    tables.flatMap((table) => {
      const ofTable = new Set(wordsOf(table.name, table.originalName));
      return table.columns.map(({ name, originalName }): [string, ColumnWords] => {
        const all = wordsOf(name, originalName);
        const own = all.filter((word) => !ofTable.has(word));
        return [originalName.toLowerCase(), { all, own: own.length === 0 ? all : own }];
      });
    }),
  );
}

const knownWords = new WeakMap<Database, Map<string, ColumnWords>>();

function wordsOf(database: Database): Map<string, ColumnWords> {
  const known = knownWords.get(database) ?? columnWords(database);
  knownWords.set(database, known);
  return known;
}

const isNamed = (token: Token | undefined, name: string): boolean => token?.text.toLowerCase() === name;

/** Index behind the parenthesis that closes the one at `open`. */
function behindParenthesis(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let i = open; i < tokens.length; i++) {
    if (itemAt(tokens, i).text === '(') depth++;
    else if (itemAt(tokens, i).text === ')' && --depth === 0) return i + 1;
  }
  return tokens.length;
}

/** Index behind the terms of the ORDER BY at `start` where a LIMIT follows them, else null. */
function behindLimitedOrder(tokens: readonly Token[], start: number): number | null {
  for (let i = start; i < tokens.length;) {
    const { text } = itemAt(tokens, i);
    if (isNamed(tokens[i], 'limit')) return i;
    if (text === ')' || isNamed(tokens[i], 'union')) return null;
    i = text === '(' ? behindParenthesis(tokens, i) : i + 1;
  }
  return null;
}

/** Ranges of tokens within which a column's greatest or least value is looked for. */
function* extremeRanges(tokens: readonly Token[]): Generator<readonly Token[]> {
  for (const [i, token] of tokens.entries()) {
    const next = tokens[i + 1];
    if (/^(?:max|min)$/i.test(token.text) && next?.text === '(')
      yield tokens.slice(i, behindParenthesis(tokens, i + 1));
    if (!isNamed(token, 'order') || !isNamed(next, 'by')) continue;
    const end = behindLimitedOrder(tokens, i + 2);
    if (end !== null) yield tokens.slice(i + 2, end);
  }
}

function identifierOf({ kind, text }: Token): string | null {
  if (kind === 'word') return text.toLowerCase();
  return kind === 'quoted' ? text.slice(1, -1).toLowerCase() : null;
}

/** Reads a query's aggregates from its tokens. @throws SqlRewriteError where it has a character that SQL has not */
export function goldAggregates(query: string, database: Database, dialect: SqlDialect): GoldAggregates {
  const tokens = meaningfulTokens(query, dialect);
  const known = wordsOf(database);
  const columnsIn = (range: readonly Token[]): ColumnWords[] =>
    range.flatMap((token) => known.get(identifierOf(token) ?? '') ?? []);
  const calls = tokens.filter(({ kind }, i) => kind === 'word' && tokens[i + 1]?.text === '(');
  // Spider's gold writes strings in double quotes, which are identifiers in SQL: those that name no column are none.
  const literals = tokens.filter(
    (token) => token.kind === 'string' || (token.kind === 'quoted' && !known.has(identifierOf(token) ?? '')),
  );
  return {
    functions: new Set(calls.map(({ text }) => text.toLowerCase())),
    extremes: new Set([...extremeRanges(tokens)].flatMap(columnsIn).flatMap(({ own }) => own)),
    columns: new Set(columnsIn(tokens).flatMap(({ all }) => all)),
    literals: literals.map(({ text }) => text.slice(1, -1)),
  };
}
