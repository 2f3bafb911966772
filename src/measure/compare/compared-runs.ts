/** A run that is compared with others. */
export interface ComparedRun<R> {
  /** The run's name in the comparison: its folder. */
  readonly name: string;
  readonly report: R;
}

/** Those of some settings, each read from a report, that are not the same in all runs. */
export function differingSettings<R, S extends { readonly read: (report: R) => unknown }>(
  settings: readonly S[],
  runs: readonly ComparedRun<R>[],
): readonly S[] {
  return settings.filter(({ read }) => new Set(runs.map(({ report }) => JSON.stringify(read(report)))).size > 1);
}
