import { SqlRewriteError } from '../../errors.js';
import { memoize, memoizeObject } from '../../schema/memoize.js';
import { columnKey, type Database } from '../../schema/schema.js';
import { SQLITE, type SqlDialect } from '../../sql/dialect.js';
import { mentionedColumns, resolveColumns } from '../../sql/resolver.js';
import type { StageContext } from '../../stage.js';
import { faultOf, faultOutcome, repairQuery } from '../exact/query-reading.js';
import type { EvaluationPair, Metric, Outcome, Verdict } from '../metric.js';
import { type OutcomeSummary, summarizeOutcomes } from '../summary/accuracy.js';
import { countSets, scoreSets, type SetCount, type SetScores } from './schema-linking.js';

/** The columns and tables that a query uses, by key. */
interface SchemaUse {
  readonly columns: ReadonlySet<string>;
  readonly tables: ReadonlySet<string>;
}

export interface SchemaUseVerdict extends Verdict {
  readonly outcome: Extract<Outcome, 'correct' | 'wrong' | 'unparsable' | 'failing' | 'empty' | 'bad-gold'>;
  /** Null where the gold can't be read. */
  readonly columns: SetCount | null;
  readonly tables: SetCount | null;
}

export interface SchemaUseSummary extends OutcomeSummary {
  readonly columns: SetScores;
  readonly tables: SetScores;
}

const NOTHING: SchemaUse = { columns: new Set(), tables: new Set() };

/** Queries of a database whose names are kept. */
const CACHE_SIZE = 1024;

function usedBy(sql: string, database: Database, dialect: SqlDialect): SchemaUse {
  const references = resolveColumns(sql, database, dialect);
  const columns = mentionedColumns(references);
  const tables = references.flatMap(({ table, ref }) => [table, ref?.table ?? null]).filter((table) => table !== null);
  return { columns: new Set(columns.map(columnKey)), tables: new Set(tables.map(String)) };
}

/** Reads a query, as it stands or repaired, or returns the reason it can't be read. */
export function readRepaired<T extends object>(sql: string, read: (sql: string) => T): T | string {
  let fault = '';
  for (const text of new Set([sql, repairQuery(sql)])) {
    try {
      return read(text);
    } catch (error) {
      if (error instanceof SqlRewriteError) fault ||= error.message;
      else if (error instanceof RangeError) fault ||= 'the query is nested too deeply';
      else throw error;
    }
  }
  return fault;
}

/**
 * Which columns and tables a prediction uses, against those of the gold: whether they are the same, and how many are
 * right. No schema linking in the sense of ADVETA's appendix C.4, as no question tokens are looked at, but it needs
 * nothing besides the SQL. A prediction with a name that its schema lacks uses nothing that can be told.
 */
export class SchemaUseMatch implements Metric<SchemaUseVerdict> {
  readonly id = 'columns';
  readonly fingerprint = 'columns@1';
  readonly #dialect: SqlDialect;
  readonly #readerOf = memoizeObject((database: Database) =>
    memoize((sql) => readRepaired(sql, (text) => usedBy(text, database, this.#dialect)), CACHE_SIZE),
  );

  /** `dialect`: what the queries are written in. */
  constructor(dialect: SqlDialect = SQLITE) {
    this.#dialect = dialect;
  }

  async judge(pairs: readonly EvaluationPair[], context: StageContext): Promise<readonly SchemaUseVerdict[]> {
    return pairs.map((pair) => {
      context.signal.throwIfAborted();
      return this.judgePair(pair);
    });
  }

  /** As `judge`, of one pair. */
  judgePair({ id, gold, predicted, database }: EvaluationPair): SchemaUseVerdict {
    const read = this.#readerOf(database);
    const asked = read(gold);
    if (typeof asked === 'string') return { id, outcome: 'bad-gold', reason: asked, columns: null, tables: null };
    const isEmpty = predicted.trim() === '';
    const use = isEmpty ? NOTHING : read(predicted);
    const used = typeof use === 'string' ? NOTHING : use;
    const [columns, tables] = [countSets(asked.columns, used.columns), countSets(asked.tables, used.tables)];
    const counts = { id, columns, tables };
    if (isEmpty) return { ...counts, outcome: 'empty' };
    if (typeof use === 'string') {
      const fault = faultOf(predicted, this.#dialect, { message: use });
      return { ...counts, outcome: faultOutcome(fault), reason: use };
    }
    const isSame = [columns, tables].every((count) => count.matched === count.gold && count.gold === count.predicted);
    return { ...counts, outcome: isSame ? 'correct' : 'wrong' };
  }
}

/** How many pairs use the same names, and precision, recall and F1 of columns and tables over all of them. */
export function summarizeSchemaUse(verdicts: readonly SchemaUseVerdict[]): SchemaUseSummary {
  const scores = (kind: 'columns' | 'tables'): SetScores =>
    scoreSets(verdicts.flatMap((verdict) => verdict[kind] ?? []));
  return { ...summarizeOutcomes(verdicts), columns: scores('columns'), tables: scores('tables') };
}
