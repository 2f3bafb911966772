import type { EndpointSettings } from '../chat/chat-endpoint.js';
import type { PromptTemplate } from '../formats/exports/prompt-template.js';
import type { StageContext, TargetColumn } from '../stage.js';
import type { ModelAsker } from './model-asker.js';
import { columnId, type NameProposer, type ProposedNames, readProposedNames } from './proposed-names.js';
import { loadProposalPrompt, renderProposalPrompt } from './proposal-prompt.js';

/** The model that is asked, and what it is told. */
export interface EndpointProposerSettings {
  readonly endpoint: EndpointSettings;
  /** File of the prompt for names; null = the shipped one. */
  readonly prompt: string | null;
  /** File of the prompt for primary entities; null or left out = the shipped one. */
  readonly entityPrompt?: string | null;
  /** Whether sample cell values may be sent. */
  readonly sendValues: boolean;
  /** Of a million tokens, for estimates; null = not known. */
  readonly prices: { readonly prompt: number; readonly answer: number } | null;
}

const NAMES = { items: 'columns', lacking: 'proposals', read: readProposedNames } as const;

/** Asks a chat model for names, one call for a column. */
export class EndpointProposer implements NameProposer {
  readonly fingerprint: string;
  readonly #asker: ModelAsker;
  readonly #template: PromptTemplate;
  readonly #sendValues: boolean;

  /** @throws ConfigError or InputFormatError when the prompt can't be used */
  constructor({ prompt, sendValues }: Pick<EndpointProposerSettings, 'prompt' | 'sendValues'>, asker: ModelAsker) {
    this.#template = loadProposalPrompt(prompt);
    this.#sendValues = sendValues;
    this.#asker = asker;
    this.fingerprint = `${asker.fingerprint(this.#template)},values=${sendValues}`;
  }

  propose(column: TargetColumn, context: StageContext): Promise<ProposedNames | null> {
    const prompt = renderProposalPrompt(column, this.#template, this.#sendValues);
    return this.#asker.ask(prompt, columnId(column), NAMES, context);
  }

  describe(): string {
    return this.#asker.describe();
  }
}
