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
