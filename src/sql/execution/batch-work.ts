import type Sqlite from 'better-sqlite3';
import type { BatchClock, RunningQuery } from './batch-clock.js';
import { softF1, vesReward } from './bird-scores.js';
import { type ConnectionCache, sourceKey } from './connection-cache.js';
import { createRowSifter, executeQuery, failureOf, type RowSifter } from './execute-query.js';
import {
  type CandidateOutcome,
  type Comparison,
  type ComparisonBatch,
  type ComparisonTask,
  OPENING_MS,
  type QuerySource,
  REFERENCE,
} from './query-protocol.js';
import type { QueryLimits, QueryOutcome, QueryRows } from './query-outcome.js';
import { sameResult } from './result-mode.js';
import { whereReadable } from '../sql-fault.js';
import { meaningfulTokens } from '../tokenizer.js';

/** Values of results that are kept, all together, and of one at most. */
const MAX_VALUES = 500_000;
const MAX_OF_ONE = 50_000;

/** Bytes of a text or blob that count as one value. */
const VALUE_BYTES = 32;

/** Values of a result, long texts as several; that of a row without columns is 1. */
function sizeOf(outcome: QueryOutcome): number {
  if (outcome.kind !== 'rows') return 1;
  let size = 1;
  for (const row of outcome.rows) {
    size += 1;
    for (const value of row) {
      if (typeof value === 'string') size += value.length / VALUE_BYTES;
      else if (typeof value === 'object' && value !== null) {
        size += (value instanceof Uint8Array ? value : value.text).byteLength / VALUE_BYTES;
      }
      size += 1;
    }
  }
  return size;
}

/** Results of reference queries: they come again with each model, seed and check. The oldest make room. */
export class ReferenceCache {
  readonly #kept = new Map<string, { readonly outcome: QueryOutcome; readonly size: number }>();
  #size = 0;

  get(key: string): QueryOutcome | undefined {
    return this.#kept.get(key)?.outcome;
  }

