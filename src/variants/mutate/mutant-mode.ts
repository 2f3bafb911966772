/**
 * How the schemas of mutants are written with their rows: `copy`, a SQLite file each; `views` and `migrations`, a SQL
 * script each that is played on the original.
 */
export const MUTANT_MODES = ['copy', 'views', 'migrations'] as const;
export type MutantMode = (typeof MUTANT_MODES)[number];
