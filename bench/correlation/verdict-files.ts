import { basename } from 'node:path';
import { z } from 'zod';
import { ConfigError, type ErrorPlace, InputFormatError } from '../../src/errors.js';
import { checkRecord, parseJson } from '../../src/formats/json-file.js';
import { readTextLines } from '../../src/formats/streamed-file.js';
import { HARDNESS_LEVELS } from '../../src/evaluate/exact/hardness.js';
import { OUTCOMES } from '../../src/evaluate/metric.js';

/** The metric that is taken for the truth (test-suite accuracy §6.2). */
export const REFERENCE = 'suite';
/** Metrics that are set against it; `exact-spider` is exact match as Spider's script counts it, next to our own. */
export const SURFACE_METRICS = ['exact', 'exact-spider', 'execution', 'columns'] as const;
export type SurfaceMetric = (typeof SURFACE_METRICS)[number];
export const JUDGED_METRICS = [...SURFACE_METRICS, REFERENCE] as const;
export type JudgedMetric = (typeof JUDGED_METRICS)[number];

const FIX = 'Name a file that `perturbql evaluate --verdicts FILE` wrote.';

const entry = z.object({ outcome: z.enum(OUTCOMES) }).optional();

const verdictLine = z.object({
  id: z.string(),
  db_id: z.string(),
  hardness: z.enum(HARDNESS_LEVELS).nullable(),
  gold: z.string(),
  other: z.unknown().optional(),
  ...(Object.fromEntries(JUDGED_METRICS.map((metric) => [metric, entry])) as Record<JudgedMetric, typeof entry>),
});
type VerdictLine = z.infer<typeof verdictLine>;

/** A gold query that models were judged on. */
export type GoldPair = Pick<VerdictLine, 'id' | 'db_id' | 'hardness' | 'gold'> & { readonly line: number };

/** One model's verdicts, pair by pair in the order of the gold. */
export interface ModelVerdicts {
  readonly name: string;
  readonly file: string;
  readonly pairs: readonly GoldPair[];
  /** Whether each pair is correct, by metric; a metric that the file lacks is not there. */
  readonly correct: ReadonlyMap<JudgedMetric, readonly boolean[]>;
  /** Whether the file has a second model's verdicts, too (`evaluate --compare`). */
  readonly hasOther: boolean;
}

function correctBy(
  metric: JudgedMetric,
  lines: readonly VerdictLine[],
  places: readonly ErrorPlace[],
): boolean[] | null {
  const without = lines.findIndex((line) => line[metric] === undefined);
  if (without === -1) return lines.map((line) => line[metric]!.outcome === 'correct');
  if (lines.every((line) => line[metric] === undefined)) return null;
  throw new InputFormatError(`this pair has no verdict of the metric ${metric}, others have`, {
    where: places[without]!,
    fix: 'Write the file again with `perturbql evaluate --verdicts`.',
  });
}

function refuseRepeated(places: readonly Required<Pick<ErrorPlace, 'file' | 'line' | 'id'>>[]): void {
  const seen = new Map<string, number>();
  for (const where of places) {
    const before = seen.get(where.id);
    if (before !== undefined)
      throw new InputFormatError(`the id occurs in line ${before} already`, { where, fix: FIX });
    seen.set(where.id, where.line);
  }
}

/**
 * Reads the verdicts of one model as `perturbql evaluate --verdicts` wrote them.
 * @throws InputFormatError where the file can't be read or is another's, an id occurs twice, or a metric judged only
 * some pairs
 */
export function readVerdictFile(file: string, name: string): ModelVerdicts {
  const lines: VerdictLine[] = [];
  const places: { file: string; line: number; id: string }[] = [];
  for (const { line, text } of readTextLines(file)) {
    if (text.trim() === '') continue;
    const read = checkRecord(verdictLine, parseJson(text, file, line), { file, line, id: '' }, FIX);
    lines.push(read);
    places.push({ file, line, id: read.id });
  }
  if (lines.length === 0) throw new InputFormatError('the file has no verdicts', { where: { file }, fix: FIX });
  refuseRepeated(places);
  const correct = JUDGED_METRICS.flatMap((metric) => {
    const judged = correctBy(metric, lines, places);
    return judged === null ? [] : [[metric, judged] as const];
  });
  return {
    name,
    file,
    pairs: lines.map(({ id, db_id, hardness, gold }, i) => ({ id, db_id, hardness, gold, line: places[i]!.line })),
    correct: new Map(correct),
    hasOther: lines.some(({ other }) => other !== undefined),
  };
}

/**
 * The names of models, one per file: those given, else the files' own, by their paths where two are called alike.
 * @throws ConfigError where there are not as many names as files, or two are alike
 */
export function namesOf(files: readonly string[], given: readonly string[] | null): readonly string[] {
  if (given !== null && given.length !== files.length) {
    throw new ConfigError(`option --names has ${given.length} names for ${files.length} files`, {
      fix: 'Give a name for each file, separated by commas, in their order.',
    });
  }
  const own = files.map((file) => basename(file).replace(/\.(?:jsonl?|sql|txt)$/u, ''));
  const names = given ?? (new Set(own).size === own.length ? own : files);
  const repeated = names.find((name, i) => names.indexOf(name) !== i);
  if (repeated === undefined) return names;
  throw new ConfigError(`two models have the name "${repeated}"`, {
    fix: given === null ? 'Name each file once.' : 'Give another name to each with --names.',
  });
}

function differenceOf(ours: GoldPair, theirs: GoldPair): string | null {
  if (ours.id !== theirs.id) return `has the id ${ours.id}, and ${theirs.id} is there`;
  if (ours.db_id !== theirs.db_id) return `is on ${ours.db_id}, here on ${theirs.db_id}`;
  if (ours.gold !== theirs.gold) return 'has another gold query';
  return ours.hardness === theirs.hardness
    ? null
    : `is ${ours.hardness ?? 'unknown'}, here ${theirs.hardness ?? 'unknown'}`;
}

/**
 * Makes sure that all models were judged on the same gold queries: ids, databases, SQL and hardness.
 * @throws InputFormatError naming the first pair that differs
 */
export function refuseOtherGold([first, ...others]: readonly ModelVerdicts[]): void {
  const fix = 'Evaluate all models against one gold file, and give the files of those runs.';
  for (const { file, pairs } of others) {
    if (pairs.length !== first!.pairs.length) {
      throw new InputFormatError(
        `the file has ${pairs.length} pairs, ${first!.file} has ${first!.pairs.length}: they are over different gold queries`,
        { where: { file }, fix },
      );
    }
    for (const [i, pair] of pairs.entries()) {
      const ours = first!.pairs[i]!;
      const difference = differenceOf(ours, pair);
      if (difference === null) continue;
      throw new InputFormatError(
        `the pair at ${first!.file}:${ours.line} ${difference}: they are over different gold queries`,
        {
          where: { file, line: pair.line, id: pair.id },
          fix,
        },
      );
    }
  }
}
