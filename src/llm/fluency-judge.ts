import { z } from 'zod';
import { CHARACTERS_PER_TOKEN, promptLength } from '../chat/chat-asker.js';
import { type EndpointSettings, resolveEndpoint } from '../chat/chat-endpoint.js';
import { fillPrompt, type PromptTemplate, shippedPrompt } from '../formats/exports/prompt-template.js';
import type { StageContext } from '../stage.js';
import { estimateOf, type EndpointChoice, type ProposalEstimate } from './create-proposer.js';
import { readJsonAnswer } from './json-answer.js';
import { ModelAsker } from './model-asker.js';

const loadPrompt = shippedPrompt('fluency-1', ['question']);

const answerFormat = z.strictObject({ fluent: z.boolean() });

/** Reads an answer `{"fluent": true}`; null if it is another answer. */
function readFluency(answer: string): boolean | null {
  return answerFormat.safeParse(readJsonAnswer(answer)).data?.fluent ?? null;
}

/** The model that is asked whether questions read as people ask. */
export interface FluencyChoice extends Pick<EndpointChoice, 'prices'> {
  readonly endpoint: EndpointSettings;
  /** File of the prompt; null = the shipped one. */
  readonly prompt: string | null;
}

/** Of `{"fluent": false}`. */
const ANSWER_TOKENS = 8;

const QUESTIONS = { items: 'questions', lacking: 'judgment of its fluency', read: readFluency } as const;

/** Asks a language model whether a person would ask a question so, one call for each wording. */
export class FluencyJudge {
  readonly fingerprint: string;
  readonly #asker: ModelAsker;
  readonly #template: PromptTemplate;

  /** @throws ConfigError or InputFormatError when a setting, the key's variable, the prompt or the cache is wrong */
  constructor({ endpoint, prompt }: FluencyChoice, environment: NodeJS.ProcessEnv = process.env) {
    this.#template = loadPrompt(prompt);
    this.#asker = new ModelAsker(endpoint, environment);
    this.fingerprint = `llm-fluency-1:${this.#asker.fingerprint(this.#template)}`;
  }

  /**
   * Checks whether it reads as people ask; true where there is no usable answer, of which a warning tells.
   * @throws EndpointError or ConfigError when there will be none for others either
   */
  async isFluent(id: string, question: string, context: StageContext): Promise<boolean> {
    return (await this.#asker.ask(fillPrompt(this.#template, { question }), id, QUESTIONS, context)) ?? true;
  }

  /** Describes the requests so far and their cost, in one line. */
  describe(): string {
    return this.#asker.describe();
  }

  dispose(): Promise<void> {
    return this.#asker.dispose();
  }
}

/**
 * Returns the maximum cost of asking about so many questions of so many characters, with an empty cache.
 * @throws as the constructor of {@link FluencyJudge}
 */
export function estimateFluency(
  { endpoint, prompt, prices }: FluencyChoice,
  questions: number,
  characters: number,
): ProposalEstimate {
  resolveEndpoint(endpoint, process.env);
  const ofEach = promptLength(fillPrompt(loadPrompt(prompt), { question: '' })) + characters;
  const promptTokens = Math.ceil((questions * ofEach) / CHARACTERS_PER_TOKEN);
  return estimateOf(prices, questions, promptTokens, questions * ANSWER_TOKENS);
}
