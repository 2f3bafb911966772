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

/** A table or column by natural and original name. */
interface Named {
  readonly name: string;
  readonly originalName: string;
}

interface NamedTable extends Named {
  readonly dbId: string;
  readonly columns: readonly Named[];
}

interface KnownTable {
  readonly table: Named;
  /** By original name. */
  readonly columns: Map<string, Named>;
}

/** Names alone as a schema; types and keys are not known. */
function toDatabases(tables: Iterable<NamedTable>): ReadonlyMap<string, Database> {
  const byId = new Map<string, Map<string, KnownTable>>();
  for (const table of tables) {
    const known = byId.get(table.dbId) ?? new Map<string, KnownTable>();
    byId.set(table.dbId, known);
    const entry = known.get(table.originalName) ?? { table, columns: new Map<string, Named>() };
    known.set(table.originalName, entry);
    for (const column of table.columns) entry.columns.set(column.originalName, column);
  }
  return new Map([...byId].map(([id, known]) => [id, toDatabase(id, known.values())]));
}

function toDatabase(id: string, entries: Iterable<KnownTable>): Database {
  const tables = Array.from(entries, ({ table: { name, originalName }, columns }) => ({
    name,
    originalName,
    columns: Array.from(columns.values(), (column) => ({ ...column, type: 'others' as const })),
  }));
  return { id, tables, primaryKeys: [], foreignKeys: [] };
}

function* tablesOfProject(file: string): Generator<NamedTable> {
  const project = AnnotationProject.open(file, { readonly: true });
  try {
    for (const { item, context } of project.items()) {
      const own = { name: item.column, originalName: item.columnOriginal };
      const columns = [...context.columns.map(({ name, originalName }) => ({ name, originalName })), own];
      yield { dbId: item.dbId, name: item.table, originalName: item.tableOriginal, columns };
    }
  } finally {
    project.close();
  }
}

function tablesOfDecisions(decisions: readonly CandidateDecision[]): readonly NamedTable[] {
  return decisions.map(({ db_id, table, table_original, column, column_original }) => ({
    dbId: db_id,
    name: table,
    originalName: table_original ?? table,
    columns: [{ name: column, originalName: column_original ?? column }],
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
    const named = tables.map(({ dbId, table, columns }) => ({
      dbId,
      name: table,
      originalName: table,
      columns: columns.map((column) => ({ name: column, originalName: column })),
    }));
    return withDecisions(from, toDatabases(named));
  }
  if (existsSync(from) && statSync(from).isFile() && isSqliteFile(from)) {
    return withDecisions(from, toDatabases(tablesOfProject(from)));
  }
  const decisions = loadCandidates(from);
  const databases = toDatabases(tablesOfDecisions(decisions));
  return { decisions: knownCandidates(decisions, databases, from), databases, hasAllColumns: false };
}
