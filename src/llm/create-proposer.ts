import { CHARACTERS_PER_TOKEN } from '../chat/chat-asker.js';
import { resolveEndpoint } from '../chat/chat-endpoint.js';
import { ConfigError } from '../errors.js';
import type { TargetColumn } from '../stage.js';
import type { EndpointProposerSettings } from './endpoint-proposer.js';
import { loadProposalPrompt, renderProposalPrompt } from './proposal-prompt.js';
import type { NameProposer } from './proposed-names.js';

/** Who proposes names for recipes that ask a language model. */
export type ProposerChoice =
  | ({ readonly kind: 'endpoint' } & EndpointProposerSettings)
  /** File of recorded proposals. */
  | { readonly kind: 'recorded'; readonly file: string };

/**
 * Opens what was chosen.
 * @throws ConfigError or InputFormatError when nothing was, or it can't be used
 */
export async function createProposer(choice: ProposerChoice | null): Promise<NameProposer> {
  if (choice === null) throw nobodyToAsk();
  if (choice.kind === 'recorded') {
    const { RecordedProposer } = await import('./recorded-proposer.js');
    return new RecordedProposer(choice.file);
  }
  const { EndpointProposer } = await import('./endpoint-proposer.js');
  return new EndpointProposer(choice, process.env);
}

function nobodyToAsk(): ConfigError {
  return new ConfigError('the recipe asks a language model, and none is named', {
    fix: 'Give --base-url and --model of an OpenAI-compatible endpoint, or recorded proposals with --replay.',
  });
}

/** What proposals for some columns cost at most, with an empty cache; recorded ones cost nothing. */
export interface ProposalEstimate {
  readonly calls: number;
  readonly promptTokens: number;
  readonly answerTokens: number;
  /** In the currency of the prices; null where there are none. */
  readonly price: number | null;
}

/** Of an answer with twenty names, on average (bench/sources). */
const ANSWER_TOKENS = 110;
const MILLION = 1e6;

/**
 * Estimates before anything is asked or opened, and checks what would be refused then.
 * @throws ConfigError or InputFormatError when nothing was chosen, or a setting, the key's variable or the prompt is wrong
 */
export function estimateProposals(choice: ProposerChoice | null, columns: readonly TargetColumn[]): ProposalEstimate {
  if (choice === null) throw nobodyToAsk();
  if (choice.kind === 'recorded') return { calls: 0, promptTokens: 0, answerTokens: 0, price: null };
  resolveEndpoint(choice.endpoint, process.env);
  const template = loadProposalPrompt(choice.prompt);
  const characters = columns.reduce((sum, column) => {
    const { system, user } = renderProposalPrompt(column, template, choice.sendValues);
    return sum + (system?.length ?? 0) + user.length;
  }, 0);
  const promptTokens = Math.ceil(characters / CHARACTERS_PER_TOKEN);
  const answerTokens = columns.length * ANSWER_TOKENS;
  const { prices } = choice;
  const price = prices === null ? null : (promptTokens * prices.prompt + answerTokens * prices.answer) / MILLION;
  return { calls: columns.length, promptTokens, answerTokens, price };
}
