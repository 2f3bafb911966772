import { basename, extname } from 'node:path';
import { readHead } from '../../run/file-head.js';

/** What a file seems to be. */
export type DataFileKind = 'tables' | 'spider' | 'bird' | 'interactions' | 'questions' | 'sqlite' | 'csv';

/** Enough for a first record of each format, and little of a large file. */
const HEAD_BYTES = 64 * 1024;

const hasKeys = (text: string, ...keys: readonly string[]): boolean =>
  keys.every((key) => new RegExp(`"${key}"\\s*:`, 'i').test(text));
/** Whether a field is a text: WikiSQL's `query`, for one, is a structure. */
const hasText = (text: string, key: string): boolean => new RegExp(`"${key}"\\s*:\\s*"`, 'i').test(text);

function kindOfRecords(head: string, isArray: boolean): DataFileKind | null {
  if (isArray && hasKeys(head, 'table_names_original', 'column_names_original')) return 'tables';
  if (isArray && hasKeys(head, 'database_id', 'interaction')) return 'interactions';
  if (!hasText(head, 'question') || !(hasText(head, 'query') || hasText(head, 'sql'))) return null;
  if (!isArray || !hasKeys(head, 'db_id')) return 'questions';
  return hasText(head, 'query') ? 'spider' : 'bird';
}

function kindOfCsv(head: string): DataFileKind {
  const header = (head.split(/\r?\n/, 1)[0] ?? '').toLowerCase().split(/[,;\t|]/u);
  const names = new Set(header.map((name) => name.replace(/^[\ufeff"\s]+|["\s]+$/gu, '')));
  return names.has('question') && (names.has('query') || names.has('sql')) ? 'questions' : 'csv';
}

/** Tells by its name and first bytes what a file is; null where it is of no data set. */
export function dataFileKind(file: string): DataFileKind | null {
  const ending = extname(file).toLowerCase();
  if (['.sqlite', '.sqlite3', '.db', '.db3'].includes(ending)) return 'sqlite';
  if (ending === '.csv' || ending === '.tsv') return kindOfCsv(readHead(file, HEAD_BYTES));
  if (ending === '.jsonl' || ending === '.ndjson')
    return kindOfRecords(readHead(file, HEAD_BYTES).split('\n', 1)[0] ?? '', false);
  if (ending !== '.json' || basename(file).startsWith('package')) return null;
  const head = readHead(file, HEAD_BYTES);
  return head.trimStart().startsWith('[') ? kindOfRecords(head, true) : null;
}
