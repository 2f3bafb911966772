import type Sqlite from 'better-sqlite3';
import { SqlRewriteError } from '../../errors.js';
import { meaningfulTokens } from '../tokenizer.js';
import { executeQuery } from './execute-query.js';
import type { QueryLimits, QueryOutcome } from './query-outcome.js';

/** What SQLite skips before a statement, semicolons among it. */
const SKIPPED = /[ \t\n\f\r\uFEFF;]+|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y;

function statementOf(sql: string): string {
  SKIPPED.lastIndex = 0;
  let start = 0;
  while (SKIPPED.test(sql)) start = SKIPPED.lastIndex;
  return sql.slice(start);
}

/** Whether anything but spaces and comments is behind the first semicolon, and be it another one. */
function hasSecondEnd(statement: string): boolean {
  try {
    const tokens = meaningfulTokens(statement);
    const end = tokens.findIndex(({ text }) => text === ';');
    return end >= 0 && end < tokens.length - 1;
  } catch (error) {
    if (error instanceof SqlRewriteError) return false;
    throw error;
  }
}

const PRAGMA = /^PRAGMA\s+(?:\w+\s*\.\s*)?(\w+)\s*(=|\()?/iu;
/** Pragmas that give a row where they are set: https://sqlite.org/pragma.html */
const ANSWERS = new Set(
  `analysis_limit busy_timeout hard_heap_limit journal_mode journal_size_limit locking_mode max_page_count mmap_size
   secure_delete soft_heap_limit threads trusted_schema wal_autocheckpoint wal_checkpoint foreign_key_check
   foreign_key_list index_info index_list index_xinfo integrity_check quick_check table_info table_list table_xinfo
   optimize`.split(/\s+/u),
);

/** Whether a PRAGMA gives no row: it is none that SQLite knows, or sets what it does not answer. It is not run. */
function isSilentPragma(sqlite: Sqlite.Database, sql: string): boolean {
  const [, name = '', sets] = PRAGMA.exec(sql) ?? [];
  if (name === '') return false;
  const known = sqlite.prepare('SELECT 1 FROM pragma_pragma_list WHERE name = lower(?)').get(name);
  return known === undefined || (sets !== undefined && !ANSWERS.has(name.toLowerCase()));
}

const NO_ROWS: QueryOutcome = { kind: 'rows', columns: [], rows: [] };

/**
 * As `executeQuery`, but as BIRD's script has it, which asks Python's sqlite3: a text without a statement and a PRAGMA
 * without rows give an empty result, a second semicolon is a second statement, and a text that is not UTF-8 is an error.
 */
export function executeAsPython(sqlite: Sqlite.Database, sql: string, limits: QueryLimits): QueryOutcome {
  const statement = statementOf(sql);
  if (statement === '' || isSilentPragma(sqlite, statement)) return NO_ROWS;
  if (hasSecondEnd(statement)) return { kind: 'refused', reason: 'several-statements' };
  const outcome = executeQuery(sqlite, statement, limits);
  if (outcome.kind !== 'rows') return outcome;
  const isUnreadable = outcome.rows.some((row) =>
    row.some((value) => value !== null && typeof value === 'object' && 'text' in value),
  );
  if (!isUnreadable) return outcome;
  return { kind: 'failed', at: 'query', message: 'Python’s sqlite3 can’t decode a text of the result as UTF-8' };
}
