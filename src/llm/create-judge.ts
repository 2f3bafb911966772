import { z } from 'zod';
import { readIdentifiedLines } from '../formats/json-lines.js';
import { fileSha256 } from '../run/sha256.js';
import type { EntailmentPair, EntailmentScore, EntailmentScorer, StageContext, TargetColumn } from '../stage.js';
import { type Judgment, JUDGMENT_FIELDS, pairId, scoreOfJudgment } from './judgment.js';
import { CHARACTERS_PER_TOKEN, promptLength } from '../chat/chat-asker.js';
import { resolveEndpoint } from '../chat/chat-endpoint.js';
import { ConfigError } from '../errors.js';
import { estimateOf, NOTHING, type ProposalEstimate, type ProposerChoice, requireEndpoint } from './create-proposer.js';
import { LlmScorer, loadJudgmentPrompt, renderJudgmentPrompt } from './llm-scorer.js';
import type { ModelAsker } from './model-asker.js';

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

/** The file of recorded judgments, where nothing is asked. @throws ConfigError where recorded answers have none */
function recordedJudgments(choice: ProposerChoice | null): string | null {
  if (choice?.kind !== 'recorded') return null;
  const { judgments = null } = choice;
  if (judgments !== null) return judgments;
  throw new ConfigError('recorded proposals say nothing of how names are judged', {
    fix: 'Give recorded judgments, too (--replay-judgments), or leave nli.id=llm out.',
  });
}

/**
 * The judge that was chosen; `openAsker` starts asking an endpoint.
 * @throws ConfigError or InputFormatError when nothing was, or it can't be used
 */
export function createJudge(choice: ProposerChoice | null, openAsker: () => ModelAsker): EntailmentScorer {
  const file = recordedJudgments(choice);
  return file === null ? new LlmScorer(openAsker()) : new RecordedScorer(file);
}

/** Of `{"entailment": 0.95, "replacement": 0.8, "addition": 0.05, "topic": 0.9}`. */
const JUDGMENT_TOKENS = 30;
/** Fewer pairs than share a call on average (14 on examples/): what answers leave open is asked later, a few at a time. */
const PAIRS_TOGETHER = 10;
/** How many times as many pairs as on average are reckoned with: what a run costs at most is worth little where it costs more. */
const MARGIN = 2;

/**
 * Estimates what judging so many pairs of each column, on average, costs at most, as `estimateProposals` does.
 * @throws ConfigError when nothing was chosen, or a setting or the key's variable is wrong
 */
export function estimateJudgments(
  choice: ProposerChoice | null,
  columns: readonly TargetColumn[],
  pairsPerColumn: number,
): ProposalEstimate {
  if (recordedJudgments(choice) !== null) return NOTHING;
  const { endpoint, prices } = requireEndpoint(choice);
  resolveEndpoint(endpoint, process.env);
  const pairsOfEach = MARGIN * pairsPerColumn;
  const pairs = columns.length * pairsOfEach;
  const calls = Math.ceil(pairs / PAIRS_TOGETHER);
  const template = loadJudgmentPrompt();
  const told = (statements: readonly string[]): number => {
    const asked = statements.map((premise) => ({ premise, hypothesis: premise }));
    return promptLength(renderJudgmentPrompt(asked, template));
  };
  const instructions = told([]);
  const statements = columns.map(({ target: { table }, column }) => {
    const { name = '', type = 'text' } = table.columns[column] ?? {};
    return `${table.name} ${name} (${type}).`;
  });
  const characters = calls * instructions + pairsOfEach * (told(statements) - instructions);
  const estimate = estimateOf(prices, calls, Math.ceil(characters / CHARACTERS_PER_TOKEN), pairs * JUDGMENT_TOKENS);
  const [example] = statements;
  if (example === undefined) return estimate;
  const first = `names are judged by statements such as “${example}”: names and types, and no cell of the database`;
  return { ...estimate, firstPrompts: [first] };
}
