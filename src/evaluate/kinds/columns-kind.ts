import { type Judged, pairMetricKind, type PairScores, pairScores } from '../metric-kind.js';
import { SchemaUseMatch, type SchemaUseVerdict, summarizeSchemaUse } from '../linking/schema-use.js';
import { setTable } from '../report/score-lines.js';
import type { SetScores } from '../linking/schema-linking.js';

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
