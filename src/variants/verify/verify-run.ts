import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { PROVENANCE_FILE } from '../../formats/artifacts/provenance.js';
import { keepsGold, type OutputKind } from '../../formats/output-set.js';
import { type RunItems, runReported } from '../../run/reported-run.js';
import { readRunManifest, type RunManifest } from '../../run/run-folder.js';
import type { RunHost } from '../../run/run-host.js';
import { fileSha256 } from '../../run/sha256.js';
import type { ShardOption } from '../../run/shard.js';
import type { QueryRunner } from '../../sql/execution/query-runner.js';
import { groupBy } from '../../run/group-by.js';
import { itemAt } from '../../present.js';
import { VERSION } from '../../version.js';
import { PerturbedRun, type RunItem } from './perturbed-run.js';
import type { OtherQueries } from './other-queries.js';
import { emptyTally, type Tally, type Verdict } from './verdict.js';
import { COMPARISON, loadVerification, UNEQUAL, verdictTally, VERIFICATION } from './verification-schema.js';
import type { VariantVerdict } from './verify-variant.js';
import { executeVariants, type ExecutionOptions, summarizeGroups, uncompared, verifyGroups } from './verify-groups.js';

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

/** The report of `perturbql verify`: plain JSON without times. */
export interface Verification {
  /** How results were compared. */
  readonly comparison: typeof COMPARISON;
  readonly RPL: Tally;
  readonly ADD: Tally;
  /** Absent where there are none. */
  readonly mixed?: Tally;
  /** Absent where there are none. */
  readonly mutant?: Tally;
  /** Variants with renamed columns that ask with their original's gold query, by kind; absent where there are none. */
  readonly goldUnchanged?: Readonly<Partial<Record<'RPL' | 'mixed', number>>>;
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

/** Variants whose gold query is their original's, though columns were renamed. */
type GoldUnchanged = NonNullable<Verification['goldUnchanged']>;

/** The report of a verification. */
export const verification: z.ZodType<Verification> = z.object({
  ...VERIFICATION,
  RPL: verdictTally,
  ADD: verdictTally,
  mixed: verdictTally.exactOptional(),
  mutant: verdictTally.exactOptional(),
  goldUnchanged: z.partialRecord(z.enum(['RPL', 'mixed']), z.int()).exactOptional(),
  leftOut: z.object({ RPL: z.int(), ADD: z.int() }),
  items: z.array(
    z.object({
      index: z.int(),
      source: z.string(),
      db_id: z.string(),
      kind: z.enum(['RPL', 'ADD', 'mixed', 'mutant']),
      ...UNEQUAL,
    }),
  ),
});

export interface VerifyOptions extends ShardOption, ExecutionOptions {
  /** Folder of the run. */
  readonly run: string;
  /** Folder of the original databases, for a run that wrote views. */
  readonly databases: string | null;
  /** Takes a run that is still being written. */
  readonly unfinished?: boolean;
  /** True if a run without databases gets synthetic ones, for as long as it is verified. */
  readonly syntheticDatabases?: boolean;
  /** Folder that gets report.json, and from which a verification that was stopped goes on; null: none is written. */
  readonly out?: string | null;
}

/** The findings about the variants of one example. */
export interface GroupVerdict {
  readonly items: readonly (VerifiedItem & Pick<VariantVerdict, 'rows'>)[];
  /** Kinds that it has no variant of. */
  readonly leftOut: readonly ('RPL' | 'ADD')[];
  readonly withoutDatabase: number;
  readonly otherQueries?: OtherQueries;
}

/** Returns everything a verification depends on besides the limits: the run's files, which determine its databases. */
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
      work: (items) => verifyOpenRun(run, options, items, host),
    });
  } finally {
    if (syntheticFolder !== null) rmSync(syntheticFolder, { recursive: true, force: true });
  }
}

/** Executes the variants of a run that is open. */
export async function verifyOpenRun(
  run: PerturbedRun,
  options: ExecutionOptions,
  results: RunItems<GroupVerdict>,
  host: RunHost,
): Promise<Verification> {
  const items = run.items();
  const groups = groupBy(items, ({ source }) => source);
  const verify = (group: readonly RunItem[], runner: QueryRunner): Promise<GroupVerdict> =>
    verifyGroup(run, fromFirst(group), runner, host.signal);
  const verdicts = await verifyGroups(groups, verify, options, results, host);
  return summarize(
    verdicts.map(({ verdict, group }) => placed(verdict, group)),
    FURTHER_KINDS.filter((one) => items.some(({ kind }) => kind === one)),
    countUnchanged(groups),
  );
}

