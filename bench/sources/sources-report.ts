import type { CandidateDecision } from '../../src/formats/artifacts/candidates.js';
import { alignColumns } from '../../src/report/text-table.js';
import type { FigureTable } from '../bench-figures.js';
import type { Agreement } from './people-names.js';

/** What one source came to. */
export interface SourceResult {
  readonly id: string;
  readonly about: string;
  readonly decisions: readonly CandidateDecision[];
  readonly rpl: Agreement;
  readonly add: Agreement;
  /** Models and index loaded, and everything decided. */
  readonly cpuSeconds: number;
  /** Of a language model, estimated by length. */
  readonly calls: number;
  readonly tokens: number;
}

export interface SourcesReport {
  readonly columns: number;
  readonly tables: number;
  readonly results: readonly SourceResult[];
}

const percent = (part: number, whole: number): number | null => (whole === 0 ? null : (100 * part) / whole);

function columnsWith(decisions: readonly CandidateDecision[], bucket: 'RPL' | 'ADD'): number {
  const accepted = decisions.filter((one) => one.bucket === bucket);
  return new Set(accepted.map((one) => `${one.db_id}/${one.table_original}/${one.column_original}`)).size;
}

function rowOf(result: SourceResult): FigureTable['rows'][string] {
  const { about, decisions, rpl, add, cpuSeconds, calls, tokens } = result;
  const count = (bucket: string): number => decisions.filter((one) => one.bucket === bucket).length;
  return {
    source: about,
    proposed: decisions.length,
    rpl: count('RPL'),
    rplColumns: columnsWith(decisions, 'RPL'),
    rplAgreed: percent(rpl.agreed, rpl.comparable),
    rplFound: percent(rpl.agreed, rpl.named),
    add: count('ADD'),
    addColumns: columnsWith(decisions, 'ADD'),
    addAgreed: percent(add.agreed, add.comparable),
    addFound: percent(add.agreed, add.named),
    contradicted: rpl.contradicted + add.contradicted,
    calls,
    tokens,
    cpuSeconds,
  };
}

/** The comparison's table for docs/figures/. */
export function sourcesFigures({ columns, tables, results }: SourcesReport): FigureTable {
  return {
    id: 'sources',
    title: 'Sources of names on the same columns',
    about:
      `${columns} columns of ${tables} tables of Spider dev, chosen by seed. *Language model*: recorded answers of a language model to the shipped prompt, November 2026 ` +
      '(`bench/sources/proposals.jsonl`), no cell values sent. *As people*: of the accepted names for columns that ADVETA’s annotators named something for, the share that they gave, too; they listed ' +
      'a few good names and not all; *people’s found*: of theirs, the share accepted here; *contradicted*: accepted names that they gave for the other bucket. Tokens are ' +
      'estimated, four characters each; CPU seconds hold the loading of models and index.',
    columns: {
      source: { head: 'source' },
      proposed: { head: 'proposed' },
      rpl: { head: 'RPL' },
      rplColumns: { head: 'columns with RPL' },
      rplAgreed: { head: 'RPL as people, %', decimals: 1 },
      rplFound: { head: 'people’s RPL found, %', decimals: 1 },
      add: { head: 'ADD' },
      addColumns: { head: 'columns with ADD' },
      addAgreed: { head: 'ADD as people, %', decimals: 1 },
      addFound: { head: 'people’s ADD found, %', decimals: 1 },
      contradicted: { head: 'contradicted' },
      calls: { head: 'calls' },
      tokens: { head: 'tokens' },
      cpuSeconds: { head: 'CPU s', decimals: 0 },
    },
    rows: Object.fromEntries(results.map((result) => [result.id, rowOf(result)])),
  };
}

/** Why proposals were rejected, for docs/figures/: a row for each reason. */
export function rejectionFigures({ results }: SourcesReport): FigureTable {
  const counts = new Map<string, Map<string, number>>();
  for (const { id, decisions } of results) {
    for (const { bucket, reason } of decisions) {
      if (bucket !== 'rejected') continue;
      const row = counts.get(reason) ?? new Map<string, number>();
      counts.set(reason, row.set(id, (row.get(id) ?? 0) + 1));
    }
  }
  const judged = results.filter(({ decisions }) => decisions.some(({ bucket }) => bucket === 'rejected'));
  const sum = (row: ReadonlyMap<string, number>): number => [...row.values()].reduce((a, b) => a + b, 0);
  const ordered = [...counts].sort(([a, one], [b, two]) => sum(two) - sum(one) || (a < b ? -1 : 1));
  return {
    id: 'sources-rejected',
    title: 'Why the sources’ names were rejected',
    about:
      'Proposals for the same columns by the reason of their rejection ([candidates-format.md](candidates-format.md#reasons)).',
    columns: {
      reason: { head: 'reason' },
      ...Object.fromEntries(judged.map(({ id }) => [id, { head: id }] as const)),
    },
    rows: Object.fromEntries(
      ordered.map(([reason, row]) => [
        reason,
        { reason, ...Object.fromEntries(judged.map(({ id }) => [id, row.get(id) ?? 0])) },
      ]),
    ),
  };
}

/** A table of figures as lines of text. */
export function renderFigures({ title, columns, rows }: FigureTable): string {
  const shown = (key: string, cell: number | string | null | undefined): string => {
    if (cell === null || cell === undefined) return '';
    return typeof cell === 'number' ? cell.toFixed(columns[key]?.decimals ?? 0) : cell;
  };
  const heads = Object.values(columns).map(({ head }) => head);
  const lines = Object.values(rows).map((row) => Object.keys(columns).map((key) => shown(key, row[key])));
  return [title, ...alignColumns([heads, ...lines])].join('\n');
}
