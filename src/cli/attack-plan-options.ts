import { z } from 'zod';
import { ConfigError } from '../errors.js';
import { DATASET_FORMATS } from '../formats/dataset-formats.js';
import { ADD_POSITIONS } from '../perturb/add-position.js';
import { LINKED_KEYS } from '../perturb/linked-keys.js';
import { positiveOption } from './run-context.js';

/** Most seeds: each asks every question twice more. */
const MAX_SEEDS = 1000;

/** Options that decide which questions an attack asks. */
export const attackPlanSchema = z.object({
  dataset: z.enum(DATASET_FORMATS),
  tables: z.string().nullable().default(null),
  examples: z.string().nullable().default(null),
  databases: z.string().nullable().default(null),
  connection: z.string().nullable().default(null),
  candidates: z.string().optional(),
  out: z.string().optional(),
  seeds: positiveOption
    .refine((n) => n <= MAX_SEEDS, `a number up to ${MAX_SEEDS} is expected`)
    .transform((n) => Array.from({ length: n }, (_, seed) => seed)),
  linkedKeys: z.enum(LINKED_KEYS),
  addPosition: z.enum(ADD_POSITIONS),
  keepStar: z.boolean().default(false),
});

/** The candidates' place. @throws ConfigError when it is not given */
export function requireCandidates(candidates: string | undefined): string {
  if (candidates !== undefined) return candidates;
  throw new ConfigError('option --candidates is missing', {
    fix: 'Make some with `perturbql candidates` and name its run, or give adveta:DIR for those of an ADVETA release.',
  });
}

/** The folder of a run. @throws ConfigError when it is not given */
export function requireOut(out: string | undefined): string {
  if (out !== undefined) return out;
  throw new ConfigError('option --out is missing', { fix: 'Name a new folder for the run.' });
}
