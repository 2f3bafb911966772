import { executableSql } from '../../sql/executable-sql.js';
import { isSqliteError, openConnection } from '../../sql/execution/open-connection.js';
import { PerturbqlError } from '../../errors.js';
import { whereReadable } from '../../sql/sql-fault.js';
import { zip } from '../../present.js';
import { sha256Of } from '../../run/sha256.js';
import type { Database } from '../../schema/schema.js';
import { DenotationRunner } from '../denotation/denotation-runner.js';
import { planPartialOf } from '../distill/partial-plan.js';
import { readPartial } from '../distill/read-partial.js';
import {
  schemaSha256,
  type SuiteDatabase,
  type SuiteFault,
  type SuiteGold,
  type SuiteSchemaFile,
  type UnreadGold,
} from '../suite/suite-manifest.js';
import { databaseName } from '../suite/suite-files.js';
import { notedDenotation } from '../suite/verify-worker.js';
import { applyChange } from './apply-change.js';
import { type RunVariant, variantRewriter } from './transfer-run.js';
import type { SuiteChange } from './suite-change.js';

/** An original of the suite that is transferred, with its SQLite files in the order of its list. */
export interface TransferBase {
  readonly schema: SuiteSchemaFile;
  readonly files: readonly Buffer[];
}

/** A variant's suite, and what of it does not hold. */
export interface TransferredSchema {
  /** Null where no database can be changed so. */
  readonly file: SuiteSchemaFile | null;
  readonly faults: readonly SuiteFault[];
}

/** Listed neighbors as the variant has them; one that can't be expressed on it is none of its neighbors. */
function transferredList(listed: SuiteGold['left'], rewrite: (sql: string) => string): SuiteGold['left'] {
  return listed.flatMap((neighbor) => {
    return whereReadable(() => [{ ...neighbor, sql: rewrite(neighbor.sql) }], []);
  });
}

function transferredGold(base: SuiteGold, sql: string, rewrite: (sql: string) => string): SuiteGold {
  const left = transferredList(base.left, rewrite);
  const equivalentUnderData = transferredList(base.equivalentUnderData, rewrite);
  const lost = base.left.length - left.length + base.equivalentUnderData.length - equivalentUnderData.length;
  return { ...base, sql, sha256: sha256Of(sql), neighbors: base.neighbors - lost, left, equivalentUnderData };
}

/** Gold queries of the variant that the suite was distilled for, each once, and those that it was not. */
function goldsOf(
  { schema, original, golds }: RunVariant,
  base: SuiteSchemaFile,
  rewrite: (sql: string) => string,
): Pick<SuiteSchemaFile, 'golds' | 'unread'> {
  const known = new Map(base.golds.map((gold) => [gold.sql, gold]));
  const faults = new Map(base.unread.map(({ sql, ...fault }) => [sql, fault]));
  const transferred = new Map<string, SuiteGold>();
  const unread = new Map<string, Omit<UnreadGold, 'sql'>>();
  for (const { original: before, query } of golds) {
    const [own, sql] = [executableSql(before, original), executableSql(query, schema)];
    const gold = known.get(own);
    if (gold !== undefined) transferred.set(sql, transferredGold(gold, sql, rewrite));
    else unread.set(sql, faults.get(own) ?? { reason: 'the suite was not distilled for this gold query' });
  }
  return {
    golds: [...transferred.values()],
    unread: [...unread].filter(([sql]) => !transferred.has(sql)).map(([sql, fault]) => ({ sql, ...fault })),
  };
}

/** A gold query of the variant with what it gives. */
interface TransferredGold {
  readonly gold: SuiteGold;
  /** In the order of its databases. */
  readonly given: string[];
  /** The same of what is determinate of its results. */
  readonly parts: NonNullable<SuiteGold['partial']>[number][];
}

/** Changes the original's databases one by one and runs the variant's gold queries on each. */
class SchemaTransfer {
  readonly #schema: Database;
  readonly #goldQueries: readonly TransferredGold[];
  readonly #faults: SuiteFault[] = [];
  /** True if another result is no fault: the star that `--keep-star` left returns added columns. */
  readonly #mayDiffer: boolean;

  constructor(schema: Database, goldQueries: readonly SuiteGold[], mayDiffer: boolean) {
    this.#schema = schema;
    this.#goldQueries = goldQueries.map((gold) => ({ gold, given: [], parts: [] }));
    this.#mayDiffer = mayDiffer;
  }

