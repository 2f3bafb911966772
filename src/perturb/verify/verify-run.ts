import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';
import type { OutputKind } from '../../formats/output-set.js';
import type { RunHost } from '../../run/run-host.js';
import type { QueryLimits, QueryRows } from '../../sql/execution/query-outcome.js';
import { QueryRunner } from '../../sql/execution/query-runner.js';
import { groupBy } from '../../run/group-by.js';
import { PerturbedRun, type RunItem } from './perturbed-run.js';
import { type OtherQueries, OtherQueryTally, OWN_GOLD_FAILS } from './other-queries.js';
import { restoreValues } from './restore-values.js';
import { VERDICTS, type Verdict } from './verdict.js';
import { originalRun, type VariantVerdict, verifyVariant } from './verify-variant.js';

/** One variant whose verdict is not `equal`. */
interface VerifiedItem {
  /** Position in `examples.json`. */
  readonly index: number;
  /** Id of the example in the input. */
  readonly source: string;
  readonly db_id: string;
  readonly kind: MadeKind;
  readonly verdict: Verdict;
  readonly detail: string | null;
}

/** Kinds of records that are made from originals. */
type MadeKind = Exclude<OutputKind, 'original'>;

type Tally = Readonly<Record<Verdict, number>>;

/** What `perturbql verify` found: plain JSON without times. */
export interface Verification {
  /** How results were compared. */
  readonly comparison: 'exact values, as a bag; in order where ORDER BY decides (v1)';
  readonly RPL: Tally;
  readonly ADD: Tally;
  /** Absent where there are none. */
  readonly mutant?: Tally;
  /** Examples that have no variant of a kind: refused, or nothing to perturb; `augment`'s report has the reasons. */
  readonly leftOut: { readonly RPL: number; readonly ADD: number };
  /** Variants without a database, as the input has no rows for it. */
  readonly withoutDatabase: number;
  /** Mutants that ask something else, whose gold has a result of its own; absent where there are none. */
  readonly otherQueries?: OtherQueries;
  /** Share of the compared variants whose result has rows, 0 to 1; null of none. */
  readonly nonEmpty: number | null;
  readonly items: readonly VerifiedItem[];
}

export interface VerifyOptions {
  /** Folder of the run. */
  readonly run: string;
  /** Folder of the original databases, for a run that wrote views. */
  readonly databases: string | null;
  /** Processes side by side; undefined = the number of cores. */
  readonly jobs?: number | undefined;
  readonly limits?: Partial<QueryLimits>;
  /** Takes a run that is still being written. */
  readonly unfinished?: boolean;
  /** Whether a run without databases gets synthetic ones, for as long as it is verified. */
  readonly syntheticDatabases?: boolean;
}

/**
 * Executes every gold query of an augmented data set on its perturbed database, the original on the original, and
 * compares the results value by value. Nothing is written.
 * @throws RunFolderError or InputFormatError when the run or its databases can't be read
 */
export async function verifyRun(options: VerifyOptions, host: RunHost): Promise<Verification> {
  const { databases, unfinished, syntheticDatabases = false } = options;
  const syntheticFolder = syntheticDatabases ? mkdtempSync(join(tmpdir(), 'perturbql-verify-')) : null;
  try {
    const run = new PerturbedRun(options.run, { databases, unfinished, syntheticFolder });
    return await execute(run, options, host);
  } finally {
    if (syntheticFolder !== null) rmSync(syntheticFolder, { recursive: true, force: true });
  }
}

async function execute(run: PerturbedRun, options: VerifyOptions, host: RunHost): Promise<Verification> {
  const runner = new QueryRunner({
    jobs: options.jobs,
    ...(options.limits === undefined ? {} : { limits: options.limits }),
  });
  try {
    return await new RunVerifier(run, runner, options.jobs ?? availableParallelism(), host).verify();
  } finally {
    await runner.close();
  }
}

/** What is said of a variant that has nothing to be compared with. */
const uncompared = (detail: string): VariantVerdict => ({ verdict: 'failed', rows: null, detail, widened: false });
const WITHOUT_ORIGINAL = uncompared('the run holds no original of it');
const WITHOUT_ORIGINAL_DATABASE = uncompared('the original’s database is gone');

