import { SUITE_BUDGET } from '../testsuite/suite/suite-budget.js';
import type { OptionSpec } from './options.js';

/** Options of the `suite` commands. */
export const SUITE_OPTIONS = {
  suiteDatabases: {
    flags: '--databases <path>',
    description: 'original databases, <db_id>/<db_id>.sqlite: first in their suites, and the model of all others',
  },
  suiteOut: {
    flags: '--out <dir>',
    description: 'folder of the suite; the same command again resumes it, and mends files that are damaged',
    required: true,
  },
  randomDatabases: {
    flags: '--random-databases <n>',
    description: 'random databases that are tried for each schema; it ends before where no neighbor is left',
    default: String(SUITE_BUDGET.randomDatabases),
  },
  suiteJobs: {
    flags: '--jobs <n>',
    description: 'schemas side by side, a thread each (default and most: the number of cores)',
  },
  carryRun: {
    flags: '--run <dir>',
    description:
      'finished run of augment, or inputs of attack prepare under one condition (RUN/inputs/RPL-0): their variants get a suite',
    required: true,
  },
  carryOut: {
    flags: '--out <dir>',
    description: 'folder of the carried suite; the same command again resumes it',
    required: true,
  },
  unpackOut: { flags: '--out <dir>', description: 'empty or new folder for <db_id>/*.sqlite', required: true },
} as const satisfies Record<string, OptionSpec>;
