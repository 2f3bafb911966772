/**
 * How perturbed databases are written: `copy`, a SQLite file each; `views`, a script each that is played as TEMP views
 * in front of the original; `none`, not at all.
 */
export const MATERIALIZE_MODES = ['copy', 'views', 'none'] as const;
export type MaterializeMode = (typeof MATERIALIZE_MODES)[number];
