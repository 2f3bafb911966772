import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { PerturbqlError } from '../../errors.js';
import { mustGet } from '../../present.js';
import { sha256Of } from '../../run/sha256.js';
import type { ComparisonMode } from '../../sql/execution/result-comparison.js';
import { readSqliteSchema } from '../../formats/read-sqlite-schema.js';
import type { Database } from '../../schema/schema.js';
import { DenotationRunner, matchResults } from '../denotation/denotation-runner.js';
import { breaksConstraint } from '../../rows/constraints/row-constraint.js';
import { describeConstraint } from '../report/constraint-text.js';
import { planPartialOf } from '../distill/partial-plan.js';
import { readPartial } from '../distill/read-partial.js';
import { openSuite, type Suite } from './open-suite.js';
import { databaseFolder } from './suite-files.js';
import type { SuiteFault, SuiteGold, SuiteSchemaFile } from './suite-manifest.js';
import type { VerifyJob, VerifyResult } from './verify-suite.js';

/** A gold with what it must give on one database. */
interface ExpectedGold {
  readonly gold: SuiteGold;
  readonly hash: string;
}

/** A gold with what of its result must be determinate on one database. */
interface ExpectedPart {
  readonly gold: SuiteGold;
  readonly denotation: string;
}

/** Returns a query's result as the suite notes it, or else why there is none. */
export function notedDenotation(runner: DenotationRunner, sql: string, mode: ComparisonMode): string {
  const denotation = runner.denote(sql, mode);
  return denotation.kind === 'rows' ? denotation.hash : denotation.kind;
}

/** Checks whether a neighbor with another hash is not distinguished, as the build compares the two. */
function mayBeSame(runner: DenotationRunner, gold: SuiteGold, neighbor: string): boolean {
  const [own, other] = [runner.run(gold.sql), runner.run(neighbor)];
  return own.kind === 'rows' && other.kind === 'rows' && matchResults(own, other, gold.mode) !== 'different';
}

class SchemaCheck {
  readonly #suite: Suite;
  readonly #schema: SuiteSchemaFile;
  readonly #faults: SuiteFault[] = [];
  #goldRuns = 0;
  #goldMs = 0;
  #neighborRuns = 0;

  constructor(suite: Suite, schema: SuiteSchemaFile) {
    this.#suite = suite;
    this.#schema = schema;
  }

  run(): VerifyResult {
    const { databases, golds } = this.#schema;
    this.#checkTexts();
    this.#checkFolder();
    databases.forEach(({ name }, at) => {
      const expected = golds.flatMap((gold) => {
        const hash = gold.denotations[gold.databases.indexOf(at)];
        return hash === undefined ? [] : [{ gold, hash }];
      });
      const parts = golds.flatMap((gold) => {
        const own = gold.partial?.find(({ database }) => database === at);
        return own === undefined ? [] : [{ gold, denotation: own.denotation }];
      });
      this.#checkDatabase(name, expected, parts);
    });
    return {
      databases: databases.length,
      golds: golds.length,
      goldRuns: this.#goldRuns,
      goldSeconds: this.#goldMs / 1000,
      neighborRuns: this.#neighborRuns,
      faults: this.#faults,
    };
  }

