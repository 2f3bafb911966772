/** Removed commands with what to do instead: named for one version, and shown nowhere. */
export const GONE_COMMANDS: Readonly<Record<string, string>> = {
  correlate:
    'Let perturbql evaluate --verdicts write each model’s verdicts; in a checkout of the repository, npm run correlate -- FILE FILE … sets their metrics against the suite.',
  submit:
    'Give the shards to your scheduler: docs/shards.md has the lines for Slurm, GNU parallel, Ray and Kubernetes. Then run perturbql merge.',
};

/** Removed options: a configuration file may still have them for one version, without effect. */
export const GONE_OPTIONS: ReadonlySet<string> = new Set([
  'private',
  'engine',
  'shards',
  'tries',
  'names',
  'compareSuite',
]);
