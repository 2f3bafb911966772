import { join } from 'node:path';
import { SqlRewriteError } from '../../errors.js';
import type { CandidateDecision } from '../../formats/artifacts/candidates.js';
import { type PerturbedLine, writeProvenance } from '../../formats/artifacts/provenance.js';
import type { Dataset, DatasetExample } from '../../formats/dataset.js';
import { renderJsonArray } from '../../formats/json-file.js';
import { isOriginal } from '../../formats/output-set.js';
import { followTexts, type TextChange } from '../../formats/schema-text/schema-texts.js';
import { renderGoldLine, renderVariantRecord } from '../../formats/spider-output.js';
import { renderSpiderTables } from '../../formats/spider-tables.js';
import type { MaterializeMode } from '../../variants/databases/database-change.js';
import {
  INPUT_VALUES_SEED,
  type MaterializedSchema,
  writePerturbedDatabases,
} from '../../variants/databases/perturbed-databases.js';
import { writtenDatabase } from '../../variants/databases/write-variants.js';
import { loadSourceValues, type SourceValues } from '../../variants/databases/source-values.js';
import { provenanceLine } from '../../variants/augment/provenance.js';
import { embeddedIndexFolder } from '../../recipes/stage-resources.js';
import { writeDurably } from '../../run/durable-file.js';
import type { RunHost } from '../../run/run-host.js';
import type { Database } from '../../schema/schema.js';
import { type AttackPlan, plannedQuestions, type PlannedQuestion } from './attack-plan.js';
import type { TableSet } from './table-set.js';

export interface InputFoldersRequest {
  readonly plan: AttackPlan;
  readonly materialize: MaterializeMode;
  /** The input's folder of databases. */
  readonly databases: string | null;
  /** Folder that they go below. */
  readonly out: string;
}

/**
 * The questions of one condition and seed in Spider's format: `tables.json`, `dev.json`, `gold.sql`, `database/`, and
 * `provenance.jsonl` with a line for each record of `dev.json`.
 */
export interface InputFolder {
  /** "original", "RPL-0". */
  readonly name: string;
  /** Returns the folder's name for a set of tables, and the path of its SQLite file if the folder has one. */
  databaseOf(original: Database, tables: TableSet): { readonly dbId: string; readonly file: string | null };
}

/** Tables under the ids that a folder gives them. */
class FolderSchemas {
  readonly #taken: ReadonlySet<string>;
  readonly #byKey = new Map<string, MaterializedSchema>();
  readonly #counts = new Map<string, number>();

  constructor(dataset: Dataset) {
    this.#taken = new Set(dataset.databases.keys());
  }

