import type { OptionSpec } from './options.js';

/** Options of `correlate`, for the table of all options. */
export const CORRELATE_OPTIONS = {
  modelNames: {
    flags: '--names <names>',
    description: 'names of the models, separated by commas, one per file (default: the files’ names)',
  },
  correlateOut: { flags: '--out <dir>', description: 'folder that gets report.html and report.json' },
} as const satisfies Record<string, OptionSpec>;
