import type { SpiderExample, SpiderExampleRecord } from '../formats/spider-examples.js';
import { renderSpiderExample } from '../formats/spider-output.js';
import { columnAt, type Database } from '../schema/schema.js';
import type { PerturbationKind } from './candidate-pool.js';
import type { PerturbedExample } from './perturb-example.js';

/** What was replaced or added, by what, and why: one line of `provenance.jsonl`. */
export interface ProvenanceLine {
  /** Position in `examples.json`. */
  readonly index: number;
  /** Id of the example in the input, "dev:17". */
  readonly source: string;
  readonly db_id: string;
  readonly original_db_id: string;
  readonly kind: 'original' | PerturbationKind;
  readonly unmentioned: boolean;
  readonly changes: readonly {
    readonly table: string;
    readonly column: string;
    readonly candidate: string;
    readonly identifier: string;
    readonly source: string;
    readonly reason: string;
    readonly origin: unknown;
    readonly e1: number | null;
    readonly e2: number | null;
  }[];
  /** Edits of the gold query by position in the original. */
  readonly edits: readonly unknown[];
}

/** Collects a perturbed data set: equal schemas share one db_id, `<db_id>__rpl_1`, numbered as they appear. */
export class PerturbedDataset {
  readonly schemas: Database[] = [];
  readonly records: SpiderExampleRecord[] = [];
  readonly provenance: ProvenanceLine[] = [];
  readonly #ids = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  readonly #taken: ReadonlySet<string>;

  /** `taken`: ids of the input's databases, which no perturbed schema may get. */
  constructor(taken: ReadonlySet<string> = new Set()) {
    this.#taken = taken;
  }

  addOriginal(example: SpiderExample): void {
    this.provenance.push(this.#line(example, example.dbId, 'original', null));
    this.records.push(example.record);
  }

  /** @throws SqlRewriteError when the rewritten query is outside Spider's grammar; nothing is added then. */
  addVariant(example: SpiderExample, database: Database, variant: PerturbedExample): void {
    const known = this.#ids.get(schemaKey(variant.schema));
    const id = known ?? `${database.id}__${variant.kind.toLowerCase()}_${this.#nextNumber(database.id, variant.kind)}`;
    const schema = { ...variant.schema, id };
    const record = renderSpiderExample(example.record, variant.sql.sql, schema);
    if (known === undefined) this.#register(schema, database.id, variant.kind);
    this.provenance.push(this.#line(example, id, variant.kind, { database, variant }));
    this.records.push(record);
  }

  #nextNumber(dbId: string, kind: PerturbationKind): number {
    let next = (this.#counts.get(`${dbId}:${kind}`) ?? 0) + 1;
    while (this.#taken.has(`${dbId}__${kind.toLowerCase()}_${next}`)) next++;
    return next;
  }

  #register(schema: Database, dbId: string, kind: PerturbationKind): void {
    this.#counts.set(`${dbId}:${kind}`, this.#nextNumber(dbId, kind));
    this.#ids.set(schemaKey({ ...schema, id: dbId }), schema.id);
    this.schemas.push(schema);
  }

  #line(
    example: SpiderExample,
    dbId: string,
    kind: ProvenanceLine['kind'],
    perturbed: { readonly database: Database; readonly variant: PerturbedExample } | null,
  ): ProvenanceLine {
    const changes = perturbed?.variant.changes.map(({ ref, decision, originalName }) => ({
      table: perturbed.database.tables[ref.table]!.originalName,
      column: columnAt(perturbed.database, ref).originalName,
      candidate: decision.candidate,
      identifier: originalName,
      source: decision.source,
      reason: decision.reason,
      origin: decision.origin,
      e1: decision.e1,
      e2: decision.e2,
    }));
    return {
      index: this.records.length,
      source: example.id,
      db_id: dbId,
      original_db_id: example.dbId,
      kind,
      unmentioned: perturbed?.variant.unmentioned ?? false,
      changes: changes ?? [],
      edits: perturbed?.variant.sql.edits ?? [],
    };
  }
}

function schemaKey(schema: Database): string {
  return JSON.stringify(schema);
}
