import { jobs } from '../options/option-field.js';

/** The positional argument of commands over a suite. */
export const SUITE_ARGUMENT = { name: '<suite>', description: 'folder that suite build wrote' } as const;

/** Threads that work on a suite's schemas. */
export const SUITE_JOBS_OPTION = {
  jobs: jobs('schemas side by side, a thread each (default and most: the number of cores)'),
};
