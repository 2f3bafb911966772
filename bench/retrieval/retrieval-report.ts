import type { FigureTable } from '../bench-figures.js';
import { DEPTHS, type Recall } from './measure-recall.js';

/** One retriever's recall on one task. */
export interface RetrievalRow {
  readonly task: string;
  readonly queries: number;
  readonly retriever: string;
  readonly recall: Recall;
}

/** A whole run of the benchmark; `--json` prints it as it is. */
export interface RetrievalReport {
  /** Day of the run, UTC, "2025-01-31". */
  readonly date: string;
  readonly machine: string;
  readonly seconds: number;
  /** Tables in the index. */
  readonly tables: number;
  readonly encoders: readonly { readonly name: string; readonly revision: string; readonly sha256: string }[];
  readonly rows: readonly RetrievalRow[];
}

function renderRow({ task, queries, retriever, recall }: RetrievalRow): string {
  const cells = [task, queries, retriever, ...DEPTHS.map((depth) => recall[depth].toFixed(3))];
  return `| ${cells.join(' | ')} |`;
}

/** The report as Markdown: what was asked, then one table. */
export function renderRetrievalReport(report: RetrievalReport): string {
  const header = ['task', 'queries', 'retriever', ...DEPTHS.map((depth) => `recall@${depth}`)];
  const inTaskOrder = [...new Set(report.rows.map(({ task }) => task))].flatMap((task) =>
    report.rows.filter((row) => row.task === task),
  );
  return [
    '## Retrieval of held-out tables',
    '',
    ...report.encoders.map(({ name, revision, sha256 }) => `- encoder: ${name} ${revision} (${sha256.slice(0, 12)})`),
    `- index: ${report.tables} tables of TabFact and WikiTableQuestions`,
    `- ${report.date}, ${report.machine}, ${Math.round(report.seconds)} s`,
    '',
    `| ${header.join(' | ')} |`,
    `| ${header.map(() => '---').join(' | ')} |`,
    ...inTaskOrder.map(renderRow),
    '',
    'Recall: of the tables wanted, the share among the first k, of those that could be there; mean over the queries.',
  ].join('\n');
}

/** The report's table for docs/figures/. */
export function retrievalFigures({ tables, rows }: RetrievalReport): FigureTable {
  const cells = rows.map(({ task, queries, retriever, recall }) => {
    const id = `${task}-${retriever}`.toLowerCase().replace(/[^a-z0-9]+/g, '-');
    const recalls = Object.fromEntries(DEPTHS.map((depth) => [`recall${depth}`, recall[depth]]));
    return [id, { task, queries, retriever, ...recalls }] as const;
  });
  const depths = DEPTHS.map((depth) => [`recall${depth}`, { head: `recall@${depth}`, decimals: 3 }] as const);
  return {
    id: 'retrieval',
    title: 'Retrieval of held-out tables',
    about:
      `An index of ${tables.toLocaleString('en-US')} tables of TabFact and WikiTableQuestions. Recall: of the tables wanted, the share among the first k, ` +
      'of those that could be there; the mean over the queries.',
    columns: {
      task: { head: 'task' },
      queries: { head: 'queries' },
      retriever: { head: 'retriever' },
      ...Object.fromEntries(depths),
    },
    rows: Object.fromEntries(cells),
  };
}