  /** @throws InputFormatError or SqlRewriteError when a database can't be changed so */
  run({ schema, files }: TransferBase, change: SuiteChange): readonly SuiteDatabase[] {
    return zip(schema.databases, files).map(([database, file], at) => {
      const bytes = applyChange(file, change, this.#schema.id, database);
      const name = databaseName(this.#schema.id, database.origin.kind === 'original' ? 0 : numberOf(schema, at));
      const sqlite = openConnection(bytes);
      try {
        const runner = new DenotationRunner(sqlite);
        this.#runGolds(runner, at, name);
        this.#readParts(runner, at, name);
      } finally {
        sqlite.close();
      }
      return { ...database, name, sha256: sha256Of(bytes), bytes: bytes.length };
    });
  }

  #runGolds(runner: DenotationRunner, at: number, name: string): void {
    for (const { gold, given: all } of this.#goldQueries) {
      const { sql, mode, databases, denotations, isIndeterminate } = gold;
      const position = databases.indexOf(at);
      if (position === -1) continue;
      const given = notedDenotation(runner, sql, mode);
      all[position] = given;
      if (given === denotations[position] || isIndeterminate || this.#mayDiffer) continue;
      this.#report(name, sql, `gives ${given}, its original ${denotations[position] ?? 'nothing'}`);
    }
  }

  #readParts(runner: DenotationRunner, at: number, name: string): void {
    for (const { gold, parts } of this.#goldQueries) {
      const { sql, partial } = gold;
      const own = partial?.find(({ database }) => database === at);
      if (own === undefined) continue;
      const plan = planPartialOf(sql, this.#schema);
      const given = plan === null ? undefined : readPartial(plan, (text) => runner.run(text))?.hash;
      if (given !== undefined) parts.push({ database: at, denotation: given });
      if (given === own.denotation || this.#mayDiffer) continue;
      this.#report(name, sql, `gives in part ${given ?? 'nothing'}, its original ${own.denotation}`);
    }
  }

  #report(place: string, sql: string, detail: string): void {
    this.#faults.push({ dbId: this.#schema.id, kind: 'denotation', place, sql, detail });
  }

  /** Gold queries whose results are their originals', and the others with what is wrong. */
  result(): Pick<SuiteSchemaFile, 'golds' | 'unread'> & Pick<TransferredSchema, 'faults'> {
    const faulty = new Map(this.#faults.map(({ sql, place, detail }) => [sql, `${detail}, on ${place}`]));
    const goldQueries = this.#goldQueries.flatMap(({ gold, given, parts }) =>
      faulty.has(gold.sql)
        ? []
        : [{ ...gold, denotations: given, ...(gold.partial === undefined ? {} : { partial: parts }) }],
    );
    const unread = this.#goldQueries.flatMap(({ gold: { sql } }) => {
      const reason = faulty.get(sql);
      return reason === undefined ? [] : [{ sql, reason }];
    });
    return { golds: goldQueries, unread, faults: this.#faults };
  }
}

/** Number of a database that was made: they are numbered from 1 on. */
function numberOf({ databases }: SuiteSchemaFile, at: number): number {
  return databases.slice(0, at + 1).filter(({ origin }) => origin.kind !== 'original').length;
}

/**
 * Transfers an original's suite to a variant of it: the same databases under the variant's change, the variant's gold
 * queries with what they give there. A gold that gives anything else than its original did is a fault, and no gold of
 * the suite.
 */
export function transferSchema(
  variant: RunVariant,
  base: TransferBase,
  change: SuiteChange,
  keepStars: boolean,
): TransferredSchema {
  const { id } = variant.schema;
  const { golds, unread } = goldsOf(variant, base.schema, variantRewriter(variant, keepStars));
  const transfer = new SchemaTransfer(variant.schema, golds, keepStars);
  try {
    const databases = transfer.run(base, change);
    const result = transfer.result();
    const file: SuiteSchemaFile = {
      dbId: id,
      schemaSha256: schemaSha256(variant.schema),
      databases: [...databases],
      golds: result.golds,
      unread: [...unread, ...result.unread],
      curve: [],
      // Those of the original, under its names.
      constraints: [],
      carriedFrom: base.schema.dbId,
      change,
    };
    return { file, faults: result.faults };
  } catch (error) {
    if (!(error instanceof PerturbqlError) && !isSqliteError(error)) throw error;
    return { file: null, faults: [{ dbId: id, kind: 'damaged', place: id, sql: null, detail: error.message }] };
  }
}