class RunVerifier {
  readonly #run: PerturbedRun;
  readonly #runner: QueryRunner;
  /** Examples in work at a time: as many as processes, as each holds a result. */
  readonly #atOnce: number;
  readonly #host: RunHost;
  readonly #tallies = { RPL: emptyTally(), ADD: emptyTally(), mutant: emptyTally() };
  readonly #items: VerifiedItem[] = [];
  readonly #leftOut = { RPL: 0, ADD: 0 };
  readonly #others = new OtherQueryTally();
  #compared = 0;
  #nonEmpty = 0;
  #withoutDatabase = 0;

  constructor(run: PerturbedRun, runner: QueryRunner, atOnce: number, host: RunHost) {
    this.#run = run;
    this.#runner = runner;
    this.#atOnce = atOnce;
    this.#host = host;
  }

  async verify(): Promise<Verification> {
    const items = this.#run.items();
    const groups = [...groupBy(items, ({ source }) => source).values()];
    let done = 0;
    const limit = pLimit(this.#atOnce);
    await limit.map(groups, async (group) => {
      this.#host.signal.throwIfAborted();
      await this.#verifyGroup(group);
      this.#host.progress('gold queries verified', (done += group.length), items.length);
    });
    const { RPL, ADD, mutant } = this.#tallies;
    return {
      comparison: 'exact values, as a bag; in order where ORDER BY decides (v1)',
      RPL,
      ADD,
      ...(items.some(({ kind }) => kind === 'mutant') ? { mutant } : {}),
      leftOut: this.#leftOut,
      withoutDatabase: this.#withoutDatabase,
      ...this.#others.field,
      nonEmpty: this.#compared === 0 ? null : this.#nonEmpty / this.#compared,
      items: this.#items.sort((a, b) => a.index - b.index),
    };
  }

  async #verifyGroup(group: readonly RunItem[]): Promise<void> {
    const original = group.find(({ kind }) => kind === 'original');
    const variants = group.filter(({ kind }) => kind !== 'original');
    if (original === undefined) {
      for (const variant of variants) this.#record(variant, WITHOUT_ORIGINAL);
      return;
    }
    for (const kind of ['RPL', 'ADD'] as const) {
      if (!variants.some((variant) => variant.kind === kind)) this.#leftOut[kind]++;
    }
    if (variants.length === 0) return;
    const task = this.#run.taskOf(original);
    if (task === null) {
      for (const variant of variants) {
        if (this.#run.hasDatabase(variant)) this.#record(variant, WITHOUT_ORIGINAL_DATABASE);
        else this.#withoutDatabase++;
      }
      return;
    }
    const { signal } = this.#host;
    const before = originalRun(task, await this.#runner.run(task, signal));
    for (const variant of variants) {
      const after = this.#run.taskOf(variant);
      if (after === null) this.#withoutDatabase++;
      else if (variant.asksOther) {
        if (!this.#others.add(before, await this.#runner.run(after, signal))) {
          this.#record(variant, uncompared(OWN_GOLD_FAILS));
        }
      } else {
        const restore = (result: QueryRows): QueryRows => restoreValues(result, variant.mapping);
        this.#record(variant, await verifyVariant(this.#runner, before, after, signal, restore));
      }
    }
  }

  #record({ index, source, dbId, kind }: RunItem, { verdict, rows, detail, widened }: VariantVerdict): void {
    if (kind === 'original') return;
    const found = verdict === 'different' && widened && this.#run.keepStar ? 'kept-star' : verdict;
    this.#tallies[kind][found]++;
    if (rows !== null) {
      this.#compared++;
      if (rows > 0) this.#nonEmpty++;
    }
    if (found !== 'equal') this.#items.push({ index, source, db_id: dbId, kind, verdict: found, detail });
  }
}

function emptyTally(): Record<Verdict, number> {
  return Object.fromEntries(VERDICTS.map((verdict) => [verdict, 0])) as Record<Verdict, number>;
}
