/**
 * How perturbed databases are written: `copy`, a SQLite file each; `views`, a script each that is played as TEMP views
 * in front of the original; `none`, not at all.
 */
export const MATERIALIZE_MODES = ['copy', 'views', 'none'] as const;
export type MaterializeMode = (typeof MATERIALIZE_MODES)[number];

/** How the schemas of mutants are written with their rows: `migrations`, a SQL script each that is played on the original. */
export const MUTANT_MODES = ['copy', 'views', 'migrations'] as const;
export type MutantMode = (typeof MUTANT_MODES)[number];
