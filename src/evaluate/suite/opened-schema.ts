import type Sqlite from 'better-sqlite3';
import { getOrMake } from '../../present.js';
import { type DenotationLimits, DenotationRunner } from '../../testsuite/denotation/denotation-runner.js';
import type { RowConstraint } from '../../rows/constraints/row-constraint.js';
import type { Suite } from '../../testsuite/suite/open-suite.js';
import type { SuiteDatabase, SuiteGold, SuiteSchemaFile } from '../../testsuite/suite/suite-manifest.js';

/** Rows and bytes as in execution; twenty million rows looked at are about two seconds of a core. */
export const SUITE_LIMITS: DenotationLimits = {
  maxSteps: 20_000_000,
  maxRows: 1_000_000,
  maxBytes: 128 * 1024 * 1024,
};

/**
 * Prepared queries that each database keeps: a prediction hardly comes again, results of gold queries are kept
 * elsewhere.
 */
const MOST_PREPARED = 64;

/** The outcome of a query on one database. */
export type RunOutcome = ReturnType<DenotationRunner['run']>;

interface Opened {
  readonly sqlite: Sqlite.Database;
  readonly runner: DenotationRunner;
}

/** Positions of the databases on which a part of a gold's result counts. */
export function partialPlaces({ partial = [] }: SuiteGold): readonly number[] {
  return partial.map(({ database }) => database);
}

/** The databases of a schema's suite, each opened in memory when it is first asked for. */
export class OpenedSchema {
  readonly #suite: Suite;
  readonly #file: SuiteSchemaFile;
  readonly #opened = new Map<number, Opened>();
  readonly #goldQueries: ReadonlyMap<string, SuiteGold>;

  constructor(suite: Suite, file: SuiteSchemaFile) {
    this.#suite = suite;
    this.#file = file;
    this.#goldQueries = new Map(file.golds.map((gold) => [gold.sql.trim(), gold]));
  }

  /** The constraints that all databases satisfy. */
  get constraints(): readonly RowConstraint[] {
    return this.#file.constraints;
  }

  /** Returns the suite's entry for a gold query, as it is executed. */
  goldOf(sql: string): SuiteGold | null {
    return this.#goldQueries.get(sql.trim()) ?? null;
  }

  /**
   * Positions of the databases that a gold query is judged on: those that the suite names for it, where all of its
   * result or a part does not depend on the order of rows; else all. The original comes last: it mostly is the largest.
   */
  placesFor(gold: SuiteGold | null): readonly number[] {
    const { databases } = this.#file;
    const isOriginal = (at: number): boolean => databases[at]?.origin.kind === 'original';
    const all = [...databases.keys()];
    const own = gold === null ? all : [...gold.databases, ...partialPlaces(gold)];
    return [...own.filter((at) => !isOriginal(at)), ...own.filter(isOriginal)];
  }

  /** @throws RangeError where there is no such database */
  at(place: number): SuiteDatabase {
    const database = this.#file.databases[place];
    if (database === undefined) throw new RangeError(`${this.#file.dbId} has no database ${place}`);
    return database;
  }

  runner(place: number): DenotationRunner {
    return this.#open(place).runner;
  }

  sqlite(place: number): Sqlite.Database {
    return this.#open(place).sqlite;
  }

  close(): void {
    for (const { sqlite } of this.#opened.values()) sqlite.close();
    this.#opened.clear();
  }

  #open(place: number): Opened {
    return getOrMake(this.#opened, place, () => {
      const sqlite = this.#suite.openDatabase(this.#file.dbId, this.at(place).name);
      return { sqlite, runner: new DenotationRunner(sqlite, SUITE_LIMITS, MOST_PREPARED) };
    });
  }
}
