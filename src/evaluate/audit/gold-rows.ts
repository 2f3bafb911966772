import { getOrMake } from '../../present.js';
import { quoteIdentifier } from '../../sql/dialect.js';
import type { QueryOutcome } from '../../sql/execution/query-outcome.js';
import type { QuerySource } from '../../sql/execution/query-protocol.js';
import type { QueryRunner } from '../../sql/execution/query-runner.js';
import type { ComparisonMode } from '../../sql/execution/result-comparison.js';
import { differingRuns, type EvidenceRun, isNumberText } from './finding.js';

/** How a column's values are stored. */
export interface ColumnFacts {
  readonly rows: number;
  /**
   * `numbers`: no text; `number-texts`: texts alone, all of which read as numbers but for `voids`; `mixed`: numbers and
   * texts.
   */
  readonly kind: 'numbers' | 'number-texts' | 'mixed' | 'texts' | 'none';
  /** Texts that stand for no value, as they are written: "null", "n/a". */
  readonly voids: readonly string[];
  /** Texts of a column, each once; null where there are too many to look at. */
  readonly distinct: readonly string[] | null;
}

type LabelledSql = readonly [label: string, sql: string];

/** Words that stand for no value among numbers. */
const VOID = /^\s*(?:null|nil|none|nan|n\/?a|not available|unknown|[-?.–—]*)\s*$/i;

/** Distinct texts of a column that are read, at most. */
const MOST_TEXTS = 5_000;

/** The rows of one database, on which gold queries and variants of them are executed in child processes, each once. */
export class GoldRows {
  readonly #runner: QueryRunner;
  readonly #file: string;
  readonly #signal: AbortSignal;
  readonly #outcomes = new Map<string, Promise<QueryOutcome>>();
  readonly #facts = new Map<string, Promise<ColumnFacts | null>>();

  constructor(runner: QueryRunner, file: string, signal: AbortSignal) {
    this.#runner = runner;
    this.#file = file;
    this.#signal = signal;
  }

  /** Returns a query's outcome; `rowOrder` has it read its tables without keys, in stored or reversed order. */
  run(sql: string, rowOrder?: NonNullable<QuerySource['rowOrder']>): Promise<QueryOutcome> {
    const key = `${rowOrder ?? ''} ${sql}`;
    return getOrMake(this.#outcomes, key, () => {
      const source = { file: this.#file, sql, ...(rowOrder === undefined ? {} : { rowOrder }) };
      return this.#runner.run(source, this.#signal);
    });
  }

  /** Both queries' runs with the rows in which they differ, as `differingRuns`; `read` is applied to both results. */
  async differ(
    [label, sql]: LabelledSql,
    [otherLabel, otherSql]: LabelledSql,
    mode?: ComparisonMode,
    read = (outcome: QueryOutcome): QueryOutcome => outcome,
  ): Promise<readonly EvidenceRun[] | null> {
    const first = { label, sql, outcome: read(await this.run(sql)) };
    return differingRuns(first, { label: otherLabel, sql: otherSql, outcome: read(await this.run(otherSql)) }, mode);
  }

  /** Forgets results; what is known of columns stays. */
  forget(): void {
    this.#outcomes.clear();
  }

  /** How a column's values are stored; null where its table can't be read. */
  facts(table: string, column: string): Promise<ColumnFacts | null> {
    const key = JSON.stringify([table, column]);
    return getOrMake(this.#facts, key, () => this.#readFacts(quoteIdentifier(table), quoteIdentifier(column)));
  }

  async #readFacts(table: string, column: string): Promise<ColumnFacts | null> {
    const counts = await this.run(
      `SELECT count(*), total(${column} IS NULL), total(typeof(${column}) = 'text') FROM ${table}`,
    );
    const texts = await this.run(
      `SELECT DISTINCT ${column} FROM ${table} WHERE typeof(${column}) = 'text' LIMIT ${MOST_TEXTS + 1}`,
    );
    if (counts.kind !== 'rows' || texts.kind !== 'rows') return null;
    const [rows = 0, nulls = 0, inText = 0] = (counts.rows[0] ?? []).map(Number);
    const distinct = texts.rows.flatMap(([value]) => (typeof value === 'string' ? [value] : []));
    const isWhole = texts.rows.length <= MOST_TEXTS;
    const voids = distinct.filter((text) => VOID.test(text));
    return { rows, voids, distinct: isWhole ? distinct : null, kind: kindOf(rows - nulls, inText, distinct) };
  }
}

function kindOf(values: number, texts: number, distinct: readonly string[]): ColumnFacts['kind'] {
  if (values === 0) return 'none';
  if (texts === 0) return 'numbers';
  if (texts < values) return 'mixed';
  const isNumbers = distinct.some(isNumberText) && distinct.every((text) => isNumberText(text) || VOID.test(text));
  return isNumbers ? 'number-texts' : 'texts';
}
