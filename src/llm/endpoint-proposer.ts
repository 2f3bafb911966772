import type { ChatPrompt } from '../chat/chat-asker.js';
import type { EndpointSettings } from '../chat/chat-endpoint.js';
import type { PromptTemplate } from '../formats/exports/prompt-template.js';
import type { StageContext, TargetColumn } from '../stage.js';
import type { ModelAsker } from './model-asker.js';
import type { NamesPerCall } from './names-per-call.js';
import { loadProposalPrompt, renderProposalPrompt, tableId } from './proposal-prompt.js';
import {
  columnId,
  type NameProposer,
  type ProposedNames,
  readProposedNames,
  readTableNames,
} from './proposed-names.js';

/** The model that is asked, and what it is told. */
export interface EndpointProposerSettings {
  readonly endpoint: EndpointSettings;
  /** File of the prompt for names; null = the shipped one. */
  readonly prompt: string | null;
  /** True if one call asks for a column's names, or for those of all columns of its table; left out = a column's. */
  readonly namesPerCall?: NamesPerCall;
  /** File of the prompt for primary entities; null or left out = the shipped one. */
  readonly entityPrompt?: string | null;
  /** True if sample cell values may be sent. */
  readonly sendValues: boolean;
  /** Of a million tokens, for estimates; null = not known. */
  readonly prices: { readonly prompt: number; readonly answer: number } | null;
}

const NAMES = { items: 'columns', lacking: 'proposals', read: readProposedNames } as const;
const TABLE_NAMES = { items: 'tables for names', lacking: 'proposals', read: readTableNames } as const;

/** Asks a chat model for names, one call for a column or for a table. */
export class EndpointProposer implements NameProposer {
  readonly fingerprint: string;
  readonly #asker: ModelAsker;
  readonly #template: PromptTemplate;
  readonly #sendValues: boolean;
  readonly #per: NamesPerCall;
  /** Answers about tables, by table. */
  readonly #ofTable = new Map<string, Promise<ReadonlyMap<string, ProposedNames> | null>>();

  /** @throws ConfigError or InputFormatError when the prompt can't be used */
  constructor(
    { prompt, sendValues, namesPerCall = 'column' }: Omit<EndpointProposerSettings, 'endpoint' | 'prices'>,
    asker: ModelAsker,
  ) {
    this.#template = loadProposalPrompt(prompt, namesPerCall);
    this.#sendValues = sendValues;
    this.#per = namesPerCall;
    this.#asker = asker;
    // What asks for columns is fingerprinted as before there was a choice: its runs go on.
    const per = namesPerCall === 'column' ? '' : `,per=${namesPerCall}`;
    this.fingerprint = `${asker.fingerprint(this.#template)},values=${sendValues}${per}`;
  }

  propose(column: TargetColumn, context: StageContext): Promise<ProposedNames | null> {
    if (this.#per === 'table') return this.#proposeByTable(column, context);
    return this.#asker.ask(this.#promptFor(column), columnId(column), NAMES, context);
  }

  describe(): string {
    return this.#asker.describe();
  }

  /** The column's part of what the model says of its table, which is asked about once. */
  async #proposeByTable(column: TargetColumn, context: StageContext): Promise<ProposedNames | null> {
    const id = tableId(column.target);
    const asked = this.#ofTable.get(id) ?? this.#asker.ask(this.#promptFor(column), id, TABLE_NAMES, context);
    this.#ofTable.set(id, asked);
    const names = await asked;
    const own = names?.get(column.target.table.columns[column.column]?.name.toLowerCase() ?? '') ?? null;
    if (names !== null && own === null) {
      const message = `${columnId(column)} has no proposals: the answer about its table lacks it`;
      context.emit({ kind: 'warning', message });
    }
    return own;
  }

  #promptFor(column: TargetColumn): ChatPrompt {
    return renderProposalPrompt(column, this.#template, this.#sendValues);
  }
}
