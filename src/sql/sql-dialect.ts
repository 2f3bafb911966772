/** Binding strength of operators, loosest first: https://www.sqlite.org/lang_expr.html, with room for other dialects. */
export const PRECEDENCE = {
  or: 10,
  xor: 15,
  and: 20,
  not: 30,
  equality: 40,
  comparison: 50,
  other: 60,
  bits: 70,
  sum: 80,
  product: 90,
  concat: 100,
  power: 110,
} as const;

/** Words of a table, split at white space. */
export function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

/** Operators with one strength each, from a table of strengths to operators. */
export function operatorTable(
  table: Readonly<Partial<Record<keyof typeof PRECEDENCE, string>>>,
): ReadonlyMap<string, number> {
  return new Map(
    Object.entries(table).flatMap(([level, operators]) =>
      words(operators).map((operator) => [operator, PRECEDENCE[level as keyof typeof PRECEDENCE]] as const),
    ),
  );
}

/** `word` is a bare word (keyword or identifier), `quoted` an identifier in `"…"`, `[…]` or backticks. */
export type TokenKind =
  'word' | 'quoted' | 'string' | 'number' | 'blob' | 'parameter' | 'operator' | 'space' | 'comment' | 'end';

/** How an identifier or literal token was written: the first character of its quoting tells. */
export type QuoteStyle = 'bare' | 'double' | 'bracket' | 'backtick' | 'single';

/** How a text is cut into tokens. */
interface Lexis {
  /** Kinds of tokens with their regular expressions, tried in this order; no capturing groups but named ones. */
  readonly patterns: readonly (readonly [TokenKind, string])[];
  /** Regular expressions of what the dialect knows and this parser refuses, with the reason; tried first. */
  readonly refused: readonly (readonly [pattern: string, reason: string])[];
  /** True if a comment may hold comments. */
  readonly nestedComments: boolean;
  /** True if strings next to each other are one string. */
  readonly joinedStrings: 'never' | 'across-lines' | 'always';
  /** Where a string may refer to a name. */
  readonly stringNames: 'anywhere' | 'result-alias' | 'never';
}

/** Constructs that only some dialects have. */
export type Construct =
  /** `(SELECT …) UNION (SELECT …)` */
  | 'parenthesized-selects'
  /** `FROM (VALUES …) AS v(a, b)` */
  | 'derived-columns'
  | 'lateral'
  | 'materialized'
  | 'indexed-by'
  | 'index-hints'
  | 'select-modifiers'
  | 'straight-join'
  | 'full-join'
  | 'distinct-on'
  | 'values-rows'
  | 'dual'
  | 'rollup-suffix'
  | 'group-direction'
  | 'grouping-sets'
  | 'limit-comma'
  | 'fetch-first'
  | 'null-suffixes'
  | 'in-table'
  | 'empty-in'
  | 'quantified'
  /** `INTERVAL 1 DAY` */
  | 'interval-units'
  /** `date '2020-01-01'` with any type */
  | 'typed-strings'
  | 'arrays'
  | 'double-colon-cast'
  | 'time-zone'
  | 'symmetric-between'
  /** Words after AS and after a dot are names, reserved or not. */
  | 'any-word-after-dot'
  | 'any-word-after-as';

/** The grammar that the expression and statement parsers accept. */
interface Grammar {
  /** Binding strengths of symbol operators, on the scale of `PRECEDENCE`. */
  readonly operators: ReadonlyMap<string, number>;
  /** Binding strengths of operators that are words, AND and OR aside. */
  readonly wordOperators: ReadonlyMap<string, number>;
  /** Strength of symbol operators that are not in the table; null where there are no others. */
  readonly otherOperators: number | null;
  readonly prefixes: ReadonlySet<string>;
  readonly prefixWords: ReadonlySet<string>;
  /** Words that match a pattern: LIKE and its kin. */
  readonly patternWords: readonly (readonly string[])[];
  /** Words that are values: NULL, CURRENT_DATE, … */
  readonly constants: ReadonlySet<string>;
  /** Reserved words that are functions where a parenthesis follows. */
  readonly callable: ReadonlySet<string>;
  /** Functions in which HAVING sees columns before aliases, where it is the other way round elsewhere; folded. */
  readonly aggregates: ReadonlySet<string>;
  readonly constructs: ReadonlySet<Construct>;
}

