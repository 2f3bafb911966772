import type { OptionSpec } from './options.js';

/** Options of `consistency` and its comparison, for the table of all options. */
export const CONSISTENCY_OPTIONS = {
  mutants: { flags: '--mutants <dir>', description: 'folder that mutate wrote' },
  compareValues: {
    flags: '--compare-values',
    description: 'let literals count where predictions are compared by exact match',
  },
  fold: {
    flags: '--fold <i/n>',
    description: 'ask only the seeds in one of n parts of the examples; victim baseline learns from the others',
  },
  shrinkQuestions: {
    flags: '--shrink-questions <n>',
    description: 'most further questions that shrinking failures of composed mutants may ask',
    default: '200',
  },
  failAbove: {
    flags: '--fail-above <relation=percent>',
    description: 'exit with 3 where a rate is higher: all=5, SS=20',
    repeat: true,
  },
} as const satisfies Record<string, OptionSpec>;
