/** A run that is compared with others. */
export interface ComparedRun<R> {
  /** The run's name in the comparison: the end of its path. */
  readonly name: string;
  readonly report: R;
}

/** The shortest ends of paths that tell the runs apart, so that no page has the folders that all of them share. */
export function namesOfRuns(paths: readonly string[]): readonly string[] {
  const parts = paths.map((path) => path.split('/').filter((part) => part !== ''));
  const longest = Math.max(...parts.map(({ length }) => length));
  for (let length = 1; length < longest; length++) {
    const ends = parts.map((own) => own.slice(-length).join('/'));
    if (new Set(ends).size === paths.length) return ends;
  }
  return paths;
}

/** Those of some settings, each read from a report, that are not the same in all runs. */
export function differingSettings<R, S extends { readonly read: (report: R) => unknown }>(
  settings: readonly S[],
  runs: readonly ComparedRun<R>[],
): readonly S[] {
  return settings.filter(({ read }) => new Set(runs.map(({ report }) => JSON.stringify(read(report)))).size > 1);
}
