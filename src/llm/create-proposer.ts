import { countNoun, formatCount } from '../counts.js';
import { CHARACTERS_PER_TOKEN, type ChatPrompt, describePrompt, promptLength } from '../chat/chat-asker.js';
import type { PromptTemplate } from '../formats/exports/prompt-template.js';
import { resolveEndpoint } from '../chat/chat-endpoint.js';
import { ConfigError } from '../errors.js';
import type { TargetColumn, TargetTable } from '../stage.js';
import type { EndpointProposerSettings } from './endpoint-proposer.js';
import { loadEntityPrompt, renderEntityPrompt } from './llm-tpe.js';
import type { ModelAsker } from './model-asker.js';
import { loadProposalPrompt, renderProposalPrompt, tableId, toldOf } from './proposal-prompt.js';
import type { NameProposer } from './proposed-names.js';

/** Who proposes names for recipes that ask a language model. */
export type ProposerChoice =
  | ({ readonly kind: 'endpoint' } & EndpointProposerSettings)
  /** Files of recorded proposals and of recorded judgments; null where none are needed. */
  | { readonly kind: 'recorded'; readonly file: string | null; readonly judgments?: string | null };

/** An endpoint that can be asked. */
export type EndpointChoice = Extract<ProposerChoice, { readonly kind: 'endpoint' }>;

/**
 * Opens what was chosen; `openAsker` starts asking an endpoint.
 * @throws ConfigError or InputFormatError when nothing was, or it can't be used
 */
export async function createProposer(
  choice: ProposerChoice | null,
  openAsker: () => ModelAsker,
): Promise<NameProposer> {
  if (choice === null) throw nobodyToAsk();
  if (choice.kind === 'recorded') {
    const { RecordedProposer } = await import('./recorded-proposer.js');
    return new RecordedProposer(recordedProposals(choice));
  }
  const { EndpointProposer } = await import('./endpoint-proposer.js');
  return new EndpointProposer(choice, openAsker());
}

function recordedProposals({ file }: Extract<ProposerChoice, { readonly kind: 'recorded' }>): string {
  if (file !== null) return file;
  throw new ConfigError('recorded judgments propose no names', {
    fix: 'Give recorded proposals, too (--replay), or ask an endpoint for both.',
  });
}

/** The endpoint that was chosen. @throws ConfigError where none was */
export function requireEndpoint(choice: ProposerChoice | null): EndpointChoice {
  if (choice === null) throw nobodyToAsk();
  if (choice.kind === 'endpoint') return choice;
  throw new ConfigError('recorded proposals say nothing of primary entities', {
    fix: 'Leave --replay and --replay-judgments out and give --base-url and --model, or leave tpe.id=llm out.',
  });
}

function nobodyToAsk(): ConfigError {
  return new ConfigError('a language model is to be asked, and none is named', {
    fix: 'Give --base-url and --model of an OpenAI-compatible endpoint, or what one has answered with --replay or --replay-judgments; a command without these options can’t take nli.id=llm or tpe.id=llm.',
  });
}

/** The maximum cost of asking, with an empty cache; recorded answers cost nothing. */
export interface ProposalEstimate {
  readonly calls: number;
  readonly promptTokens: number;
  readonly answerTokens: number;
  /** In the currency of the prices; null where there are none. */
  readonly price: number | null;
  /** The first prompt of each kind that is known before anything is asked, in lines for people. */
  readonly firstPrompts?: readonly string[];
}

/** Of an answer with twenty names, on average (bench/sources). */
const NAMES_TOKENS = 110;
/** Of `{"entity": "student"}`. */
const ENTITY_TOKENS = 10;
const MILLION = 1e6;

/** Of recorded answers. */
export const NOTHING: ProposalEstimate = { calls: 0, promptTokens: 0, answerTokens: 0, price: null };

/** Returns the cost of so many calls whose prompts and answers have so many tokens in all. */
export function estimateOf(
  prices: EndpointChoice['prices'],
  calls: number,
  promptTokens: number,
  answerTokens: number,
): ProposalEstimate {
  const price = prices === null ? null : (promptTokens * prices.prompt + answerTokens * prices.answer) / MILLION;
  return { calls, promptTokens, answerTokens, price };
}

