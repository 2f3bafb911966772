/** `mentioned`: every column that a gold query mentions (ADVETA §5.2, §5.3); `all`: every column. */
export const COLUMN_CHOICES = ['mentioned', 'all'] as const;
export type ColumnChoice = (typeof COLUMN_CHOICES)[number];
