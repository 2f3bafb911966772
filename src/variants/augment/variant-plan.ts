import { ConfigError } from '../../errors.js';
import type { PerturbationKind } from '../relations/names/candidate-pool.js';
import { PATH_DEFAULTS } from '../../formats/dataset.js';

/** `mentioned`: every column that a gold query mentions (ADVETA §5.2, §5.3); `all`: every column, in variants too. */
export const COLUMN_CHOICES = ['mentioned', 'all'] as const;
/** `both`: by turns, an example's first variant of a kind with whole tables perturbed, its second with what is mentioned. */
export const VARIANT_COLUMN_CHOICES = [...COLUMN_CHOICES, 'both'] as const;
export type ColumnChoice = (typeof VARIANT_COLUMN_CHOICES)[number];

/** Columns whose names tell nothing (`A12`): `keep` renames none, `describe` renames them by their natural names. */
export const OPAQUE_CHOICES = ['keep', 'describe'] as const;
export type OpaqueChoice = (typeof OPAQUE_CHOICES)[number];

/** Where an added column goes in its table. */
export const ADD_POSITIONS = ['seeded', 'last'] as const;
export type AddPosition = (typeof ADD_POSITIONS)[number];

/** How perturbed schemas are made, where nothing else is asked. */
export const PERTURB_DEFAULTS = {
  linkedKeys: 'same',
  abbreviate: 'never',
  addPosition: 'seeded',
  keepStar: false,
} as const;

/** Of a run of the pipeline over a data set. */
export const PIPELINE_DEFAULTS = { ...PATH_DEFAULTS, columns: 'mentioned', recipe: 'cta', seed: 0 } as const;

/**
 * Of training sets. Whole tables are perturbed: of mentioned columns alone, an odd name tells what the gold uses
 * (docs/defense.md).
 */
export const AUGMENT_DEFAULTS = { ...PERTURB_DEFAULTS, columns: 'all', sample: 'random' } as const;

/** The kinds of variants: one of the two, or columns renamed and others added in one schema. */
export const VARIANT_KINDS = ['RPL', 'ADD', 'mixed'] as const;
export type VariantKind = (typeof VARIANT_KINDS)[number];

export const isVariantKind = (kind: string): kind is VariantKind => VARIANT_KINDS.some((one) => one === kind);

/** Variants of each example, by kind; the paper has one of each of the first two (ADVETA §5.3). */
export type VariantPlan = Readonly<Partial<Record<VariantKind, number>>>;
export const ONE_OF_EACH: VariantPlan = { RPL: 1, ADD: 1 };

/** ADVETA §5.3: one of each of what the gold mentions, names drawn at random. */
export const PAPER_SET = { columns: 'mentioned', sample: 'random', variants: ONE_OF_EACH } as const;

/** Checks whether a plan is the paper's. */
export function isPaperPlan({ RPL = 0, ADD = 0, mixed = 0 }: VariantPlan): boolean {
  return RPL === 1 && ADD === 1 && mixed === 0;
}

/** Variants of a kind at most: each draws again, and few columns have more names. */
const MOST = 20;

/** A variant of an example: the number-th of its kind, from 1. */
export interface VariantSlot {
  readonly kind: VariantKind;
  readonly number: number;
}

/** The variants of an example, in the order in which they are written. */
export function variantSlots(plan: VariantPlan): readonly VariantSlot[] {
  return VARIANT_KINDS.flatMap((kind) =>
    Array.from({ length: plan[kind] ?? 0 }, (_, i): VariantSlot => ({ kind, number: i + 1 })),
  );
}

/** Returns the name of a slot, to follow its example's id or another: "RPL", "RPL 2". */
export function slotName({ kind, number }: VariantSlot): string {
  return number === 1 ? kind : `${kind} ${number}`;
}

/** Kinds of change that variants of a kind are made of. */
export function perturbationsOf(kind: VariantKind): readonly PerturbationKind[] {
  return kind === 'mixed' ? ['RPL', 'ADD'] : [kind];
}

/** Reads "rpl:2", "add:2", "mixed:1". @throws ConfigError where it is no such list */
export function parseVariants(parts: readonly string[]): VariantPlan {
  const fix = `Give kinds with numbers from 0 to ${MOST}, such as --variants rpl:2,add:2,mixed:1.`;
  const plan: Partial<Record<VariantKind, number>> = {};
  for (const part of parts) {
    const [name = '', count = ''] = part.split(':');
    const kind = VARIANT_KINDS.find((one) => one.toLowerCase() === name);
    if (kind === undefined) throw new ConfigError(`there are no variants of kind "${name}"`, { fix });
    if (!/^\d+$/.test(count) || Number(count) > MOST)
      throw new ConfigError(`"${part}" has no number of variants`, { fix });
    if (plan[kind] !== undefined) throw new ConfigError(`variants of kind ${name} are given twice`, { fix });
    plan[kind] = Number(count);
  }
  if (variantSlots(plan).length > 0) return plan;
  throw new ConfigError('no variants are asked for', { fix });
}
