import { ConfigError } from '../../errors.js';
import type { MetricName } from '../metrics.js';

/** The metrics that a reward may count: those with a verdict on a pair of queries, 1 if it is correct, else 0. */
export const REWARD_PARTS = ['exact', 'execution', 'suite', 'columns'] as const satisfies readonly MetricName[];
export type RewardPart = (typeof REWARD_PARTS)[number];

/** A weight, of a part or by itself. */
interface RewardTerm {
  readonly weight: number;
  readonly part: RewardPart | null;
}

/** A weighted sum of parts. */
export interface RewardFormula {
  readonly terms: readonly RewardTerm[];
  /** The parts that it counts, the first of them first: that one's outcome is the prediction's. */
  readonly parts: readonly [RewardPart, ...RewardPart[]];
}

const TERM = /^\s*([+-]?)\s*(?:(\d+(?:\.\d+)?|\.\d+)(?:\s*\*\s*([a-z]+))?|([a-z]+)(?:\s*\*\s*(\d+(?:\.\d+)?|\.\d+))?)/;

function fault(text: string, message: string): ConfigError {
  return new ConfigError(`option --reward: ${message} in ${JSON.stringify(text)}`, {
    fix: `Write a sum of ${REWARD_PARTS.join(', ')}, each with a weight or without: "suite + 0.1*exact".`,
  });
}

function partNamed(name: string, text: string): RewardPart {
  const part = REWARD_PARTS.find((one) => one === name);
  if (part === undefined) throw fault(text, `there is no part "${name}"`);
  return part;
}

/** Reads `suite + 0.1*exact`. @throws ConfigError where the text is no such sum, or counts no part */
export function parseRewardFormula(text: string): RewardFormula {
  const terms: RewardTerm[] = [];
  let rest = text;
  while (rest.trim() !== '') {
    const match = TERM.exec(rest);
    const [whole = '', sign = '', first, firstName, name = firstName, factor] = match ?? [];
    if (match === null || (terms.length > 0 && sign === ''))
      throw fault(text, `${JSON.stringify(rest)} is not understood`);
    const weight = Number(first ?? factor ?? 1) * (sign === '-' ? -1 : 1);
    terms.push({ weight, part: name === undefined ? null : partNamed(name, text) });
    rest = rest.slice(whole.length);
  }
  const [part, ...others] = new Set(terms.flatMap((term) => term.part ?? []));
  if (part === undefined) throw fault(text, 'no part is counted');
  return { terms, parts: [part, ...others] };
}

/** The reward of a prediction whose correct parts are known. */
export function rewardOf({ terms }: RewardFormula, isCorrect: (part: RewardPart) => boolean): number {
  return terms.reduce((sum, { weight, part }) => sum + (part === null || isCorrect(part) ? weight : 0), 0);
}
