import { type Database, placedColumn } from '../../../schema/schema.js';
import type { SqlDialect } from '../../../sql/dialect.js';
import { mentionOf } from '../../candidates/plan-tables.js';
import { PERTURB_DEFAULTS } from '../../augment/variant-plan.js';
import { describeColumn } from '../schema/identifiers.js';
import { SchemaRelation, type SchemaVariant } from '../schema/schema-relation.js';
import { CandidatePool, type PerturbationKind } from './candidate-pool.js';
import type { Decisions } from './decisions.js';
import { type DrawnSchema, drawSchema, rewriteFor } from './draw-schema.js';
import { changeDraft, insertionsOf } from './perturbed-schema.js';

function variantOf(database: Database, drawn: DrawnSchema, dialect: SqlDialect): SchemaVariant {
  const { changes } = drawn;
  const details = changes.map(({ kind, ref, originalName }) => {
    const placed = placedColumn(database, ref);
    return kind === 'RPL'
      ? `renamed ${describeColumn(placed)} to ${originalName}`
      : `added ${placed.table.originalName}.${originalName}`;
  });
  return {
    key: details.join('; '),
    detail: details.join('; '),
    mapping: null,
    change: (draft) => changeDraft(draft, database, changes, insertionsOf(changes, drawn.positions)),
    follow: ({ sql }) => rewriteFor({ database, dialect, keepStar: false }, drawn)(sql).sql,
  };
}

/**
 * Replacement (RPL) or addition (ADD) of all columns that a gold mentions and that have candidates, by names drawn at
 * random (ADVETA §5.2). New names of one table differ by spelling, as where tables are attacked.
 */
export function nameRelation(kind: PerturbationKind, decisions: Decisions, dialect: SqlDialect): SchemaRelation {
  let pool: CandidatePool | null = null;
  return new SchemaRelation({
    id: kind,
    fingerprint: `${kind} 1, ${decisions.fingerprint}`,
    dialect,
    readsGoldFor: 'which columns it mentions',
    variants: async ({ id, database: now, mutated, gold }, limit, context) => {
      // Candidates are of the data set's own database, by the names of its columns.
      const database = mutated === null ? now : { ...now, id: mutated.origin };
      const mention = mentionOf(gold.sql, database, dialect);
      pool ??= new CandidatePool(await decisions.of(context));
      const drawn = new Map<string, SchemaVariant>();
      for (let number = 1; number <= limit; number++) {
        const given = { ...PERTURB_DEFAULTS, kind, number, columns: 'mentioned', sample: 'random' } as const;
        const request = { ...given, database, mention, pool, areEquivalent: () => Promise.resolve(false) };
        const schema = await drawSchema(request, context.rngFor(`${id}:${kind} ${number}`));
        if (schema === null || schema.unmentioned) break;
        const variant = variantOf(database, schema, dialect);
        drawn.set(variant.key, drawn.get(variant.key) ?? variant);
      }
      return drawn.size === 0 ? { reason: 'no-candidate' } : [...drawn.values()];
    },
  });
}
