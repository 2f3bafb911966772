import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { OutputSchema } from '../../formats/output-set.js';
import { type RowlessSchemas, syntheticFile } from '../../formats/synthetic-databases.js';
import { mustGet } from '../../present.js';
import type { ColumnRef, Database } from '../../schema/schema.js';
import { refNamed } from '../../sql/schema-names.js';
import { openUntouched } from '../../sql/execution/open-untouched.js';
import { createRng } from '../../seeded-rng.js';
import { AdditionFiller } from '../database/addition-filler.js';
import { materializeCopy } from '../../variants/copy/materialize-copy.js';
import { databasePath } from '../database/perturbed-databases.js';
import { addedColumns, renamedColumns } from '../../variants/plan-change.js';
import type { RecordedChange } from '../../formats/artifacts/provenance.js';
import { recordedPositions } from '../recorded-change.js';

/** A variant's schema: what it was made from, and by which changes. */
interface RecordedSchema {
  readonly dbId: string;
  readonly originalDbId: string;
  readonly kind: string;
  readonly changes: readonly RecordedChange[];
}

/** The column that a change is about. @throws Error where the schema lacks it: the run's files don't fit together */
function refOf(database: Database, { table, column }: RecordedChange): ColumnRef {
  const ref = refNamed(database, table, column);
  if (ref === null) throw new Error(`${database.id} has no column ${table}.${column}`);
  return ref;
}

/** Synthetic databases for a run of `augment` that wrote none: those of the originals, and copies changed as variants are. */
export class SyntheticRows {
  readonly #schemas: RowlessSchemas;
  readonly #scratch: string;

  /** Files are written below `scratch` when they are first asked for. */
  constructor(schemas: RowlessSchemas, scratch: string) {
    this.#schemas = schemas;
    this.#scratch = scratch;
  }

  /** The SQLite file of a record's schema. */
  file(record: RecordedSchema): string {
    const { dbId, originalDbId } = record;
    const source = mustGet(syntheticFile(this.#schemas, originalDbId, this.#scratch), 'a database of the original');
    if (dbId === originalDbId) return source;
    const target = databasePath(join(this.#scratch, 'variants'), dbId);
    if (!existsSync(target)) this.#write(source, target, record);
    return target;
  }

  #write(source: string, target: string, record: RecordedSchema): void {
    const { databases, seed } = this.#schemas;
    const original = mustGet(databases.get(record.originalDbId), 'the schema of the original');
    const schema = mustGet(databases.get(record.dbId), 'the schema of the variant');
    const columns = recordedPositions(original, schema, record.kind, record.changes);
    const output: OutputSchema = { schema, origin: original.id, columns };
    const changes = record.changes.map((change) => ({
      ref: refOf(original, change),
      originalName: change.identifier,
    }));
    const sqlite = openUntouched(source);
    try {
      const filler = new AdditionFiller(() => sqlite);
      const additions = addedColumns(original, output, changes).map((addition) => {
        const rng = createRng(seed, `${record.dbId}/${addition.table}.${addition.column.originalName}`);
        return filler.fill(addition, [], rng);
      });
      materializeCopy(source, target, { renames: renamedColumns(original, output), additions });
    } finally {
      sqlite.close();
    }
  }
}