/** Variants that ask with their original's gold query although columns were renamed. */
function countUnchanged(groups: ReadonlyMap<string, readonly RunItem[]>): GoldUnchanged {
  const counts: { RPL?: number; mixed?: number } = {};
  for (const group of groups.values()) {
    const original = group.find(({ kind }) => kind === 'original')?.query ?? null;
    for (const { kind, query } of group) {
      if ((kind === 'RPL' || kind === 'mixed') && keepsGold(kind, query, original))
        counts[kind] = (counts[kind] ?? 0) + 1;
    }
  }
  return counts;
}

const WITHOUT_ORIGINAL = uncompared('the run holds no original of it');
const WITHOUT_ORIGINAL_DATABASE = uncompared('the original’s database is gone');

const KINDS = ['RPL', 'ADD'] as const;
/** Kinds that most runs have none of. */
const FURTHER_KINDS = ['mixed', 'mutant'] as const;

async function verifyGroup(
  run: PerturbedRun,
  group: readonly RunItem[],
  runner: QueryRunner,
  signal: AbortSignal,
): Promise<GroupVerdict> {
  const original = group.find(({ kind }) => kind === 'original');
  const variants = group.filter(({ kind }) => kind !== 'original');
  const allOf = (verdict: VariantVerdict, of = variants): GroupVerdict['items'] =>
    of.flatMap((variant) => itemOf(run, variant, verdict));
  if (original === undefined) return { items: allOf(WITHOUT_ORIGINAL), leftOut: [], withoutDatabase: 0 };
  const leftOut = KINDS.filter((kind) => run.isWanted(kind) && !variants.some((variant) => variant.kind === kind));
  if (variants.length === 0) return { items: [], leftOut, withoutDatabase: 0 };
  const task = run.taskOf(original);
  if (task === null) {
    const withDatabase = variants.filter((variant) => run.hasDatabase(variant));
    const items = allOf(WITHOUT_ORIGINAL_DATABASE, withDatabase);
    return { items, leftOut, withoutDatabase: variants.length - withDatabase.length };
  }
  const executable = variants.map((variant) => ({ ...variant, variant, task: run.taskOf(variant) }));
  const { judged, ...others } = await executeVariants(runner, task, executable, signal);
  const items = judged.flatMap(([variant, found]) => (found === null ? [] : itemOf(run, variant, found)));
  const withoutDatabase = judged.filter(([, found]) => found === null).length;
  return { items, leftOut, withoutDatabase, ...others };
}

function itemOf(
  { keepStar }: PerturbedRun,
  { index, source, dbId, kind }: RunItem,
  found: VariantVerdict,
): GroupVerdict['items'] {
  if (kind === 'original') return [];
  const { rows, detail, widened } = found;
  const verdict = found.verdict === 'different' && widened && keepStar ? 'kept-star' : found.verdict;
  return [{ index, source, db_id: dbId, kind, verdict, detail, rows }];
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

function summarize(
  groups: readonly GroupVerdict[],
  further: readonly (typeof FURTHER_KINDS)[number][],
  goldUnchanged: GoldUnchanged,
): Verification {
  const leftOut = { RPL: 0, ADD: 0 };
  for (const kind of groups.flatMap((group) => group.leftOut)) leftOut[kind]++;
  const { tallies, counts, unequal } = summarizeGroups(
    groups,
    ({ kind }) => kind,
    ({ index }) => index,
  );
  const tallyOf = (kind: MadeKind): Tally => tallies[kind] ?? emptyTally();
  return {
    comparison: COMPARISON,
    RPL: tallyOf('RPL'),
    ADD: tallyOf('ADD'),
    ...Object.fromEntries(further.map((kind) => [kind, tallyOf(kind)])),
    ...(Object.keys(goldUnchanged).length === 0 ? {} : { goldUnchanged }),
    leftOut,
    ...counts,
    items: unequal.map(({ rows: _, ...item }) => item),
  };
}
