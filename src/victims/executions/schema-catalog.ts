import { SqlRewriteError } from '../../errors.js';
import { type DeclaredTypes, renderCreateTable } from '../../schema/create-tables.js';
import type { Database } from '../../schema/schema.js';
import { foldName, renderString } from '../../sql/dialect.js';
import type { QuerySource } from '../../sql/execution/query-source.js';
import { isTrivia, type Token, tokenize, unquote } from '../../sql/tokenizer.js';

/** SQLite's table of a database's tables, https://sqlite.org/schematab.html */
const CATALOGS = new Set(['sqlite_master', 'sqlite_schema']);
/** The same of perturbed tables, which are TEMP views: SQLite's own names the original's columns. */
const PERTURBED_CATALOG = 'perturbql_schema';

function tokensOf(sql: string): readonly Token[] {
  try {
    return tokenize(sql).filter((token) => !isTrivia(token));
  } catch (error) {
    if (error instanceof SqlRewriteError) return []; // SQLite says what is wrong with it
    throw error;
  }
}

const nameOf = (token: Token | undefined): string => (token === undefined ? '' : foldName(unquote(token)));

function withPerturbedCatalog(sql: string, tokens: readonly Token[]): string {
  let [rewritten, from] = ['', 0];
  for (const [at, token] of tokens.entries()) {
    if (!CATALOGS.has(nameOf(token)) || token.quote === 'single') continue;
    const isQualified = tokens[at - 1]?.text === '.' && nameOf(tokens[at - 2]) === 'main';
    rewritten += sql.slice(from, isQualified ? tokens[at - 2]!.start : token.start) + PERTURBED_CATALOG;
    from = token.end;
  }
  return rewritten + sql.slice(from);
}

function catalogScript(schema: Database, types: DeclaredTypes | undefined): string {
  const rows = schema.tables.map(({ originalName, isView = false }, t) => {
    const [kind, name] = [renderString(isView ? 'view' : 'table'), renderString(originalName)];
    return `(${kind}, ${name}, ${name}, 0, ${renderString(renderCreateTable(schema, t, types))})`;
  });
  const columns = 'type TEXT, name TEXT, tbl_name TEXT, rootpage INT, sql TEXT';
  const inserted = rows.length === 0 ? '' : `INSERT INTO ${PERTURBED_CATALOG} VALUES ${rows.join(', ')};`;
  return `CREATE TEMP TABLE ${PERTURBED_CATALOG} (${columns}); ${inserted}`;
}

/** Tables, and what a query on them reads. */
export interface QueriedTables {
  readonly schema: Database;
  readonly types?: DeclaredTypes;
  /** What a query reads; null where there are no rows. */
  readonly sourceOf?: (sql: string) => QuerySource | null;
}

/** A query as it is to be executed; null where there is no database. One that asks for names sees those of the schema. */
export function placeQuery(
  sql: string,
  { schema, types, sourceOf }: QueriedTables,
): { readonly sql: string; readonly source: QuerySource } | null {
  const tokens = tokensOf(sql);
  const asksCatalog = tokens.some((token) => CATALOGS.has(nameOf(token)));
  const asksNames = asksCatalog || tokens.some((token) => nameOf(token).startsWith('pragma_'));
  // All columns are there for a star.
  const source = sourceOf?.(asksNames ? '*' : sql) ?? null;
  if (source === null) return null;
  const { setup } = source;
  if (!asksCatalog || setup === undefined) return { sql, source };
  return {
    sql: withPerturbedCatalog(sql, tokens),
    source: { ...source, setup: [...setup, catalogScript(schema, types)] },
  };
}
