import type { ProcessCost } from './measured-process.js';

/** One run of one version. */
export interface CtaRun {
  readonly name: string;
  readonly cost: ProcessCost;
  /** Pairs that went through the judge. */
  readonly pairs: number;
}

const fixed = (value: number | null, digits: number): string => (value === null ? 'unknown' : value.toFixed(digits));

/** CPU, pairs and memory of every run, with the first one's cost as a multiple of each. */
export function renderRuns(runs: readonly CtaRun[]): string {
  const [base] = runs;
  const baseCpu = base?.cost.cpuSeconds ?? null;
  const rows = runs.map(({ name, cost, pairs }) => {
    const { cpuSeconds, wallSeconds, peakMegabytes } = cost;
    const lessCpu = baseCpu === null || cpuSeconds === null ? 'unknown' : `${(baseCpu / cpuSeconds).toFixed(2)} ×`;
    const fewerPairs = pairs === 0 ? '' : `${(base!.pairs / pairs).toFixed(2)} ×`;
    const perPair = pairs === 0 || cpuSeconds === null ? '' : ((1000 * cpuSeconds) / pairs).toFixed(2);
    const figures = [fixed(cpuSeconds, 1), lessCpu, String(pairs), fewerPairs, perPair];
    return [name, ...figures, fixed(wallSeconds, 1), fixed(peakMegabytes, 0)];
  });
  const head = ['version', 'CPU s', 'less CPU', 'pairs scored', 'fewer', 'ms a pair', 'wall s', 'peak MB'];
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(['---', ...head.slice(1).map(() => '---:')]), ...rows.map(line)].join('\n');
}
