import { getOrMake } from '../../present.js';
import { columnKey, type Database } from '../../schema/schema.js';
import { bindQuery } from '../../sql/binder.js';
import { foldName, type SqlDialect } from '../../sql/dialect.js';
import { mentionedColumns, resolveColumns, type SqlReference } from '../../sql/resolver.js';
import { meaningfulTokens, type Span, type Token, unquote } from '../../sql/tokenizer.js';

/** Facts from a gold query about the words of a text that goes with it. */
export interface GoldLinks {
  /** `columnKey`s of the columns that it names. */
  readonly columns: ReadonlySet<string>;
  /** Indices of its tables. */
  readonly tables: ReadonlySet<number>;
  /** Tables by alias or name, in the dialect's letter case. */
  readonly aliases: ReadonlyMap<string, number>;
  /** The literals, in lower case, that a column is compared with, by `columnKey`. */
  readonly literals: ReadonlyMap<string, ReadonlySet<string>>;
  /** The functions, in lower case, that a column is given to, by `columnKey`. */
  readonly calls: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The links of a text that no query goes with. */
export const NO_LINKS: GoldLinks = {
  columns: new Set(),
  tables: new Set(),
  aliases: new Map(),
  literals: new Map(),
  calls: new Map(),
};

const COMPARES = /^(?:[=<>!]+|like|glob|in|between|is|not)$/i;
const BETWEEN_LITERALS = /^(?:[=<>!(,%]+|and|like|glob|in|between|is|not)$/i;

/** The literals that a column is compared with, which come after it. */
function literalsAfter(tokens: readonly Token[], end: number): readonly string[] {
  const following = tokens.filter(({ start }) => start >= end);
  if (!COMPARES.test(following[0]?.text ?? '')) return [];
  const literals: string[] = [];
  for (const token of following) {
    if (token.kind === 'string' || token.kind === 'number' || token.quote === 'double') literals.push(unquote(token));
    else if (!BETWEEN_LITERALS.test(token.text)) break;
  }
  return literals.map((literal) => literal.replace(/^%+|%+$/g, '').toLowerCase());
}

/** The function that a column is given to. */
function callsBefore(query: string, start: number): readonly string[] {
  const call = /(\w+)\s*\(\s*(?:distinct\s+)?(?:[^\s(),]+\s*\.\s*)?$/i.exec(query.slice(0, start))?.[1];
  return call === undefined ? [] : [call.toLowerCase()];
}

type Texts = ReadonlyMap<string, ReadonlySet<string>>;

/** Texts that belong to the columns of a query, by `columnKey`. */
function textsByColumn(references: readonly SqlReference[], textsOf: (span: Span) => readonly string[]): Texts {
  const texts = new Map<string, Set<string>>();
  for (const { kind, ref, span } of references) {
    if (kind !== 'column' || ref === null) continue;
    const known = getOrMake(texts, columnKey(ref), () => new Set());
    for (const text of textsOf(span)) known.add(text);
  }
  return texts;
}

/**
 * Reads a gold query for what it says about a text.
 * @throws SqlRewriteError when the query can't be resolved
 */
export function goldLinks(query: string, database: Database, dialect: SqlDialect): GoldLinks {
  const references = resolveColumns(query, database, dialect);
  const tokens = meaningfulTokens(query, dialect);
  const aliases = new Map<string, number>();
  for (const { token, table } of bindQuery(query, database, dialect).tables) {
    if (table !== null) aliases.set(foldName(token.name), table);
  }
  return {
    columns: new Set(mentionedColumns(references).map(columnKey)),
    tables: new Set(aliases.values()),
    aliases,
    literals: textsByColumn(references, ({ end }) => literalsAfter(tokens, end)),
    calls: textsByColumn(references, ({ start }) => callsBefore(query, start)),
  };
}
