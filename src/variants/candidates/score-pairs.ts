import { z } from 'zod';
import { checkRecord, parseJson } from '../../formats/json-file.js';
import { BucketJudge, type JudgeVerdict } from '../../nli/bucket-judge.js';
import { compareColumns } from '../../nli/compared-columns.js';
import { mustGet } from '../../present.js';
import { RECIPES } from '../../recipes/recipes.js';
import type { Settings } from '../../recipes/settings.js';
import { type ResourceOptions, StageResources } from '../../recipes/stage-resources.js';
import { openScoreCache, type ScoreCache } from '../../run/score-cache.js';
import { createRng } from '../../seeded-rng.js';
import { COLUMN_TYPES } from '../../schema/schema.js';
import type { StageContext } from '../../stage.js';

/** One line of `perturbql score`: is `b` replaceable or addable for column `a`? */
const scoredPairSchema = z.looseObject({
  a: z.string().min(1),
  b: z.string().min(1),
  /** Primary entity of the table. */
  tpe: z.string().default(''),
  type: z.enum(COLUMN_TYPES).default('text'),
  /** The columns of the table, with or without the target: names, of the target's type, or names with types. */
  table: z.array(z.union([z.string(), z.strictObject({ name: z.string(), type: z.enum(COLUMN_TYPES) })])).default([]),
});
export type ScoredPair = z.input<typeof scoredPairSchema>;

/** The line as it was, with the scores and the decision. */
export type PairExplanation = ScoredPair & {
  readonly e1: number;
  readonly e2: number;
  /** Cosine of the two names by the table-context encoder. */
  readonly cosine: number;
  /** Cosine of the two names by the word vectors; null where either has none. */
  readonly similarity: number | null;
  readonly bucket: JudgeVerdict['bucket'];
  readonly reason: JudgeVerdict['reason'];
  /** The column that decided. */
  readonly against: string;
};

/**
 * Parses JSON lines of pairs.
 * @throws InputFormatError naming the line.
 */
export function parsePairs(text: string, file: string): readonly ScoredPair[] {
  return text.split('\n').flatMap((line, index): readonly ScoredPair[] => {
    if (line.trim() === '') return [];
    const where = { file, line: index + 1, id: 'pair' };
    const json = parseJson(line, file, index + 1);
    checkRecord(scoredPairSchema, json, where, 'Each line needs {"a": …, "b": …}; tpe, type and table are optional.');
    // The line as it was, without the defaults that the check fills in.
    return [json as ScoredPair];
  });
}

const round = (score: number): number => Math.round(score * 1e6) / 1e6;

/** Explains pairs one by one with a run's own judge: both directions are always scored; order is kept. */
export class PairExplainer {
  readonly #resources: StageResources;
  readonly #judge: BucketJudge;
  readonly #context: StageContext;

  constructor(settings: Settings, options: ResourceOptions & { readonly signal: AbortSignal }) {
    const openStore = (fingerprint: string): ScoreCache | null =>
      openScoreCache(options.cacheFolder, fingerprint, () => undefined);
    this.#resources = new StageResources(settings, RECIPES.cta, { openStore, ...options });
    this.#judge = new BucketJudge(this.#resources.scorer(), this.#resources.thresholds(), { fullScores: true });
    this.#context = { signal: options.signal, rngFor: (id) => createRng(0, id), emit: () => undefined };
  }

  explain(pairs: readonly ScoredPair[]): Promise<readonly PairExplanation[]> {
    return Promise.all(pairs.map((pair) => this.#explainOne(pair)));
  }

  async #explainOne(pair: ScoredPair): Promise<PairExplanation> {
    const { a, b, tpe, type, table } = scoredPairSchema.parse(pair);
    const ranker = await this.#resources.ranker();
    const columns = table.map((column) => (typeof column === 'string' ? { name: column, type } : column));
    const compared = compareColumns(
      b,
      a,
      columns.filter(({ name }) => name !== a),
      (x, y) => ranker.similarity(x, y),
    );
    const open = { rpl: true, add: true };
    const request = { primaryEntity: tpe, target: { name: a, type }, candidate: b, ...compared, open };
    const [verdict, [va, vb]] = await Promise.all([
      this.#judge.judge(request, this.#context),
      this.#resources.encoder().embed([a, b], this.#context.signal),
    ]);
    const similarity = ranker.similarity(a, b);
    return {
      ...pair,
      e1: round(verdict.target.e1),
      e2: round(mustGet(verdict.target.e2, 'verdict.target.e2')),
      cosine: round(mustGet(va, 'va').reduce((sum, value, i) => sum + value * mustGet(vb, 'vb')[i]!, 0)),
      similarity: similarity === null ? null : round(similarity),
      bucket: verdict.bucket,
      reason: verdict.reason,
      against: verdict.by.column,
    };
  }

  dispose(): Promise<void> {
    return this.#resources.dispose();
  }
}