  /** Keeps an outcome that running the query again would give again, if it is not too large. */
  keep(key: string, outcome: QueryOutcome): void {
    if (outcome.kind === 'timed-out' || outcome.kind === 'too-large' || this.#kept.has(key)) return;
    if (outcome.kind === 'failed' && outcome.at !== 'query') return; // a locked file may be free the next time
    const size = sizeOf(outcome);
    if (size > MAX_OF_ONE) return;
    this.#kept.set(key, { outcome, size });
    this.#size += size;
    for (const [oldest, entry] of this.#kept) {
      if (this.#size <= MAX_VALUES) return;
      this.#kept.delete(oldest);
      this.#size -= entry.size;
    }
  }
}

/** The text that SQLite skips before a statement, including semicolons. */
const SKIPPED = /[ \t\n\f\r\uFEFF;]+|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y;

function statementOf(sql: string): string {
  SKIPPED.lastIndex = 0;
  let start = 0;
  while (SKIPPED.test(sql)) start = SKIPPED.lastIndex;
  return sql.slice(start);
}

/** Checks whether anything but spaces and comments is behind the first semicolon, and be it another one. */
function hasSecondEnd(statement: string): boolean {
  return whereReadable(() => {
    const tokens = meaningfulTokens(statement);
    const end = tokens.findIndex(({ text }) => text === ';');
    return end >= 0 && end < tokens.length - 1;
  }, false);
}

const PRAGMA = /^PRAGMA\s+(?:\w+\s*\.\s*)?(\w+)\s*(=|\()?/iu;
/** Pragmas that give a row where they are set: https://sqlite.org/pragma.html */
const ANSWERS = new Set(
  `analysis_limit busy_timeout hard_heap_limit journal_mode journal_size_limit locking_mode max_page_count mmap_size
   secure_delete soft_heap_limit threads trusted_schema wal_autocheckpoint wal_checkpoint foreign_key_check
   foreign_key_list index_info index_list index_xinfo integrity_check quick_check table_info table_list table_xinfo
   optimize`.split(/\s+/u),
);

/**
 * Checks whether a PRAGMA gives no row: it is none that SQLite knows, or sets what it does not answer. It is not run.
 */
function isSilentPragma(sqlite: Sqlite.Database, sql: string): boolean {
  const [, name = '', sets] = PRAGMA.exec(sql) ?? [];
  if (name === '') return false;
  const known = sqlite.prepare('SELECT 1 FROM pragma_pragma_list WHERE name = lower(?)').get(name);
  return known === undefined || (sets !== undefined && !ANSWERS.has(name.toLowerCase()));
}

const NO_ROWS: QueryOutcome = { kind: 'rows', columns: [], rows: [] };

/**
 * As `executeQuery`, but as BIRD's script has it, which asks Python's sqlite3: a text without a statement and a PRAGMA
 * without rows give an empty result, a second semicolon is a second statement, and a text that is not UTF-8 is an
 * error.
 */
function executeAsPython(sqlite: Sqlite.Database, sql: string, limits: QueryLimits): QueryOutcome {
  const statement = statementOf(sql);
  if (statement === '' || isSilentPragma(sqlite, statement)) return NO_ROWS;
  if (hasSecondEnd(statement)) return { kind: 'refused', reason: 'several-statements' };
  const outcome = executeQuery(sqlite, statement, limits);
  if (outcome.kind !== 'rows') return outcome;
  const isUnreadable = outcome.rows.some((row) =>
    row.some((value) => value !== null && typeof value === 'object' && 'text' in value),
  );
  if (!isUnreadable) return outcome;
  return { kind: 'failed', at: 'query', message: 'Python’s sqlite3 can’t decode a text of the result as UTF-8' };
}

/** Milliseconds after which results are sent; what was not sent when a process dies is done again. */
const SEND_MS = 20;

/** How a batch speaks to its parent. */
export interface BatchReplies {
  /** Results of the next tasks, in order. */
  readonly send: (results: readonly Comparison[]) => void;
  /** Before each query, where the parent wants to know which one takes the process with it. */
  readonly announce: ((place: number, referenceRows: number) => void) | null;
}

/** The tools that a process keeps from batch to batch. */
export interface BatchTools {
  readonly connections: ConnectionCache;
  readonly references: ReferenceCache;
  readonly clock: BatchClock;
}

/** A file that can't be looked at has a name, too: opening it will say why. */
function nameOf(source: QuerySource): string {
  try {
    return sourceKey(source);
  } catch {
    return JSON.stringify(source);
  }
}

/** Rows say more than a failure, and that they may be equal more than that they differ. */
function saysMore(outcome: CandidateOutcome, kept: CandidateOutcome): boolean {
  if (outcome.kind !== 'rows') return false;
  return kept.kind !== 'rows' || (outcome.match === 'undecided' && kept.match === 'different');
}

/** Works through a batch on this process's connections. */
export class BatchWork {
  readonly #batch: ComparisonBatch;
  readonly #replies: BatchReplies;
  readonly #tools: BatchTools;
  /** Tasks of the process's earlier batches. */
  readonly #before: number;
  #task = 0;
  #named: { readonly source: QuerySource; readonly name: string } | null = null;
  /** The connection of the tasks at hand, looked up once. */
  #open: { readonly source: QuerySource; readonly sqlite: Sqlite.Database } | null = null;
  #previous: { readonly task: ComparisonTask; readonly outcome: QueryOutcome } | null = null;

  constructor(batch: ComparisonBatch, before: number, replies: BatchReplies, tools: BatchTools) {
    this.#batch = batch;
    this.#before = before;
    this.#replies = replies;
    this.#tools = tools;
  }

  run(): void {
    let results: Comparison[] = [];
    let sent = performance.now();
    for (const [i, task] of this.#batch.tasks.entries()) {
      this.#task = this.#before + i;
      results.push(this.#compare(task));
      const isLast = i === this.#batch.tasks.length - 1;
      if (!isLast && performance.now() - sent < SEND_MS) continue;
      this.#replies.send(results);
      results = [];
      sent = performance.now();
    }
  }

  #compare(task: ComparisonTask): Comparison {
    const reference = this.#referenceOf(task);
    if (reference.kind !== 'rows') return { reference, candidate: null };
    let kept: Comparison['candidate'] = null;
    for (const [at, sql] of task.candidates.entries()) {
      const outcome = this.#try(task, sql, at, reference);
      const isFinal = outcome.kind === 'timed-out' || (outcome.kind === 'rows' && outcome.match === 'equal');
      if (isFinal || kept === null || saysMore(outcome, kept.outcome)) kept = { at, outcome };
      if (isFinal) break;
    }
    return { reference: reference.rows.length, candidate: kept };
  }

  /** Tasks of one reference come one after another. */
  #referenceOf(task: ComparisonTask): QueryOutcome {
    const { source, reference } = task;
    const previous = this.#previous;
    if (previous?.task.source === source && previous.task.reference === reference) return previous.outcome;
    this.#previous = null; // its rows may go before the next ones come
    const key = this.#referenceKey(task);
    const outcome = this.#tools.references.get(key) ?? this.#run(task, reference, REFERENCE, 0);
    this.#tools.references.keep(key, outcome);
    this.#previous = { task, outcome };
    return outcome;
  }

  /** Another limit, and BIRD's way to execute, may give another outcome. */
  #referenceKey({ source, reference }: ComparisonTask): string {
    if (this.#named?.source !== source) this.#named = { source, name: nameOf(source) };
    const { maxRows, maxBytes, timeoutMs } = this.#batch.limits;
    const how = this.#batch.equality.mode === 'bird' ? 'python' : 'sqlite';
    return `${this.#named.name} ${how} ${maxRows} ${maxBytes} ${timeoutMs} ${reference}`;
  }

  #try(task: ComparisonTask, sql: string, at: number, reference: QueryRows): CandidateOutcome {
    const { equality } = this.#batch;
    const sifter = equality.endsEarly === true ? createRowSifter(reference, equality) : null;
    const outcome = sql === task.reference ? reference : this.#run(task, sql, at, reference.rows.length, sifter);
    if (outcome.kind !== 'rows') return outcome;
    if (sifter?.hasEnded === true) return { kind: 'rows', match: 'different' };
    const match = outcome === reference ? 'equal' : sameResult(reference, outcome, equality, task.isOrdered);
    if (equality.mode !== 'bird') return { kind: 'rows', match };
    const reward = match === 'equal' ? this.#reward(task, sql, at, reference.rows.length) : null;
    return { kind: 'rows', match, softF1: softF1(reference, outcome), ...(reward !== null && { reward }) };
  }

  /** Returns the reward for a correct query's time, or null if none is measured. */
  #reward(task: ComparisonTask, sql: string, at: number, referenceRows: number): number | null {
    const { rounds = 0 } = this.#batch.equality;
    const time = (query: string, place: number): number => {
      const start = performance.now();
      this.#run(task, query, place, referenceRows);
      return performance.now() - start;
    };
    const ratios = Array.from({ length: rounds }, () => {
      const own = time(sql, at);
      return time(task.reference, at) / own;
    });
    return rounds === 0 ? null : vesReward(ratios);
  }

  #run(
    { source }: ComparisonTask,
    sql: string,
    place: number,
    referenceRows: number,
    sifter: RowSifter | null = null,
  ): QueryOutcome {
    const { limits, equality } = this.#batch;
    const query = { task: this.#task, place, referenceRows, isOpening: false };
    this.#replies.announce?.(place, referenceRows);
    try {
      const sqlite = this.#connect(source, query);
      const { value, isOvertime } = this.#tools.clock.time(query, limits.timeoutMs, () =>
        equality.mode === 'bird' ? executeAsPython(sqlite, sql, limits) : executeQuery(sqlite, sql, limits, sifter),
      );
      return isOvertime ? { kind: 'timed-out' } : value;
    } catch (error) {
      return failureOf(error, 'database');
    }
  }

  #connect(source: QuerySource, query: RunningQuery): Sqlite.Database {
    if (this.#open?.source === source) return this.#open.sqlite;
    const { value: sqlite } = this.#tools.clock.time({ ...query, isOpening: true }, OPENING_MS, () =>
      this.#tools.connections.connect({ ...source, sql: '' }, () => undefined),
    );
    this.#open = { source, sqlite };
    return sqlite;
  }
}
