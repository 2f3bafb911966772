import type { Judged } from '../judged.js';
import { SchemaUseMatch, type SchemaUseVerdict, summarizeSchemaUse } from '../linking/schema-use.js';
import { setTable } from '../linking/set-lines.js';
import type { SetScores } from '../linking/set-scores.js';
import { pairMetricKind, type PairScores } from '../metric-kind.js';
import { pairScores } from '../pair-scores.js';

export interface ColumnsScores extends PairScores {
  readonly columns: SetScores;
  readonly tables: SetScores;
}

function columnsScores(judged: Judged<SchemaUseVerdict>): ColumnsScores {
  const { columns, tables } = summarizeSchemaUse(judged.verdicts);
  return { ...pairScores(judged), columns, tables };
}

/** The names that queries use. */
export const COLUMNS = pairMetricKind({
  heading: 'columns and tables used',
  checksGold: true,
  open: ({ dialect }) => {
    const metric = new SchemaUseMatch(dialect);
    return { metric, mode: metric.fingerprint, scores: columnsScores };
  },
  lines: (section) => setTable(section),
});
