import type { Dataset } from './dataset.js';
import type { OutputExample, OutputKind } from './output-set.js';

/** The id of a variant after its original's and its kind, distinct from those taken, and from now on taken itself. */
export function variantId(id: string, kind: string, taken: Set<string | number>): string {
  const stem = `${id}__${kind.toLowerCase()}`;
  let own = stem;
  for (let number = 2; taken.has(own); number++) own = `${stem}_${number}`;
  taken.add(own);
  return own;
}

/**
 * Ids of written examples: an original keeps its own; a variant is called after it and its kind, "dev:17__rpl", with a
 * number where that is taken, "dev:17__rpl_2"; a mutant has its own. Made for one pass over the examples.
 */
export function createVariantIds(input: Dataset): (example: OutputExample) => string {
  const taken = new Set<string | number>();
  // A data set that was perturbed before has such ids already.
  for (const { id } of input.examples()) taken.add(id);
  return ({ id, source, kind }) => id ?? (kind === 'original' ? source.id : variantId(source.id, kind, taken));
}

type OwnId = string | number;

/** Fields that name a record of a question. */
const ID_FIELDS: readonly string[] = ['id', 'question_id'];

/** A record of any format. */
type AnyRecord = Readonly<Record<string, unknown>>;

function idIn(record: object, field: string): OwnId | null {
  const id = (record as AnyRecord)[field];
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

/** The ids that a record of a question has, by field. */
export function idsIn(record: object): Readonly<Record<string, OwnId>> {
  return Object.fromEntries(
    ID_FIELDS.flatMap((field) => {
      const id = idIn(record, field);
      return id === null ? [] : [[field, id]];
    }),
  );
}

/** Ids of one field: no two records share one, and a number stays a number. */
class FieldIds {
  readonly #taken = new Set<OwnId>();
  #next = 0;

  take(id: OwnId): void {
    this.#taken.add(String(id));
    if (typeof id === 'number') this.#next = Math.max(this.#next, Math.floor(id) + 1);
  }

  forVariant(id: OwnId, kind: OutputKind): OwnId {
    return typeof id === 'number' ? this.#next++ : variantId(id, kind, this.#taken);
  }

  named(id: OwnId, name: string): OwnId {
    return typeof id === 'number' ? this.#next++ : name;
  }
}

/** The ids of records that are made from others: distinct from all others, each next to that of its original. */
export class RecordIds {
  readonly #fields: readonly (readonly [field: string, ids: FieldIds])[];

  /** `records`: all originals, whose ids in `fields` are taken. */
  constructor(records: Iterable<object>, fields = ID_FIELDS) {
    this.#fields = fields.map((field) => [field, new FieldIds()]);
    for (const record of records) {
      for (const [field, ids] of this.#fields) {
        const id = idIn(record, field);
        if (id !== null) ids.take(id);
      }
    }
  }

  /** The fields with ids that a record of a kind has in place of its original's; none for the original itself. */
  idsOf(record: object, kind: OutputKind): AnyRecord {
    return kind === 'original' ? {} : this.#replaced(record, (ids, id) => ids.forVariant(id, kind));
  }

  /** As `idsOf`, of a record that has an id of its own, which no other has: where its original's is a text, that one. */
  namedIdsOf(record: object, name: string): AnyRecord {
    return this.#replaced(record, (ids, id) => ids.named(id, name));
  }

  #replaced(record: object, idFrom: (ids: FieldIds, id: OwnId) => OwnId): AnyRecord {
    return Object.fromEntries(
      this.#fields.flatMap(([field, ids]) => {
        const id = idIn(record, field);
        return id === null ? [] : [[field, idFrom(ids, id)] as const, [`original_${field}`, id] as const];
      }),
    );
  }
}
