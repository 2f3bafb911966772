import { z } from 'zod';
import { readIdentifiedLines } from '../formats/identified-lines.js';
import { fileSha256 } from '../run/sha256.js';
import type { EntailmentPair, EntailmentScore, EntailmentScorer, StageContext } from '../stage.js';
import { type Judgment, JUDGMENT_FIELDS, pairId, scoreOfJudgment } from './judgment.js';

/** {@link RecordedJudgment} */
const recordedFormat = z
  .strictObject({ premise: z.string().min(1), hypothesis: z.string().min(1), ...JUDGMENT_FIELDS })
  .transform(({ premise, hypothesis, ...judgment }) => ({ id: pairId({ premise, hypothesis }), judgment }));

/** Of a pair that nobody has judged: whatever the thresholds, no name comes in by it, to replace or to be added. */
const UNKNOWN: Judgment = { entailment: 1, replacement: 0, addition: 0, topic: 0 };

/** Judgments that a model has made before: no service is asked, nothing leaves the machine. */
export class RecordedScorer implements EntailmentScorer {
  readonly id = 'recorded';
  readonly fingerprint: string;
  readonly #judgments: ReadonlyMap<string, Judgment>;

  /** @throws InputFormatError when a line of the file is not a judgment, or a pair occurs twice */
  constructor(file: string) {
    const lines = readIdentifiedLines(file, recordedFormat, {
      nothing: 'there are no recorded judgments',
      fix: 'Name a file of lines {"premise": "…", "hypothesis": "…", "entailment": …, "replacement": …, "addition": …, "topic": …}.',
    });
    this.#judgments = new Map(lines.map(({ id, judgment }) => [id, judgment]));
    this.fingerprint = `recorded-judgments=${fileSha256(file)}`;
  }

  score(pairs: readonly EntailmentPair[], context: StageContext): Promise<readonly EntailmentScore[]> {
    return Promise.resolve(pairs.map((pair) => scoreOfJudgment(this.#judgmentOf(pair, context))));
  }

  #judgmentOf(pair: EntailmentPair, context: StageContext): Judgment {
    const known = this.#judgments.get(pairId(pair));
    if (known !== undefined) return known;
    context.emit({ kind: 'warning', message: `${pairId(pair)} has no recorded judgment` });
    return UNKNOWN;
  }
}
