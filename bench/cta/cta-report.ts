import type { FigureTable } from '../bench-figures.js';
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

/** The same for docs/figures/. */
export function runFigures(runs: Readonly<Record<'python' | 'cold' | 'warm', CtaRun>>): FigureTable {
  const base = runs.python;
  const rows = Object.entries(runs).map(([id, { name, cost, pairs }]) => {
    const { cpuSeconds: cpu, wallSeconds, peakMegabytes } = cost;
    const lessCpu = cpu === null || base.cost.cpuSeconds === null ? null : base.cost.cpuSeconds / cpu;
    const ofPairs =
      pairs === 0 ? {} : { fewer: base.pairs / pairs, perPair: cpu === null ? null : (1000 * cpu) / pairs };
    return [id, { version: name, cpu, lessCpu, pairs, ...ofPairs, wall: wallSeconds, memory: peakMegabytes }] as const;
  });
  return {
    id: 'cta',
    title: 'The candidate stage against a plain Python version',
    about:
      'All columns of Spider dev, by perturbql and by a plain Python version of section 4 of the paper (onnxruntime, hnswlib, numpy; every pair in both ' +
      'directions, one pair a run) on the same models and index. Every decision is the same. CPU is user and system seconds of the whole command.',
    columns: {
      version: { head: 'version' },
      cpu: { head: 'CPU s', decimals: 1 },
      lessCpu: { head: 'times less CPU', decimals: 1 },
      pairs: { head: 'pairs scored' },
      fewer: { head: 'times fewer pairs', decimals: 1 },
      perPair: { head: 'CPU ms a pair', decimals: 2 },
      wall: { head: 'wall s', decimals: 1 },
      memory: { head: 'peak memory, MB', decimals: 0 },
    },
    rows: Object.fromEntries(rows),
  };
}
