import { whereReadable } from '../../../sql/sql-fault.js';
import { shuffled } from '../../../seeded-rng.js';
import { getOrMake, itemAt } from '../../../present.js';
import { isWithoutLatin } from '../../../schema/naming-style.js';
import type { Database } from '../../../schema/schema.js';
import type { SqlDialect } from '../../../sql/dialect.js';
import type { StageContext } from '../../../stage.js';
import {
  type Mutation,
  type MutationCase,
  type Mutations,
  type NotApplicable,
  type Relation,
  UNEXPRESSIBLE,
} from '../relation.js';
import type { MutatedSchema } from '../../databases/mutated-schema.js';
import { goldUse, type GoldUse } from './gold-use.js';
import { draftOf, finishDraft, type SchemaDraft } from './schema-draft.js';
import type { ValueMapping } from '../../../formats/artifacts/mutants.js';

/** One way to change a schema. */
export interface SchemaVariant {
  /** Distinguishes variants of one schema: equal keys mean equal schemas. */
  readonly key: string;
  /** For people: 'dropped singer.song_name'. */
  readonly detail: string;
  /** Of a kind that has several: which one, "abbreviated". */
  readonly level?: string;
  /** Asked once per schema, whatever questions it serves. */
  change(draft: SchemaDraft): SchemaDraft;
  /** The gold on the changed schema, or why it can't be said there; left out where the change is none to any query. */
  follow?(gold: GoldUse, changed: Database): string | NotApplicable;
  /** Set where nothing on the changed schema answers the question; `follow` then says whether that is so. */
  readonly isUnanswerable?: true;
  /** The question where it is to follow; left out where it stays. */
  reword?(question: string, gold: GoldUse): string;
  /** Which values it changes, as a gold shows them; null where all rows stay, left out by MT-TEQL's relations. */
  readonly mapping?: ((gold: GoldUse) => readonly ValueMapping[]) | null;
}

/** The input of a schema relation that reads no gold query. */
export interface GoldlessCase {
  /** Of the example. */
  readonly id: string;
  readonly database: Database;
  readonly mutated: MutatedSchema | null;
  readonly question: string;
}

/** The input of a schema relation. */
export interface SchemaCase extends GoldlessCase {
  readonly gold: GoldUse;
}

type Variants = readonly SchemaVariant[] | NotApplicable;

/** The parts of a schema relation, by its input. */
interface SpecOf<Case extends GoldlessCase, ReadsGoldFor extends string | null> {
  readonly id: string;
  readonly fingerprint: string;
  readonly dialect: SqlDialect;
  readonly readsGoldFor: ReadsGoldFor;
  /** Returns changes to a case's schema that keep the meaning, in a fixed order, or the reason that there are none. */
  variants(one: Case, limit: number, context: StageContext): Promise<Variants> | Variants;
}

/** The parts of a schema relation; one that reads no gold query has variants without `follow`. */
export type SchemaRelationSpec = SpecOf<SchemaCase, string> | SpecOf<GoldlessCase, null>;

/** Why a variant that brings Latin words into a schema without any Latin letter is left out. */
const OTHER_SCRIPT = 'names-in-another-script';

/** Id of the data set's own database behind a case. */
export function originOf({ database, mutated }: Pick<MutationCase, 'database' | 'mutated'>): string {
  return mutated?.origin ?? database.id;
}

/** A relation that changes the schema: its rows go along, its gold follows. */
export class SchemaRelation implements Relation {
  readonly id: string;
  readonly fingerprint: string;
  readonly readsGoldFor: string | null;
  readonly #spec: SchemaRelationSpec;
  readonly #made = new WeakMap<Database, Map<string, MutatedSchema>>();

  constructor(spec: SchemaRelationSpec) {
    this.#spec = spec;
    this.id = spec.id;
    this.fingerprint = spec.fingerprint;
    this.readsGoldFor = spec.readsGoldFor;
  }

  async mutate(cases: readonly MutationCase[], limit: number, context: StageContext): Promise<readonly Mutations[]> {
    const results: Mutations[] = [];
    for (const one of cases) {
      context.signal.throwIfAborted();
      results.push(await this.#mutateCase(one, limit, context));
    }
    return results;
  }

  async #mutateCase(one: MutationCase, limit: number, context: StageContext): Promise<Mutations> {
    const { example, database, mutated } = one;
    const spec = this.#spec;
    const request = { id: example.id, database, mutated, question: example.question };
    if (spec.readsGoldFor === null) {
      return this.#draw(one, null, await spec.variants(request, limit, context), limit, context);
    }
    const gold = example.query === null ? null : goldUse(example.query, database, spec.dialect);
    if (gold === null) return { reason: 'gold-unreadable' };
    return this.#draw(one, gold, await spec.variants({ ...request, gold }, limit, context), limit, context);
  }

  /** The first `limit` of a drawn order that the gold can follow, in the order of the variants. */
  #draw(one: MutationCase, gold: GoldUse | null, variants: Variants, limit: number, context: StageContext): Mutations {
    if ('reason' in variants) return variants;
    const taken = new Map<number, Mutation>();
    let refusal: NotApplicable | null = null;
    for (const place of shuffled([...variants.keys()], context.rngFor(`${one.example.id}~${this.id}`))) {
      if (taken.size === limit) break;
      const mutation = this.#apply(one, gold, itemAt(variants, place));
      if (!('reason' in mutation)) taken.set(place, mutation);
      else {
        refusal ??= mutation;
        if (mutation.reason !== OTHER_SCRIPT) {
          context.emit({ kind: 'count', name: `${UNEXPRESSIBLE}${mutation.reason}`, by: 1 });
        }
      }
    }
    if (taken.size === 0) return refusal ?? { reason: 'nothing-to-change' };
    return [...taken].sort(([a], [b]) => a - b).map(([, mutation]) => mutation);
  }

  #apply(one: MutationCase, gold: GoldUse | null, variant: SchemaVariant): Mutation | NotApplicable {
    const { question, query } = one.example;
    const mutated = this.#schemaOf(one, variant);
    if (isWithoutLatin(one.database) && !isWithoutLatin(mutated.schema)) return { reason: OTHER_SCRIPT };
    const followed = gold === null ? query : followGold(gold, mutated.schema, variant);
    if (typeof followed === 'object' && followed !== null) return followed;
    const { detail, level, mapping: maps, isUnanswerable } = variant;
    const expectation = followed === query ? 'same-query' : 'same-result';
    const mutation: Mutation = {
      mutated,
      detail,
      ...(level === undefined ? {} : { level }),
      question: gold === null ? question : (variant.reword?.(question, gold) ?? question),
      ...(isUnanswerable ? { query: null, expectation: 'unanswerable' } : { query: followed, expectation }),
    };
    if (maps === undefined) return mutation;
    return { ...mutation, mapping: maps === null || gold === null ? null : maps(gold) };
  }

  #schemaOf({ database, mutated }: MutationCase, variant: SchemaVariant): MutatedSchema {
    const schemas = getOrMake(this.#made, database, () => new Map<string, MutatedSchema>());
    let made = schemas.get(variant.key);
    if (made === undefined) {
      const origin = originOf({ database, mutated });
      schemas.set(variant.key, (made = finishDraft(variant.change(draftOf(database, mutated)), origin)));
    }
    return made;
  }
}

function followGold(gold: GoldUse, changed: Database, variant: SchemaVariant): string | NotApplicable {
  return whereReadable(() => variant.follow?.(gold, changed) ?? gold.sql, { reason: 'gold-cannot-follow' });
}