  get all(): readonly MaterializedSchema[] {
    return [...this.#byKey.values()];
  }

  of(original: Database, tables: TableSet): MaterializedSchema {
    const key = `${original.id} ${tables.key}`;
    let schema = this.#byKey.get(key);
    if (schema === undefined) {
      const { columns, changes } = tables;
      const id = changes.length === 0 ? original.id : this.#nextId(original.id, changes[0]!.kind);
      schema = { schema: { ...tables.schema, id }, origin: original.id, columns, changes };
      this.#byKey.set(key, schema);
    }
    return schema;
  }

  #nextId(dbId: string, kind: string): string {
    for (;;) {
      const number = (this.#counts.get(dbId) ?? 0) + 1;
      this.#counts.set(dbId, number);
      const id = `${dbId}__${kind.toLowerCase()}_${number}`;
      if (!this.#taken.has(id)) return id;
    }
  }
}

/** A record of Spider's examples with the id that its prediction is to have. */
function recordOf(dataset: Dataset, example: DatasetExample, query: string, schema: Database, id: string): unknown {
  try {
    return { ...renderVariantRecord(dataset, example, query, schema), question_id: id };
  } catch (error) {
    if (!(error instanceof SqlRewriteError)) throw error;
    // Outside Spider's grammar: without tokens and structure.
    return { db_id: schema.id, question: example.question, query, question_id: id };
  }
}

/** Where a record comes from. A question whose tables stay as they are is an original under every condition. */
function provenanceOf(
  index: number,
  { example, group, turn, condition, tables }: PlannedQuestion,
  schema: MaterializedSchema,
  texts: readonly TextChange[],
): PerturbedLine {
  const kind = isOriginal(schema) ? 'original' : condition;
  const changes = { changes: tables.changes, edits: tables.queries[turn]!.edits, unmentioned: false, texts };
  return provenanceLine(index, { source: example, kind, schema }, group.database, changes);
}

function tablesRecord(dataset: Dataset, { schema, origin }: MaterializedSchema): unknown {
  return (schema.id === origin ? dataset.spiderTables?.get(origin) : undefined) ?? renderSpiderTables(schema);
}

/** Name of the folder that a question goes into. */
export function folderOf({ condition, seed }: PlannedQuestion): string {
  return seed === null ? condition : `${condition}-${seed}`;
}

/**
 * Writes a folder per condition and seed.
 * @throws ConfigError when the disk has too little room for the databases
 */
export async function writeInputFolders(request: InputFoldersRequest, host: RunHost): Promise<readonly InputFolder[]> {
  const { plan, materialize } = request;
  const byFolder = new Map<string, PlannedQuestion[]>();
  for (const question of plannedQuestions(plan)) {
    const name = folderOf(question);
    byFolder.set(name, [...(byFolder.get(name) ?? []), question]);
  }
  const origins = materialize === 'none' ? [] : plan.inputs.decisions.map(({ origin }) => origin);
  const sourceValues = await loadSourceValues(embeddedIndexFolder(), origins);
  let done = 0;
  return [...byFolder].map(([name, questions]) => {
    host.signal.throwIfAborted();
    const folder = writeFolder(request, name, questions, sourceValues, host);
    host.progress('folders written', ++done, byFolder.size);
    return folder;
  });
}

function writeFolder(
  { plan, materialize, databases, out }: InputFoldersRequest,
  name: string,
  questions: readonly PlannedQuestion[],
  sourceValues: SourceValues,
  host: RunHost,
): InputFolder {
  const { dataset } = plan.inputs;
  const folder = join(out, name);
  const schemas = new FolderSchemas(dataset);
  const rows = questions.map((question, index) => {
    const { id, example, group, turn, tables } = question;
    const output = schemas.of(group.database, tables);
    const { sql } = tables.queries[turn]!;
    const followed = followTexts(dataset, example, output);
    return {
      record: recordOf(dataset, followed.example, sql, output.schema, id),
      gold: renderGoldLine(sql, output.schema.id),
      provenance: provenanceOf(index, question, output, followed.texts),
    };
  });
  writeDurably(join(folder, 'dev.json'), renderJsonArray(rows.map(({ record }) => record)));
  writeDurably(
    join(folder, 'gold.sql'),
    rows.map(({ gold }) => gold),
  );
  writeProvenance(
    { write: (name, content) => writeDurably(join(folder, name), content) },
    rows.map(({ provenance }) => provenance),
  );
  writeDurably(join(folder, 'tables.json'), renderJsonArray(schemas.all.map((one) => tablesRecord(dataset, one))));
  if (materialize !== 'none') {
    const values = ({ origin }: CandidateDecision): readonly string[] => sourceValues.of(origin);
    const inputs = { dataset, databases, out: folder, seed: INPUT_VALUES_SEED, sourceValues: values };
    const request = { ...inputs, schemas: schemas.all, mode: materialize };
    for (const { id, reason } of writePerturbedDatabases(request, { before: `${name}: ` }, host))
      host.note(`warning: no database for ${id}: ${reason}`);
  }
  return {
    name,
    databaseOf: (original, tables) => {
      const { id } = schemas.of(original, tables).schema;
      return { dbId: id, file: materialize === 'none' ? null : writtenDatabase(folder, id) };
    },
  };
}
