import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { z } from 'zod';
import { PROVENANCE_FILE } from '../../formats/artifacts/provenance.js';
import type { OutputKind } from '../../formats/output-set.js';
import { type RunItems, runReported } from '../../run/reported-run.js';
import { readRunManifest, type RunManifest } from '../../run/run-folder.js';
import type { RunHost } from '../../run/run-host.js';
import { fileSha256 } from '../../run/sha256.js';
import type { ShardOption } from '../../run/shard.js';
import type { QueryLimits, QueryRows } from '../../sql/execution/query-outcome.js';
import { QueryRunner } from '../../sql/execution/query-runner.js';
import { groupBy } from '../../run/group-by.js';
import { itemAt } from '../../present.js';
import { VERSION } from '../../version.js';
import { PerturbedRun, type RunItem } from './perturbed-run.js';
import { countOtherQuery, type OtherQueries, otherQueriesField, OWN_GOLD_FAILS } from './other-queries.js';
import { restoreValues } from './restore-values.js';
import { emptyTally, type Tally, type Verdict } from './verdict.js';
import { COMPARISON, loadVerification, UNEQUAL, verdictTally, VERIFICATION } from './verification-schema.js';
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

/** What `perturbql verify` found: plain JSON without times. */
export interface Verification {
  /** How results were compared. */
  readonly comparison: typeof COMPARISON;
  readonly RPL: Tally;
  readonly ADD: Tally;
  /** Absent where there are none. */
  readonly mixed?: Tally;
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

/** The report of a verification. */
export const verification: z.ZodType<Verification> = z.object({
  ...VERIFICATION,
  RPL: verdictTally,
  ADD: verdictTally,
  mixed: verdictTally.exactOptional(),
  mutant: verdictTally.exactOptional(),
  leftOut: z.object({ RPL: z.int(), ADD: z.int() }),
  items: z.array(
    z.object({
      ...{ index: z.int(), source: z.string(), db_id: z.string() },
      kind: z.enum(['RPL', 'ADD', 'mixed', 'mutant']),
      ...UNEQUAL,
    }),
  ),
});

export interface VerifyOptions extends ShardOption {
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
  /** Folder that gets report.json, and from which a verification that was stopped goes on; null: none is written. */
  readonly out?: string | null;
}

/** What was found of the variants of one example. */
export interface GroupVerdict {
  readonly items: readonly (VerifiedItem & Pick<VariantVerdict, 'rows'>)[];
  /** Kinds that it has no variant of. */
  readonly leftOut: readonly ('RPL' | 'ADD')[];
  readonly withoutDatabase: number;
  readonly otherQueries?: OtherQueries;
}

/** What a verification depends on besides the limits: the files of the run, whose databases follow from them. */
export function verificationManifest(
  { run, databases, syntheticDatabases = false, limits = {} }: VerifyOptions,
  files: readonly string[],
): Omit<RunManifest, 'complete'> {
  const inputs = files.map((name) => [name, fileSha256(join(run, name))] as const);
  return {
    command: 'verify',
    version: VERSION,
    seed: readRunManifest(run).seed,
    settings: { syntheticDatabases, views: databases !== null, limits },
    inputs: Object.fromEntries(inputs),
  };
}

/**
 * Executes every gold query of an augmented data set on its perturbed database, the original on the original, and
 * compares the results value by value. Nothing is written but the report, where a folder is named for it.
 * @throws RunFolderError or InputFormatError when the run or its databases can't be read, or `out` holds something else
 */
export async function verifyRun(options: VerifyOptions, host: RunHost): Promise<Verification> {
  const { databases, unfinished, syntheticDatabases = false } = options;
  const syntheticFolder = syntheticDatabases ? mkdtempSync(join(tmpdir(), 'perturbql-verify-')) : null;
  try {
    const run = new PerturbedRun(options.run, { databases, unfinished, syntheticFolder });
    return await runReported<GroupVerdict, Verification>({
      out: options.out ?? null,
      shard: options.shard ?? null,
      manifest: () => verificationManifest(options, ['tables.json', 'examples.json', PROVENANCE_FILE]),
      load: (file) => loadVerification(verification, file),
      work: (items) => executeVariants(run, options, items, host),
    });
  } finally {
    if (syntheticFolder !== null) rmSync(syntheticFolder, { recursive: true, force: true });
  }
}

/** Executes the variants of a run that is open. */
export async function executeVariants(
  run: PerturbedRun,
  options: Pick<VerifyOptions, 'jobs' | 'limits'>,
  items: RunItems<GroupVerdict>,
  host: RunHost,
): Promise<Verification> {
  const runner = new QueryRunner({
    jobs: options.jobs,
    ...(options.limits === undefined ? {} : { limits: options.limits }),
  });
  try {
    const atOnce = options.jobs ?? availableParallelism();
    return await new RunVerifier(run, runner, items, atOnce, host).verify();
  } finally {
    await runner.close();
  }
}

/** What is said of a variant that has nothing to be compared with. */
const uncompared = (detail: string): VariantVerdict => ({ verdict: 'failed', rows: null, detail, widened: false });
const WITHOUT_ORIGINAL = uncompared('the run holds no original of it');
const WITHOUT_ORIGINAL_DATABASE = uncompared('the original’s database is gone');

const KINDS = ['RPL', 'ADD'] as const;
/** Kinds that most runs have none of. */
const FURTHER_KINDS = ['mixed', 'mutant'] as const;

class RunVerifier {
  readonly #run: PerturbedRun;
  readonly #runner: QueryRunner;
  readonly #results: RunItems<GroupVerdict>;
  /** Examples in work at a time: as many as processes, as each holds a result. */
  readonly #atOnce: number;
  readonly #host: RunHost;

