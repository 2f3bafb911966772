import type { CommandSpec } from './options.js';

const SUITE = { name: '<suite>', description: 'folder that suite build wrote' } as const;

/** The `suite` commands. */
export const SUITE_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'suite build',
    summary: 'distill databases that tell gold queries from their neighbors: test-suite accuracy',
    options: [
      'dataset',
      'tables',
      'examples',
      'suiteDatabases',
      'connection',
      'suiteOut',
      'randomDatabases',
      'seed',
      'suiteJobs',
      'dryRun',
    ],
    example:
      'perturbql suite build --tables examples/tables.json --examples examples/dev.json --databases examples/database --out SUITE',
    load: () => import('./suite-build-command.js'),
  },
  {
    name: 'suite info',
    summary: 'show what a suite holds, tells apart and leaves',
    options: ['json'],
    argument: SUITE,
    example: 'perturbql suite info SUITE',
    load: () => import('./suite-info-command.js'),
  },
  {
    name: 'suite verify',
    summary: 'check a suite on this machine: its files, and what every gold query gives on its databases',
    options: ['suiteJobs', 'json'],
    argument: SUITE,
    example: 'perturbql suite verify SUITE',
    load: () => import('./suite-verify-command.js'),
  },
  {
    name: 'suite unpack',
    summary: 'write a suite’s databases as Spider’s own evaluators read them',
    options: ['unpackOut'],
    argument: SUITE,
    example: 'perturbql suite unpack SUITE --out database',
    load: () => import('./suite-unpack-command.js'),
  },
  {
    name: 'suite carry',
    summary: 'carry a suite over to perturbed variants by renaming and adding columns, without building anew',
    options: ['carryRun', 'carryOut', 'json'],
    argument: SUITE,
    example: 'perturbql suite carry SUITE --run RUN --out SUITE-variants',
    load: () => import('./suite-carry-command.js'),
  },
];
