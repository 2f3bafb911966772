import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { PerturbedPair } from '../../../src/formats/dataset.js';
import { rowlessSchemas, type RowlessSchemas, syntheticFile } from '../../../src/formats/synthetic-databases.js';
import { groupBy } from '../../../src/run/group-by.js';
import type { RunHost } from '../../../src/run/run-host.js';
import { forEachConcurrent } from '../../../src/run/concurrency.js';
import type { Database } from '../../../src/schema/schema.js';
import { executableSql } from '../../../src/sql/executable-sql.js';
import { isSqliteError } from '../../../src/sql/execution/open-connection.js';
import type { QueryOutcome } from '../../../src/sql/execution/query-outcome.js';
import type { QueryRunner } from '../../../src/sql/execution/query-runner.js';
import { compareResults } from '../../../src/sql/execution/result-comparison.js';
import { foldName } from '../../../src/sql/dialect.js';
import { bindFault, explainFault } from './explain-fault.js';
import { type DerivedGold, deriveGold } from './repair-gold.js';
import { writeMigrated } from './migrated-rows.js';
import { type GoldVerdict, isSound, type PairVerdict } from './pair-verdict.js';
import { mapSchemas } from './schema-mapping.js';
import type { RepairRefusal } from './underivable.js';

/** Of the rows that are made where a set has none. */
const SEED = 0;

/** The tables of one original database, as far as examples show them. */
function unionOf(id: string, pairs: readonly PerturbedPair[]): Database {
  const tables = new Map<string, Database['tables'][number]>();
  const keys = { primary: new Set<string>(), foreign: new Set<string>() };
  const named = ({ tables: own }: Database, { table, column }: { table: number; column: number }): string =>
    JSON.stringify([foldName(own[table]?.originalName ?? ''), column]);
  for (const { before } of pairs) {
    if (before.database === null) continue;
    for (const table of before.database.tables) tables.set(foldName(table.originalName), table);
    for (const key of before.database.primaryKeys) keys.primary.add(named(before.database, key));
    for (const { from, to } of before.database.foreignKeys) {
      keys.foreign.add(JSON.stringify([named(before.database, from), named(before.database, to)]));
    }
  }
  const places = new Map([...tables.keys()].map((name, t) => [name, t]));
  const refOf = (key: string): { table: number; column: number } => {
    const [name, column] = JSON.parse(key) as [string, number];
    return { table: places.get(name) ?? 0, column };
  };
  return {
    id,
    tables: [...tables.values()],
    primaryKeys: [...keys.primary].map(refOf),
    foreignKeys: [...keys.foreign].map((key) => {
      const [from, to] = JSON.parse(key) as [string, string];
      return { from: refOf(from), to: refOf(to) };
    }),
  };
}

function synthetic(pairs: readonly PerturbedPair[]): RowlessSchemas {
  const rowless = pairs.filter(({ rowsBefore, before }) => rowsBefore === null && before.database !== null);
  const databases = new Map(groupBy(rowless, ({ origin }) => origin));
  const schemas = new Map([...databases].map(([id, own]) => [id, unionOf(id, own)] as const));
  const queries = rowless.flatMap(({ origin, before }) =>
    before.query === null ? [] : [{ dbId: origin, sql: before.query }],
  );
  return rowlessSchemas(schemas, queries, SEED);
}

const NOT_LOOKED_AT: GoldVerdict = { binds: false, runs: null, equals: null };

/** Audits the examples of a published set, before and after their change. */
class PairAudit {
  readonly #runner: QueryRunner;
  readonly #scratch: string;
  readonly #made: RowlessSchemas;
  readonly #originals = new Map<string, Promise<QueryOutcome>>();

  constructor(pairs: readonly PerturbedPair[], runner: QueryRunner, scratch: string) {
    this.#runner = runner;
    this.#scratch = scratch;
    this.#made = synthetic(pairs);
  }

