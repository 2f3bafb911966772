import { getOrMake } from '../../../present.js';
import type { Database } from '../../../schema/schema.js';
import type { SqlDialect } from '../../../sql/dialect.js';
import type { StageContext } from '../../../stage.js';
import type { NotApplicable } from '../relation.js';
import type { GoldUse } from '../schema/gold-use.js';
import { type GoldlessCase, SchemaRelation, type SchemaVariant } from '../schema/schema-relation.js';
import type { ValueMapping } from '../../../formats/artifacts/mutants.js';

/** A change of a schema that any gold of it may follow. */
export interface SchemaEvolution extends Omit<SchemaVariant, 'follow' | 'mapping'> {
  readonly follow: (gold: GoldUse, changed: Database) => string | NotApplicable;
  /** Which values it changes; left out where all rows stay as they are. */
  readonly mapping?: (gold: GoldUse) => readonly ValueMapping[];
}

/** The parts of a kind of evolution. */
interface EvolutionSpec {
  readonly id: string;
  /** Raised with each change of what it makes. */
  readonly version: number;
  readonly dialect: SqlDialect;
  /** Further content of its fingerprint. */
  readonly parts?: string;
  /** Every change of a schema, in a fixed order, or why there is none; asked once per schema. */
  readonly changes: (
    one: GoldlessCase,
    context: StageContext,
  ) => Promise<readonly SchemaEvolution[] | NotApplicable> | readonly SchemaEvolution[] | NotApplicable;
}

type Changes = Promise<readonly SchemaEvolution[] | NotApplicable>;

/** A relation that changes a schema as schemas in use change: whatever a gold uses of it, the gold follows. */
export function evolutionRelation({ id, version, dialect, parts, changes }: EvolutionSpec): SchemaRelation {
  const known = new WeakMap<Database, Changes>();
  const changesOf = (one: GoldlessCase, context: StageContext): Changes => {
    return getOrMake(known, one.database, () => Promise.resolve(changes(one, context)));
  };
  return new SchemaRelation({
    id,
    fingerprint: [`${id} ${version}`, ...(parts === undefined ? [] : [parts])].join(', '),
    dialect,
    readsGoldFor: 'which tables and columns it reads',
    variants: async (one, _limit, context) => {
      const found = await changesOf(one, context);
      if ('reason' in found) return found;
      if (found.length === 0) return { reason: 'nothing-to-change' };
      return found.map((change) => ({ mapping: null, ...change }));
    },
  });
}