  constructor(run: PerturbedRun, runner: QueryRunner, results: RunItems<GroupVerdict>, atOnce: number, host: RunHost) {
    this.#run = run;
    this.#runner = runner;
    this.#results = results;
    this.#atOnce = atOnce;
    this.#host = host;
  }

  async verify(): Promise<Verification> {
    const items = this.#run.items();
    const groups = groupBy(items, ({ source }) => source);
    const own = [...groups].filter(([source]) => this.#results.isOwn(source));
    const total = own.reduce((sum, [, group]) => sum + group.length, 0);
    let done = 0;
    const limit = pLimit(this.#atOnce);
    const verdicts = await limit.map(own, async ([source, group]) => {
      this.#host.signal.throwIfAborted();
      const verdict = placed(await this.#results.of(source, () => this.#verifyGroup(fromFirst(group))), group);
      this.#host.progress('gold queries verified', (done += group.length), total);
      return verdict;
    });
    this.#results.end();
    return summarize(
      verdicts,
      FURTHER_KINDS.filter((one) => items.some(({ kind }) => kind === one)),
    );
  }

  async #verifyGroup(group: readonly RunItem[]): Promise<GroupVerdict> {
    const original = group.find(({ kind }) => kind === 'original');
    const variants = group.filter(({ kind }) => kind !== 'original');
    const allOf = (verdict: VariantVerdict): GroupVerdict['items'] =>
      variants.flatMap((variant) => this.#itemOf(variant, verdict));
    if (original === undefined) return { items: allOf(WITHOUT_ORIGINAL), leftOut: [], withoutDatabase: 0 };
    const leftOut = KINDS.filter(
      (kind) => this.#run.isWanted(kind) && !variants.some((variant) => variant.kind === kind),
    );
    if (variants.length === 0) return { items: [], leftOut, withoutDatabase: 0 };
    const task = this.#run.taskOf(original);
    if (task === null) {
      const withDatabase = variants.filter((variant) => this.#run.hasDatabase(variant));
      const items = withDatabase.flatMap((variant) => this.#itemOf(variant, WITHOUT_ORIGINAL_DATABASE));
      return { items, leftOut, withoutDatabase: variants.length - withDatabase.length };
    }
    const { signal } = this.#host;
    const before = originalRun(task, await this.#runner.run(task, signal));
    const items: GroupVerdict['items'][number][] = [];
    const others: OtherQueries[] = [];
    let withoutDatabase = 0;
    for (const variant of variants) {
      const after = this.#run.taskOf(variant);
      if (after === null) withoutDatabase++;
      else if (variant.asksOther) {
        const count = countOtherQuery(before, await this.#runner.run(after, signal));
        if (count === null) items.push(...this.#itemOf(variant, uncompared(OWN_GOLD_FAILS)));
        else others.push(count);
      } else {
        const restore = (result: QueryRows): QueryRows => restoreValues(result, variant.mapping);
        const verdict = await verifyVariant(this.#runner, before, after, signal, restore);
        items.push(...this.#itemOf(variant, verdict));
      }
    }
    return { items, leftOut, withoutDatabase, ...otherQueriesField(others) };
  }

  #itemOf({ index, source, dbId, kind }: RunItem, found: VariantVerdict): GroupVerdict['items'] {
    if (kind === 'original') return [];
    const { rows, detail, widened } = found;
    const verdict = found.verdict === 'different' && widened && this.#run.keepStar ? 'kept-star' : found.verdict;
    return [{ index, source, db_id: dbId, kind, verdict, detail, rows }];
  }
}

/** The records of an example, counted from the first of them. */
function fromFirst(group: readonly RunItem[]): readonly RunItem[] {
  const first = itemAt(group, 0).index;
  return group.map((item) => ({ ...item, index: item.index - first }));
}

/** With the places that a shard did not know: what it counts from is the place of the group's first record. */
function placed(verdict: GroupVerdict, group: readonly RunItem[]): GroupVerdict {
  const first = itemAt(group, 0).index;
  return { ...verdict, items: verdict.items.map((item) => ({ ...item, index: item.index + first })) };
}

function summarize(groups: readonly GroupVerdict[], further: readonly (typeof FURTHER_KINDS)[number][]): Verification {
  const tallies = { RPL: emptyTally(), ADD: emptyTally(), mixed: emptyTally(), mutant: emptyTally() };
  const leftOut = { RPL: 0, ADD: 0 };
  for (const kind of groups.flatMap((group) => group.leftOut)) leftOut[kind]++;
  const items = groups.flatMap((group) => group.items);
  for (const { kind, verdict } of items) tallies[kind][verdict]++;
  const { RPL, ADD } = tallies;
  const compared = items.filter(({ rows }) => rows !== null);
  const nonEmpty = compared.filter(({ rows }) => rows !== 0).length;
  const faulty = items.filter(({ verdict }) => verdict !== 'equal').sort((a, b) => a.index - b.index);
  return {
    comparison: COMPARISON,
    RPL,
    ADD,
    ...Object.fromEntries(further.map((kind) => [kind, tallies[kind]])),
    leftOut,
    withoutDatabase: groups.reduce((sum, group) => sum + group.withoutDatabase, 0),
    ...otherQueriesField(groups.flatMap(({ otherQueries }) => otherQueries ?? [])),
    nonEmpty: compared.length === 0 ? null : nonEmpty / compared.length,
    items: faulty.map(({ index, source, db_id, kind, verdict, detail }) => {
      return { index, source, db_id, kind, verdict, detail };
    }),
  };
}
