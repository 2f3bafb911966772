import { type CandidateDecision, loadCandidates } from '../formats/artifacts/candidates.js';
import type { DatasetFormat } from '../formats/dataset-formats.js';
import type { Database } from '../schema/schema.js';
import { type CandidateForm, candidateFormOf, type Named, type NamedTable } from './candidate-forms.js';
import { knownCandidates, loadCandidatesFrom } from './candidate-origin.js';

/** Candidates with the tables that they are about. */
export interface CandidateTables {
  readonly decisions: readonly CandidateDecision[];
  readonly databases: ReadonlyMap<string, Database>;
  /** False where only columns with candidates are known. */
  readonly hasAllColumns: boolean;
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

function tablesOfDecisions(decisions: readonly CandidateDecision[]): readonly NamedTable[] {
  return decisions.map(({ db_id, table, table_original, column, column_original }) => ({
    dbId: db_id,
    name: table,
    originalName: table_original ?? table,
    columns: [{ name: column, originalName: column_original ?? column }],
  }));
}

/**
 * Reads the tables that `--candidates` names, without its data set: those of ADVETA's files, of a project's items, or
 * those that decisions name. Of a release it reads the lists of the format's set.
 * @throws InputFormatError or AnnotationError when a file is not what it should be, or holds no candidate
 */
export function readCandidateTables(
  from: string,
  format: DatasetFormat,
  candidateForms: readonly CandidateForm[] = [],
): CandidateTables {
  const tables = candidateFormOf(from, candidateForms)?.tables(from, format) ?? null;
  if (tables !== null) {
    const databases = toDatabases(tables);
    return {
      decisions: loadCandidatesFrom(from, databases, { format, candidateForms }),
      databases,
      hasAllColumns: true,
    };
  }
  const decisions = loadCandidates(from);
  const databases = toDatabases(tablesOfDecisions(decisions));
  return { decisions: knownCandidates(decisions, databases, from), databases, hasAllColumns: false };
}
