import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { PROVENANCE_FILE } from '../../formats/artifacts/provenance.js';
import { keepsGold } from '../../formats/output-set.js';
import { groupBy } from '../../run/group-by.js';
import type { RunItems } from '../../run/reported-run.js';
import type { RunHost } from '../../run/run-host.js';
import { PerturbedRun, type RunItem } from './perturbed-run.js';
import { COMPARISON, emptyTally, type Tally, UNEQUAL, verdictTally, VERIFICATION } from './verdict.js';
import {
  type ExecutableGroup,
  type ExecutableVariant,
  type ExecutionOptions,
  type GroupVerdict,
  runVerification,
  verifyRecords,
  type VerifyOptions,
} from './verify-groups.js';

/** Reads the report of a verification. */
export const verification = z
  .object({
    ...VERIFICATION,
    RPL: verdictTally,
    ADD: verdictTally,
    /** Absent where there are none. */
    mixed: verdictTally.exactOptional(),
    /** Absent where there are none. */
    mutant: verdictTally.exactOptional(),
    /** Variants with renamed columns that ask with their original's gold query, by kind; absent where there are none. */
    goldUnchanged: z
      .partialRecord(z.enum(['RPL', 'mixed']), z.int())
      .readonly()
      .exactOptional(),
    /** Examples without a variant of a kind: refused, or nothing to perturb; `augment`'s report has the reasons. */
    leftOut: z.object({ RPL: z.int(), ADD: z.int() }).readonly(),
    /** Variants whose verdict is not `equal`, by their positions in `examples.json`. */
    items: z
      .array(
        z
          .object({
            index: z.int(),
            /** Id of the example in the input. */
            source: z.string(),
            db_id: z.string(),
            kind: z.enum(['RPL', 'ADD', 'mixed', 'mutant']),
            ...UNEQUAL,
          })
          .readonly(),
      )
      .readonly(),
  })
  .readonly();

/**
 * The report of `perturbql verify` on a run of `augment`: plain JSON without times. `RPL`, `ADD` and, where there are
 * any, `mixed` and `mutant` count variants by verdict; `items` are those whose verdict is not `equal`.
 */
export type Verification = z.infer<typeof verification>;

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
    const files = ['tables.json', 'examples.json', PROVENANCE_FILE];
    return await runVerification(options, files, verification, (results) => verifyOpenRun(run, options, results, host));
  } finally {
    if (syntheticFolder !== null) rmSync(syntheticFolder, { recursive: true, force: true });
  }
}

const isOriginal = ({ kind }: RunItem): boolean => kind === 'original';

/** Executes the variants of a run that is open. */
export async function verifyOpenRun(
  run: PerturbedRun,
  options: ExecutionOptions,
  results: RunItems<GroupVerdict>,
  host: RunHost,
): Promise<Verification> {
  const records = run.items();
  const groupOf = ({ source }: RunItem): string => source;
  const kindOf = ({ kind }: RunItem): string => kind;
  const open = (group: readonly RunItem[]): ExecutableGroup<RunItem> => openGroup(run, group);
  const verified = { records, groupOf, kindOf, open, keepStar: run.keepStar };
  const { tallies, counts, unequal } = await verifyRecords(verified, options, results, host);
  const groups = [...groupBy(records, groupOf).values()];
  const tallyOf = (kind: string): Tally => tallies[kind] ?? emptyTally();
  const further = FURTHER_KINDS.filter((one) => records.some(({ kind }) => kind === one));
  return {
    comparison: COMPARISON,
    RPL: tallyOf('RPL'),
    ADD: tallyOf('ADD'),
    ...Object.fromEntries(further.map((kind) => [kind, tallyOf(kind)])),
    ...countUnchanged(groups),
    leftOut: { RPL: countLacking(run, groups, 'RPL'), ADD: countLacking(run, groups, 'ADD') },
    ...counts,
    items: unequal.flatMap(({ record: { index, source, dbId, kind }, verdict, detail }) =>
      kind === 'original' ? [] : [{ index, source, db_id: dbId, kind, verdict, detail }],
    ),
  };
}

/** Kinds that most runs have none of. */
const FURTHER_KINDS = ['mixed', 'mutant'] as const;

/** Variants that ask with their original's gold query although columns were renamed. */
function countUnchanged(groups: readonly (readonly RunItem[])[]): Pick<Verification, 'goldUnchanged'> {
  const unchanged = groups.flatMap((group) => {
    const original = group.find(isOriginal)?.query ?? null;
    return group.filter(({ kind, query }) => keepsGold(kind, query, original));
  });
  const counts = [...groupBy(unchanged, ({ kind }) => kind)].map(([kind, own]) => [kind, own.length] as const);
  return counts.length === 0 ? {} : { goldUnchanged: Object.fromEntries(counts) };
}

/** Originals of a run that have no variant of a kind that it was to have. */
function countLacking(run: PerturbedRun, groups: readonly (readonly RunItem[])[], kind: 'RPL' | 'ADD'): number {
  if (!run.isWanted(kind)) return 0;
  return groups.filter((group) => group.some(isOriginal) && !group.some((item) => item.kind === kind)).length;
}

function openGroup(run: PerturbedRun, group: readonly RunItem[]): ExecutableGroup<RunItem> {
  const original = group.find(isOriginal);
  const variants = group.filter((item) => !isOriginal(item));
  const task = original === undefined || variants.length === 0 ? null : run.taskOf(original);
  const taskOf = (variant: RunItem): ExecutableVariant<RunItem>['task'] => {
    if (original === undefined) return 'the run holds no original of it';
    if (task !== null) return run.taskOf(variant);
    return run.hasDatabase(variant) ? 'the original’s database is gone' : null;
  };
  return {
    original: task,
    variants: variants.map((variant) => ({ ...variant, record: variant, task: taskOf(variant) })),
  };
}