  async verdict(pair: PerturbedPair, place: number, signal: AbortSignal): Promise<PairVerdict> {
    const { before, after } = pair;
    const derived = this.#derive(pair);
    const rows = pair.rowsAfter ?? this.#migrate(pair, derived, place);
    try {
      const original = await this.#original(pair, signal);
      const judge = (sql: string | null, database: Database | null): Promise<GoldVerdict> =>
        this.#judge(sql, database, rows, pair.keepsRows ? original : null, signal);
      const verdict = await judge(after.query, after.database);
      const isDerived = 'sql' in derived;
      const derivedVerdict = isDerived ? await judge(derived.sql, derived.database) : NOT_LOOKED_AT;
      const isBetter =
        isDerived && !isSound(verdict) && (isSound(derivedVerdict) || !verdict.binds || verdict.runs === false);
      const isKept = !isBetter && (verdict.binds || !isDerived);
      const isGone = !isDerived && derived.refused === 'gone' && !verdict.binds;
      return {
        id: pair.id,
        kind: pair.kind,
        original: before.query ?? '',
        published: after.query,
        verdict,
        fault: explainFault(pair),
        repair: isBetter ? 'derived' : isGone ? 'needs-what-is-gone' : verdict.binds ? 'kept' : 'left',
        repaired: isBetter ? derived.sql : isKept ? after.query : null,
        repairedVerdict: isBetter ? derivedVerdict : verdict,
        restored: isBetter ? derived.restored : [],
        refusal: isDerived ? null : derived.reason,
      };
    } finally {
      if (pair.rowsAfter === null && rows !== null) rmSync(rows, { force: true });
    }
  }

  #derive(pair: PerturbedPair): DerivedGold | RepairRefusal {
    const { before, intended, isRemoval } = pair;
    if (before.database === null || before.query === null || intended === null) {
      return { refused: 'inexpressible', reason: 'a schema can’t be read' };
    }
    return deriveGold(before.query, before.database, intended, mapSchemas(pair, before.database, intended), isRemoval);
  }

  #oldFile(pair: PerturbedPair): string | null {
    return pair.rowsBefore ?? syntheticFile(this.#made, pair.origin, this.#scratch);
  }

  /** A database of the new schema with the original's rows; null where they can't be brought along. */
  #migrate({ before, ...pair }: PerturbedPair, derived: DerivedGold | RepairRefusal, place: number): string | null {
    const old = this.#oldFile({ before, ...pair });
    if (!('sql' in derived) || before.database === null || old === null) return null;
    const file = join(this.#scratch, `after-${place}.sqlite`);
    try {
      writeMigrated(file, old, before.database, derived);
      return file;
    } catch (error) {
      if (!isSqliteError(error)) throw error;
      rmSync(file, { force: true });
      return null;
    }
  }

  #original(pair: PerturbedPair, signal: AbortSignal): Promise<QueryOutcome | null> {
    const file = this.#oldFile(pair);
    const { database, query } = pair.before;
    if (file === null || database === null || query === null) return Promise.resolve(null);
    const key = JSON.stringify([file, query]);
    const known = this.#originals.get(key) ?? this.#runner.run({ file, sql: executable(query, database) }, signal);
    this.#originals.set(key, known);
    return known;
  }

  async #judge(
    sql: string | null,
    database: Database | null,
    rows: string | null,
    original: QueryOutcome | null,
    signal: AbortSignal,
  ): Promise<GoldVerdict> {
    if (sql === null || database === null || bindFault(sql, database) !== null) return NOT_LOOKED_AT;
    if (rows === null) return { binds: true, runs: null, equals: null };
    const outcome = await this.#runner.run({ file: rows, sql: executable(sql, database) }, signal);
    const runs = outcome.kind === 'rows';
    if (original?.kind !== 'rows') return { binds: true, runs, equals: null };
    return { binds: true, runs, equals: runs && compareResults(original, outcome, 'bag', 'numeric') === null };
  }
}

function executable(sql: string, database: Database): string {
  return executableSql(sql, database);
}

/**
 * Audits the examples of a published set of perturbations: what binds, what runs, what gives the original's rows, and the
 * golds derived again. Rows are the set's own, else the original's brought along, else made from schema and golds.
 */
export async function auditPairs(
  pairs: readonly PerturbedPair[],
  runner: QueryRunner,
  scratch: string,
  width: number,
  host: RunHost,
): Promise<readonly PairVerdict[]> {
  const audit = new PairAudit(pairs, runner, scratch);
  const verdicts = new Array<PairVerdict>(pairs.length);
  let done = 0;
  await forEachConcurrent([...pairs.entries()], width, host.signal, async ([place, pair], signal) => {
    verdicts[place] = await audit.verdict(pair, place, signal);
    done += 1;
    host.progress('perturbed examples audited', done, pairs.length);
  });
  return verdicts;
}
