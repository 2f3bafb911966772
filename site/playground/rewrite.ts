import { PerturbqlError } from '../../src/errors.js';
import { columnNameKey } from '../../src/schema/name-identity.js';
import type { Database } from '../../src/schema/schema.js';
import type { QuotedSql } from '../../src/sql/edits.js';
import { rewriteVariant } from '../../src/sql/rename-columns.js';
import { mentionedColumns, resolveColumns } from '../../src/sql/resolver.js';
import type { ColumnRef } from '../../src/schema/schema.js';
import { readSchema } from './read-schema.js';
import type { PageState } from './state.js';

/** What went wrong, in the words of the command line. */
interface Fault {
  readonly message: string;
  readonly fix: string;
}

export interface Rewritten {
  readonly database: Database | null;
  /** Columns that the query names. */
  readonly mentioned: readonly ColumnRef[];
  readonly gold: QuotedSql | null;
  readonly fault: Fault | null;
}

function faultOf(error: unknown): Fault {
  if (error instanceof PerturbqlError) return { message: error.message, fix: error.fix };
  throw error;
}

/** A new name that its table has already; SQLite would refuse the table. */
function clashOf(database: Database, { renames, added }: PageState): Fault | null {
  for (const [t, table] of database.tables.entries()) {
    const kept = table.columns.map(({ originalName }, c) => renames.get(`${t}.${c}`) ?? originalName);
    const keys = [...kept, ...(added.get(t) ?? [])].map(columnNameKey);
    const twice = keys.findIndex((key, i) => keys.indexOf(key) !== i);
    if (twice !== -1) {
      const name = [...kept, ...(added.get(t) ?? [])][twice]!;
      return { message: `two columns of ${table.originalName} would be called ${name}`, fix: 'Choose another name.' };
    }
  }
  return null;
}

/** Reads the schema and rewrites the query for the names that were chosen. */
export function rewrite(state: PageState): Rewritten {
  let database: Database | null = null;
  let mentioned: readonly ColumnRef[] = [];
  try {
    database = readSchema(state.schema);
    mentioned = mentionedColumns(resolveColumns(state.query, database));
    const fault = clashOf(database, state);
    if (fault !== null) return { database, mentioned, gold: null, fault };
    const { renames, added } = state;
    return { database, mentioned, gold: rewriteVariant(state.query, database, { renames, added }), fault: null };
  } catch (error) {
    return { database, mentioned, gold: null, fault: faultOf(error) };
  }
}
