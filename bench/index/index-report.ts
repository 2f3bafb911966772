import type { FigureTable } from '../bench-figures.js';
import type { EncoderRate } from './measure-encoder.js';
import type { BuildFigures } from './measure-build.js';
import type { Latency, SearchFigures } from './measure-search.js';
import type { RivalBuild } from './hnswlib-rival.js';
import type { NeighborProfile } from './neighbor-profile.js';

/** One size on the curve. */
export interface CurvePoint {
  readonly build: BuildFigures;
  readonly search: SearchFigures;
  /** The same vectors in a graph of hnswlib-node, where that was asked for. */
  readonly rival: { readonly build: RivalBuild; readonly search: SearchFigures } | null;
}

/** A whole run of the benchmark; `--json` prints it as it is. */
export interface IndexReport {
  readonly date: string;
  readonly machine: string;
  /** Load of the machine at the start, over one minute. */
  readonly load: number;
  readonly seconds: number;
  readonly encoder: string;
  readonly base: { readonly source: string; readonly tables: number; readonly seed: number };
  readonly neighbors: { readonly real: NeighborProfile; readonly synthetic: NeighborProfile };
  readonly rates: readonly EncoderRate[];
  readonly sessions: number;
  readonly curve: readonly CurvePoint[];
}

const COLUMNS = [
  'tables',
  'search',
  'build: wall / CPU s',
  'tables/s (CPU)',
  'peak MB, build',
  'bytes a table: disk / memory',
  'open ms',
  'MB: before / opened / searched',
  'ms first: p50 / p95',
  'ms again: p50 / p95',
  'CPU ms again: p50 / p95',
  'recall@100: mean / worst 5%',
];

const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
const latency = ({ p50, p95 }: Latency): string => `${p50.toFixed(2)} / ${p95.toFixed(2)}`;

interface Row {
  readonly tables: number;
  readonly search: string;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakMb: number;
  readonly bytes: number;
}

function renderRow(row: Row, figures: SearchFigures): string {
  const { before, opened, searched } = figures.memoryMb;
  // Opening may free what was there before.
  const perTable = ((searched - Math.min(before, opened)) * 1e6) / row.tables;
  const cells = [
    whole(row.tables),
    row.search,
    `${row.seconds.toFixed(1)} / ${row.cpuSeconds.toFixed(1)}`,
    whole(row.tables / row.cpuSeconds),
    whole(row.peakMb),
    `${whole(row.bytes)} / ${whole(perTable)}`,
    whole(figures.openMs),
    `${whole(before)} / ${whole(opened)} / ${whole(searched)}`,
    latency(figures.first.wall),
    latency(figures.again.wall),
    latency(figures.again.cpu),
    `${figures.recall.mean.toFixed(4)} / ${figures.recall.p5.toFixed(2)}`,
  ];
  return `| ${cells.join(' | ')} |`;
}

const sum = (sizes: Readonly<Record<string, number>>): number =>
  Object.values(sizes).reduce((total, size) => total + size, 0);

function renderPoint({ build, search, rival }: CurvePoint): string[] {
  const own = renderRow({ ...build, bytes: sum(build.bytesPerTable) }, search);
  if (rival === null) return [own];
  const { tables, bytesPerTable } = build;
  const files = (bytesPerTable['tables.jsonl'] ?? 0) + (bytesPerTable['vectors.i8'] ?? 0);
  const bytes = files + rival.build.bytesPerTable / tables;
  return [own, renderRow({ ...rival.build, tables, search: 'graph only, hnswlib-node', bytes }, rival.search)];
}

const renderProfile = (profile: NeighborProfile): string =>
  Object.values(profile)
    .map((cosine: number) => cosine.toFixed(3))
    .join(' / ');

const renderRate = ({ texts, tables, characters, perSecond, perCpuSecond }: EncoderRate, sessions: number): string =>
  `- encoder, ${texts} (${tables} texts of ${Math.round(characters)} characters): ${Math.round(perSecond)} tables/s with ` +
  `${sessions} sessions, ${Math.round(perCpuSecond)} per CPU second`;

/** The report as Markdown. */
export function renderIndexReport(report: IndexReport): string {
  const { base, neighbors, rates, sessions, curve } = report;
  return [
    '## The index by size',
    '',
    `- ${report.date}, ${report.machine}, load ${report.load.toFixed(1)} at the start, ${Math.round(report.seconds)} s`,
    `- encoder: ${report.encoder}`,
    ...rates.map((rate) => renderRate(rate, sessions)),
    `- base: ${base.tables} tables from ${base.source}, seed ${base.seed}`,
    `- median cosine with the 1st / 10th / 100th neighbor: real tables ${renderProfile(neighbors.real)}, as many ` +
      `synthetic ones ${renderProfile(neighbors.synthetic)}`,
    `- ${curve[0]?.search.queries ?? 0} queries by the real encoder, of tables outside the base; ${curve[0]?.search.truths ?? 0} of them searched exactly, too`,
    '',
    `| ${COLUMNS.join(' | ')} |`,
    `| ${COLUMNS.map(() => '---').join(' | ')} |`,
    ...curve.flatMap(renderPoint),
    '',
    'Build: from tables and their vectors to a finished index; the last step (cells or graph) took ' +
      `${curve.map(({ build }) => `${build.searchSeconds.toFixed(1)} s of ${whole(build.tables)}`).join(', ')}.`,
    'Memory: the whole process with the encoder at work. Before: Node, encoder, queries. First: each query once after opening; again: once more.',
  ].join('\n');
}

/** The report's table for docs/figures/: the product's own index at each size. */
export function indexFigures({ curve, rates }: IndexReport): FigureTable {
  const rows = curve.map(({ build, search: { openMs, memoryMb, again, recall } }) => {
    const { tables, seconds, cpuSeconds } = build;
    const latency = { p50: again.wall.p50, p95: again.wall.p95 };
    const row = { tables, build: seconds, cpu: cpuSeconds, open: openMs / 1000, memory: memoryMb.searched, ...latency };
    return [String(tables), { ...row, recall: recall.mean }] as const;
  });
  const read = rates.map(({ texts, perSecond }) => `${Math.round(perSecond)} tables a second (${texts})`).join(', ');
  return {
    id: 'index',
    title: 'The index by size',
    about:
      'Synthetic tables made of real ones, with vectors made of theirs; built from tables and their vectors to a finished index. Memory is that of the process with ' +
      `the encoder at work. Recall is against exact search. The encoder reads ${read}.`,
    columns: {
      tables: { head: 'tables' },
      build: { head: 'build, s', decimals: 1 },
      cpu: { head: 'build, CPU s', decimals: 1 },
      open: { head: 'open, s', decimals: 2 },
      memory: { head: 'memory, MB', decimals: 0 },
      p50: { head: 'search, median ms', decimals: 1 },
      p95: { head: '95th percentile, ms', decimals: 1 },
      recall: { head: 'recall@100', decimals: 3 },
    },
    rows: Object.fromEntries(rows),
  };
}
