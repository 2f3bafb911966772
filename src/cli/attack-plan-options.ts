import { z } from 'zod';
import { ConfigError } from '../errors.js';
import { ADD_POSITIONS } from '../perturb/add-position.js';
import { LINKED_KEYS } from '../perturb/linked-keys.js';
import { datasetPathsShape } from './dataset-options.js';
import { expecting, positiveOption } from './number-options.js';

/** Most seeds: each asks every question twice more. */
const MAX_SEEDS = 1000;

const SEEDS = { what: `a whole number from 1 to ${MAX_SEEDS}`, example: '5' };

/** Options that decide which questions an attack asks. */
export const attackPlanSchema = z.object({
  ...datasetPathsShape,
  candidates: z.string().optional(),
  out: z.string().optional(),
  seeds: positiveOption
    .refine((n) => n <= MAX_SEEDS, expecting(`a number up to ${MAX_SEEDS} is expected`, SEEDS))
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
