import { isSqliteError, openConnection } from '../../sql/execution/open-connection.js';
import { statSync } from 'node:fs';
import { createRng } from '../../seeded-rng.js';
import { itemAt, mustGet } from '../../present.js';
import { readUntouched } from '../../sql/execution/open-untouched.js';
import { TargetedDatabases } from '../targeted/targeted-databases.js';
import { createFuzzer, type Fuzzer, type FuzzSource, type TableRows } from '../../rows/fuzz/fuzzer.js';
import type { DatabaseOrigin } from '../suite/suite-manifest.js';
import type { DistillTask } from './distillation.js';
import type { GoldCase, PlacedNeighbor } from './gold-cases.js';
import { TrialDatabase } from './trial-database.js';

/** Larger originals are not looked at: whatever a query can't be bounded for beforehand runs on a copy of its own. */
const MOST_ORIGINAL_BYTES = 32 * 1024 * 1024;

/** Errors of a table's own rules for a row that goes against them. https://sqlite.org/rescode.html */
const REFUSED_ROW = /^SQLITE_(?:CONSTRAINT|MISMATCH)/u;

const NO_ROWS: TableRows = new Map();

/** Makes the databases of one schema by their origins. All rows are loaded into one that stays. */
export class DatabaseMaker {
  readonly #task: FuzzSource & Pick<DistillTask, 'seed'>;
  readonly #cases: ReadonlyMap<number, GoldCase>;
  readonly #fuzzer: Fuzzer;
  readonly #trial: TrialDatabase;
  #targeted: TargetedDatabases | null = null;

  constructor(task: FuzzSource & Pick<DistillTask, 'seed'>, cases: readonly GoldCase[]) {
    this.#task = task;
    this.#cases = new Map(cases.map((gold) => [gold.position, gold]));
    const queries = cases.flatMap(({ sql, neighbors }) => [sql, ...neighbors.map((neighbor) => neighbor.sql)]);
    this.#fuzzer = createFuzzer(task, queries);
    this.#trial = new TrialDatabase(this.#fuzzer.materialize(NO_ROWS));
  }

  /** The original in memory; null where there is none, or it is too large. The caller closes it. */
  original(): TrialDatabase | null {
    const { file } = this.#task;
    if (file === null || statSync(file).size > MOST_ORIGINAL_BYTES) return null;
    return new TrialDatabase(openConnection(readUntouched(file, (sqlite) => sqlite.serialize())));
  }

  /** The origin of a random database by its number. */
  randomOrigin(number: number): DatabaseOrigin {
    return { kind: 'random', seed: this.#seed(`random-${number}`) };
  }

  /** The origin of a database for a neighbor of a case by the number of the attempt. */
  targetedOrigin({ position, neighbors }: GoldCase, target: PlacedNeighbor, attempt: number): DatabaseOrigin {
    const neighbor = neighbors.indexOf(target);
    return { kind: 'aimed', gold: position, neighbor, seed: this.#seed(`aimed-${position}-${neighbor}-${attempt}`) };
  }

  /** The rows of a database; null for the original, and where none can be made. */
  rowsOf(origin: DatabaseOrigin): TableRows | null {
    if (origin.kind === 'original') return null;
    if (origin.kind === 'random') return this.#fuzzer.database(origin.seed);
    const gold = mustGet(this.#cases.get(origin.gold), 'cases.get(origin.gold)');
    this.#targeted ??= new TargetedDatabases(this.#task);
    return this.#targeted.database(gold.sql, itemAt(gold.neighbors, origin.neighbor), origin.seed);
  }

  /** The database of an origin that is not the original, as `load` has it; null where it can't be made. */
  trialOf(origin: DatabaseOrigin): TrialDatabase | null {
    const rows = this.rowsOf(origin);
    return rows === null ? null : this.load(rows);
  }

  /**
   * The database with these rows, until others are loaded; null where a table refuses one, or a constraint is broken.
   */
  load(rows: TableRows): TrialDatabase | null {
    if (!this.#fuzzer.keeps(rows)) return null;
    this.#trial.forget();
    try {
      this.#fuzzer.load(this.#trial.sqlite, rows);
      return this.#trial;
    } catch (error) {
      if (isSqliteError(error) && REFUSED_ROW.test(error.code)) return null;
      throw error;
    }
  }

  close(): void {
    this.#trial.close();
    this.#fuzzer.close();
    this.#targeted?.close();
  }

  #seed(name: string): number {
    return createRng(this.#task.seed, name).int(2 ** 31);
  }
}
