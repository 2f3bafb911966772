import { existsSync, statSync } from 'node:fs';
import { AnnotationProject } from '../annotate/project/annotation-project.js';
import { isSqliteFile } from '../formats/is-sqlite-file.js';
import { loadAdvetaTables } from '../formats/adveta-candidates.js';
import { type CandidateDecision, loadCandidates } from '../formats/candidates-file.js';
import type { Database } from '../schema/schema.js';
import { ADVETA_PREFIX, knownCandidates, loadCandidatesFrom, SPIDER_FILES } from './candidate-origin.js';

/** Candidates with the tables that they are about. */
export interface CandidateTables {
  readonly decisions: readonly CandidateDecision[];
  readonly databases: ReadonlyMap<string, Database>;
  /** False where only columns with candidates are known. */
  readonly hasAllColumns: boolean;
}

/** A table by natural and original name, with the names of its columns. */
interface NamedTable {
  readonly dbId: string;
  readonly name: string;
  readonly originalName: string;
  readonly columns: readonly string[];
}

/** Names alone as a schema; types and keys are not known. */
function toDatabases(tables: Iterable<NamedTable>): ReadonlyMap<string, Database> {
  const byId = new Map<string, Map<string, { table: NamedTable; columns: Set<string> }>>();
  for (const table of tables) {
    const known = byId.get(table.dbId) ?? new Map<string, { table: NamedTable; columns: Set<string> }>();
    byId.set(table.dbId, known);
    const entry = known.get(table.originalName) ?? { table, columns: new Set<string>() };
    known.set(table.originalName, entry);
    for (const column of table.columns) entry.columns.add(column);
  }
  return new Map([...byId].map(([id, known]) => [id, toDatabase(id, known.values())]));
}

function toDatabase(id: string, entries: Iterable<{ table: NamedTable; columns: Set<string> }>): Database {
  const tables = Array.from(entries, ({ table: { name, originalName }, columns }) => ({
    name,
    originalName,
    columns: Array.from(columns, (column) => ({ name: column, originalName: column, type: 'others' as const })),
  }));
  return { id, tables, primaryKeys: [], foreignKeys: [] };
}

function* tablesOfProject(file: string): Generator<NamedTable> {
  const project = AnnotationProject.open(file, { readonly: true });
  try {
    for (const { item, context } of project.items()) {
      const columns = [...context.columns.map(({ name }) => name), item.column];
      yield { dbId: item.dbId, name: item.table, originalName: item.tableOriginal, columns };
    }
  } finally {
    project.close();
  }
}

function tablesOfDecisions(decisions: readonly CandidateDecision[]): readonly NamedTable[] {
  return decisions.map(({ db_id, table, column }) => ({
    dbId: db_id,
    name: table,
    originalName: table,
    columns: [column],
  }));
}

/** Candidates for tables of which all columns are known. @throws as `loadCandidatesFrom` */
export function withDecisions(from: string, databases: ReadonlyMap<string, Database>): CandidateTables {
  return { decisions: loadCandidatesFrom(from, databases), databases, hasAllColumns: true };
}

/**
 * What `--candidates` names, without its data set: the tables are those of ADVETA's files, of a project's items, or those
 * that decisions name.
 * @throws InputFormatError or AnnotationError when a file is not what it should be, or holds no candidate
 */
export function readCandidateTables(from: string): CandidateTables {
  if (from.startsWith(ADVETA_PREFIX)) {
    const tables = loadAdvetaTables(from.slice(ADVETA_PREFIX.length), SPIDER_FILES);
    const named = tables.map(({ dbId, table, columns }) => ({ dbId, name: table, originalName: table, columns }));
    return withDecisions(from, toDatabases(named));
  }
  if (existsSync(from) && statSync(from).isFile() && isSqliteFile(from)) {
    return withDecisions(from, toDatabases(tablesOfProject(from)));
  }
  const decisions = loadCandidates(from);
  const databases = toDatabases(tablesOfDecisions(decisions));
  return { decisions: knownCandidates(decisions, databases, from), databases, hasAllColumns: false };
}