/** Returns the maximum cost of asking so many prompts whose answers have so many tokens in all. */
export function estimateCalls(
  prices: EndpointChoice['prices'],
  prompts: readonly ChatPrompt[],
  answerTokens: number,
): ProposalEstimate {
  const characters = prompts.reduce((sum, prompt) => sum + promptLength(prompt), 0);
  return estimateOf(prices, prompts.length, Math.ceil(characters / CHARACTERS_PER_TOKEN), answerTokens);
}

/** For people. */
export function describeEstimate({ calls, promptTokens, answerTokens, price }: ProposalEstimate): string {
  const cost = price === null ? '' : `, at a price of about ${price.toPrecision(2)}`;
  return `the language model is asked ${countNoun(calls, 'time')} at most, about ${formatCount(promptTokens)} tokens of prompts and ${formatCount(answerTokens)} of answers${cost}`;
}

/**
 * Estimates what proposals for some columns cost before anything is asked or opened, and checks what would be refused
 * then.
 * @throws ConfigError or InputFormatError when nothing was chosen, or a setting, the key's variable or the prompt is
 * wrong
 */
export function estimateProposals(choice: ProposerChoice | null, columns: readonly TargetColumn[]): ProposalEstimate {
  if (choice === null) throw nobodyToAsk();
  if (choice.kind === 'recorded') {
    recordedProposals(choice);
    return NOTHING;
  }
  const { endpoint, prompt, namesPerCall = 'column', sendValues, prices } = choice;
  resolveEndpoint(endpoint, process.env);
  const template = loadProposalPrompt(prompt, namesPerCall);
  const ofTables = [...new Map(columns.map((column) => [tableId(column.target), column])).values()];
  const asked = namesPerCall === 'table' ? ofTables : columns;
  const prompts = asked.map((column) => renderProposalPrompt(column, template, sendValues));
  // An answer about a table has all of its columns, those too that are not perturbed.
  const named = ofTables.reduce((sum, { target }) => sum + target.table.columns.length, 0);
  const answered = namesPerCall === 'table' ? named : columns.length;
  const of = namesPerCall === 'table' ? 'for the names of a table' : 'for the names of a column';
  const firstPrompts = describeFirst(of, asked, prompts, { template, sendValues });
  return { ...estimateCalls(prices, prompts, answered * NAMES_TOKENS), firstPrompts };
}

/** The first of some prompts about tables, in lines for people; `of`: what it asks for. */
export function describeFirst(
  of: string,
  [about]: readonly Pick<TargetColumn, 'target'>[],
  [prompt]: readonly ChatPrompt[],
  how: { readonly template: PromptTemplate; readonly sendValues: boolean },
): readonly string[] {
  if (about === undefined || prompt === undefined) return [];
  return describePrompt(of, toldOf(about, prompt, how), how.sendValues);
}

/**
 * As {@link estimateProposals}, of the primary entities of tables. @throws as that, and ConfigError for recorded
 * proposals
 */
export function estimateEntities(choice: ProposerChoice | null, tables: readonly TargetTable[]): ProposalEstimate {
  const { endpoint, entityPrompt, sendValues, prices } = requireEndpoint(choice);
  resolveEndpoint(endpoint, process.env);
  const template = loadEntityPrompt(entityPrompt ?? null);
  const prompts = tables.map((table) => renderEntityPrompt(table, template, sendValues));
  const about = tables.map((target) => ({ target }));
  const firstPrompts = describeFirst('for what a row is', about, prompts, { template, sendValues });
  return { ...estimateCalls(prices, prompts, prompts.length * ENTITY_TOKENS), firstPrompts };
}

/** Several estimates together. */
export function addEstimates(a: ProposalEstimate, b: ProposalEstimate): ProposalEstimate {
  return {
    calls: a.calls + b.calls,
    promptTokens: a.promptTokens + b.promptTokens,
    answerTokens: a.answerTokens + b.answerTokens,
    price: a.price === null && b.price === null ? null : (a.price ?? 0) + (b.price ?? 0),
    firstPrompts: [...(a.firstPrompts ?? []), ...(b.firstPrompts ?? [])],
  };
}
