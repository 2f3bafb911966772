import { z } from 'zod';
import { loadRecord } from '../formats/json-file.js';
import type { LinkingSummary } from './linking/schema-linking.js';
import type { MetricSection, PairMetric } from './metrics.js';
import type { PairVerdicts } from './verdict-lines.js';

/** The section of each metric over pairs. */
export type MetricSections = { readonly [K in PairMetric]?: MetricSection<K> };

/** The report of `perturbql evaluate`: plain JSON without times, one key per metric. */
export interface EvaluationReport extends MetricSections {
  readonly seed: number;
  readonly gold: { readonly file: string; readonly queries: number; readonly interactions: number | null } | null;
  readonly predictions: { readonly file: string; readonly comparedWith: string | null } | null;
  /** Notes by the reader of the data set, such as records that it left out; absent if there are none. */
  readonly notes?: readonly string[];
  /** Gold queries that a metric does not find correct against themselves; they count as not correct. */
  readonly badGold: readonly BadGold[];
  readonly linking?: LinkingSummary;
  /** The pair that was asked to be explained. */
  readonly explained?: PairVerdicts & { readonly question?: string };
}

const badGold = z.looseObject({ metric: z.string(), id: z.string(), dbId: z.string(), reason: z.string() });
const fields = z.looseObject({ seed: z.int(), badGold: z.array(badGold) });
/** Reads the report of an evaluation that had finished. @throws InputFormatError where the file is none */
export function loadEvaluationReport(file: string): EvaluationReport {
  const schema = z.custom<EvaluationReport>(
    (json) => fields.safeParse(json).success,
    'it is no report of an evaluation',
  );
  return loadRecord(schema, file, 'report', 'Evaluate again, with another --out.');
}

/** A gold query that fails against itself. */
export interface BadGold {
  readonly metric: PairMetric;
  readonly id: string;
  readonly line: number | null;
  readonly dbId: string;
  readonly reason: string;
}
