import { z } from 'zod';
import { COLUMN_TYPES } from '../../schema/schema.js';
import { CANDIDATE_SOURCES } from '../../stage.js';
import { checkRecord, loadText, parseJson, renderJsonLines } from '../json-file.js';
import type { OutputFolder } from '../output-set.js';

/** Name in the folder of a run of `candidates` or `augment`. */
export const CANDIDATES_FILE = 'candidates.jsonl';

export const BUCKETS = ['RPL', 'ADD', 'rejected'] as const;
export type Bucket = (typeof BUCKETS)[number];

const probability = z.number().min(0).max(1);

/**
 * One line of `candidates.jsonl`: what was decided of one candidate name for one column, and why (ADVETA §4.4).
 * The one product that training sets, attacks and annotation share.
 */
export const candidateDecisionSchema = z.strictObject({
  db_id: z.string().min(1),
  /** Natural name of the table. */
  table: z.string(),
  /** The table as the schema writes it; absent in files of earlier versions, where the natural name decides. */
  table_original: z.string().optional(),
  /** Natural name of the target column. */
  column: z.string(),
  /** The target column as the schema writes it: with `table_original` the identity of the column. */
  column_original: z.string().optional(),
  bucket: z.enum(BUCKETS),
  /**
   * Why, as a stable word: `entailment`, `not-entailed`, `between-thresholds`, `equivalent-to-other`, a naturalness
   * rule …
   */
  reason: z.string().min(1),
  candidate: z.string().min(1),
  source: z.enum(CANDIDATE_SOURCES),
  origin: z
    .strictObject({
      table: z.string(),
      title: z.string(),
      column: z.string(),
      type: z.enum(COLUMN_TYPES),
      /** How near the table is to the target's: cosine, or BM25's score. */
      score: z.number().nullable(),
    })
    .nullable(),
  /** Cosine of the word vectors; null where either name has none. */
  similarity: z.number().min(-1).max(1).nullable(),
  /**
   * How likely readers take the name for close in topic to its column, of additions that the judge was asked about;
   * null where it does not tell. In files of earlier versions a sum of cosines, -20 to 14.
   */
  association: z.number().min(-20).max(14).nullable(),
  /** How likely readers take an accepted name for its bucket; absent where the judge does not tell. */
  acceptability: probability.exactOptional(),
  /** The companion of an accepted addition: its column (close to it in topic, ADVETA §2.3), or the row as a whole. */
  goes_with: z.enum(['column', 'row']).exactOptional(),
  /** Forward entailment, target as premise; null where no judge was asked. */
  e1: probability.nullable(),
  /** Backward entailment; null where e1 decided. */
  e2: probability.nullable(),
  /** The column that decided: of an accepted ADD the most equivalent one; null where no judge was asked. */
  against: z.string().nullable(),
  /** True where a deciding score lies so close to its threshold that another kind of CPU may decide otherwise. */
  near: z.boolean(),
  /**
   * How hard an accepted candidate makes it to find the right column (docs/candidates-format.md); absent of rejected
   * ones, and in files of earlier versions.
   */
  difficulty: probability.exactOptional(),
});

export type CandidateDecision = z.infer<typeof candidateDecisionSchema>;

/**
 * Loads a `candidates.jsonl`.
 * @throws InputFormatError naming the line that is not a candidate decision.
 */
export function loadCandidates(file: string): readonly CandidateDecision[] {
  return parseCandidates(loadText(file), file);
}

/**
 * The decisions of a `candidates.jsonl`; `file` is named in errors.
 * @throws InputFormatError naming the line that is not a candidate decision.
 */
export function parseCandidates(content: string, file: string): readonly CandidateDecision[] {
  return content.split('\n').flatMap((text, index) => {
    if (text.trim() === '') return [];
    const line = index + 1;
    const where = { file, line, id: 'candidate' };
    return [
      checkRecord(
        candidateDecisionSchema,
        parseJson(text, file, line),
        where,
        'Name a candidates.jsonl that perturbql wrote.',
      ),
    ];
  });
}

/** One line of `candidates.jsonl`, with its line end. */
export function renderCandidate(decision: CandidateDecision): string {
  return `${JSON.stringify(decision)}\n`;
}

/** Writes `candidates.jsonl`. */
export function writeCandidates(folder: OutputFolder, decisions: Iterable<CandidateDecision>): void {
  folder.write(CANDIDATES_FILE, renderJsonLines(decisions));
}