/** Which result columns an expression can name by their aliases. */
export type AliasRule =
  | 'none'
  /** An alias, when no column of the FROM clause has the name. */
  | 'after-columns'
  /** Either; a name that is both is ambiguous. */
  | 'either'
  /** Either, and the alias of a name that is both; ambiguous where the column is selected or grouped by. */
  | 'before-unused'
  /** None; but a column that is called like one is ambiguous. */
  | 'unlike-columns';

/** How names are looked up. */
interface Scoping {
  readonly where: AliasRule;
  readonly group: AliasRule;
  readonly having: AliasRule;
  readonly order: AliasRule;
  readonly window: AliasRule;
  /** A column that is a whole term of a window's ORDER BY. */
  readonly windowTerm: AliasRule;
  /**
   * The names that a whole term of ORDER BY or GROUP BY can have: `sqlite`, an alias or a star's column in ORDER BY
   * only; `outputs`, any result column by its name (in GROUP BY after the columns of the FROM clause).
   */
  readonly terms: 'sqlite' | 'outputs';
  /** GROUP BY's reading of a name that several tables have, and the result, too: the result's column, or neither. */
  readonly groupTwice: 'output' | 'neither';
  /** The tables that an ON sees: every one of its FROM clause, or those that it joins. */
  readonly on: 'clause' | 'join';
  /** Which joins must have ON or USING; where all must, CROSS JOIN must not. */
  readonly onNeeded: 'never' | 'outer' | 'always';
  /** True if a column that USING matches may be in several tables to the left: SQLite takes the first. */
  readonly using: 'first' | 'only';
  /** Where `*` puts the columns that USING and NATURAL make one. */
  readonly star: 'in-place' | 'using-order' | 'left-order';
  /** Which common tables one sees: all of its WITH; those before it, and in a recursive WITH all or also itself. */
  readonly commonTables: 'all' | 'earlier-or-all' | 'earlier-or-self';
  /** The treatment of two result columns of a subquery that have one name. */
  readonly duplicates: 'numbered' | 'ambiguous';
  /** How a result column without an alias is called: by its text, or by PostgreSQL's rules. */
  readonly outputNames: 'text' | 'implied';
  /** The names of VALUES columns: a prefix and the first number. */
  readonly values: readonly [prefix: string, first: number];
}

/** The differences between SQL dialects for the parser, the resolver and the rewriter. */
export interface SqlDialect {
  readonly name: 'sqlite' | 'mysql' | 'postgresql';
  /** For messages. */
  readonly title: string;
  /** Words that are never an identifier unless quoted; upper case. */
  readonly reserved: ReadonlySet<string>;
  /** Words that are identifiers, but not as an alias without AS; upper case. */
  readonly notImplicitAlias: ReadonlySet<string>;
  /** Words that a rewritten identifier must not be without quotes; upper case, holds `reserved`. */
  readonly quoted: ReadonlySet<string>;
  /** The pattern of a name that can be written without quotes, keywords aside. */
  readonly plain: RegExp;
  /** The character that a rewritten identifier is quoted with. */
  readonly quote: '"' | '`';
  /** Names of the implicit row id or system columns; folded. */
  readonly rowids: readonly string[];
  /** Names that may come before a table's, besides the database's own where `schemaIsDatabase`; folded. */
  readonly schemas: readonly string[];
  readonly schemaIsDatabase: boolean;
  /** Functions that are tables, by folded name: what their columns are called, or null for one called as the alias. */
  readonly tableFunctions: ReadonlyMap<string, readonly string[] | null>;
  /** True if a double-quoted token that names no column is a string literal. */
  readonly doubleQuotedLiterals: boolean;
  readonly lexis: Lexis;
  readonly grammar: Grammar;
  readonly scoping: Scoping;
  /** Returns the name of a bare word: PostgreSQL folds it to lower case. */
  bareName(word: string): string;
  /** The form under which the names of columns, tables and aliases are compared. */
  fold(name: string): string;
  /** Why a name can't be a column's, or null. */
  nameFault(name: string): string | null;
}
