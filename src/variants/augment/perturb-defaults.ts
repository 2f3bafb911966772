import { PATH_DEFAULTS } from '../../formats/dataset.js';

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