  #report(fault: Omit<SuiteFault, 'dbId'>): void {
    this.#faults.push({ dbId: this.#schema.dbId, ...fault });
  }

  #checkTexts(): void {
    for (const { sql, sha256 } of this.#schema.golds) {
      if (sha256Of(sql) === sha256) continue;
      this.#report({
        kind: 'damaged',
        place: `schemas/${this.#schema.dbId}.json`,
        sql,
        detail: 'the gold was changed',
      });
    }
  }

  /** Evaluators take every file with `.sqlite` in its name for a test database. */
  #checkFolder(): void {
    const { dbId, databases } = this.#schema;
    const listed = new Set(databases.flatMap(({ name }) => [`${name}.sqlite.gz`, `${name}.sqlite`]));
    const folder = databaseFolder(this.#suite.path, dbId);
    const found = existsSync(folder) ? readdirSync(folder) : [];
    for (const name of found.filter((name) => name.includes('.sqlite') && !listed.has(name))) {
      this.#report({ kind: 'damaged', place: join(folder, name), sql: null, detail: 'the suite has no such database' });
    }
  }

  #checkDatabase(name: string, expected: readonly ExpectedGold[], parts: readonly ExpectedPart[]): void {
    try {
      const sqlite = this.#suite.openDatabase(this.#schema.dbId, name);
      try {
        this.#checkConstraints(sqlite, name);
        const runner = new DenotationRunner(sqlite);
        this.#checkGolds(runner, name, expected);
        for (const one of expected) this.#checkLeft(runner, name, one);
        const database = readSqliteSchema(sqlite, this.#schema.dbId);
        for (const part of parts) this.#checkPart(runner, name, part, database);
      } finally {
        sqlite.close();
      }
    } catch (error) {
      if (!(error instanceof PerturbqlError)) throw error;
      const place = error.where.file ?? name;
      const isMissing = error.where.file !== undefined && !existsSync(error.where.file);
      if (isMissing) this.#report({ kind: 'missing', place, sql: null, detail: 'there is no such file' });
      else this.#report({ kind: 'damaged', place, sql: null, detail: error.message });
    }
  }

  /** The original may break what its schema declares; made databases keep it. */
  #checkConstraints(sqlite: Sqlite.Database, place: string): void {
    const { databases, constraints } = this.#schema;
    if (databases.find(({ name }) => name === place)?.origin.kind === 'original') return;
    for (const constraint of constraints.filter((one) => breaksConstraint(sqlite, one))) {
      this.#report({ kind: 'constraint', place, sql: null, detail: `breaks ${describeConstraint(constraint)}` });
    }
  }

  #checkGolds(runner: DenotationRunner, place: string, expected: readonly ExpectedGold[]): void {
    const begin = performance.now();
    const given = expected.map((one) => ({ ...one, given: notedDenotation(runner, one.gold.sql, one.gold.mode) }));
    this.#goldMs += performance.now() - begin;
    this.#goldRuns += expected.length;
    for (const { gold, hash, given: now } of given) {
      // Where its result depends on the order of rows, another SQLite may give another one.
      if (now === hash || gold.isIndeterminate) continue;
      this.#report({ kind: 'denotation', place, sql: gold.sql, detail: `gives ${now}, noted is ${hash}` });
    }
  }

  #checkPart(runner: DenotationRunner, place: string, { gold, denotation }: ExpectedPart, database: Database): void {
    const { sql, mode, left, equivalentUnderData } = gold;
    const plan = planPartialOf(sql, database);
    if (plan === null) return; // it reads a view, which the file's schema lacks
    this.#goldRuns++;
    const partial = readPartial(plan, (text) => runner.run(text));
    if (partial?.hash !== denotation) {
      const given = partial?.hash ?? 'nothing';
      this.#report({ kind: 'denotation', place, sql, detail: `gives in part ${given}, noted is ${denotation}` });
      return;
    }
    for (const neighbor of [...left, ...equivalentUnderData]) {
      this.#neighborRuns++;
      const outcome = runner.run(neighbor.sql, partial.rows);
      if (outcome.kind === 'too-long') continue;
      if (outcome.kind === 'rows' && partial.fits(outcome, { mode, tolerance: null }, mode === 'ordered')) continue;
      this.#report({
        kind: 'told-apart',
        place,
        sql: neighbor.sql,
        detail: `is listed as left, and differs from ${sql}`,
      });
    }
  }

  #checkLeft(runner: DenotationRunner, place: string, { gold, hash }: ExpectedGold): void {
    if (gold.isIndeterminate) return;
    for (const { sql } of [...gold.left, ...gold.equivalentUnderData]) {
      this.#neighborRuns++;
      if (notedDenotation(runner, sql, gold.mode) === hash || mayBeSame(runner, gold, sql)) continue;
      this.#report({
        kind: 'told-apart',
        place,
        sql,
        detail: `is listed as left or equivalent, and differs from ${gold.sql}`,
      });
    }
  }
}

/** The work of a thread of `verifySuite`. */
export default function runVerifyJob({ suite: folder, dbId }: VerifyJob): VerifyResult {
  const suite = openSuite(folder);
  try {
    return new SchemaCheck(suite, mustGet(suite.schema(dbId), 'suite.schema(dbId)')).run();
  } catch (error) {
    if (!(error instanceof PerturbqlError)) throw error;
    const fault = { dbId, kind: 'damaged', place: error.where.file ?? dbId, sql: null, detail: error.message } as const;
    return { databases: 0, golds: 0, goldRuns: 0, goldSeconds: 0, neighborRuns: 0, faults: [fault] };
  }
}
