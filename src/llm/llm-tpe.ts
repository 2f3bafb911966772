import { z } from 'zod';
import type { ChatPrompt } from '../chat/chat-asker.js';
import { fillPrompt, type PromptTemplate, shippedPrompt } from '../formats/exports/prompt-template.js';
import { settleAll } from '../run/concurrency.js';
import type { StageContext, TargetTable, TpePredictor } from '../stage.js';
import { readJsonAnswer } from './json-answer.js';
import type { ModelAsker } from './model-asker.js';
import { tableId, tableValues } from './proposal-prompt.js';

/** Characters of an entity. */
const LONGEST_ENTITY = 60;
const answerFormat = z.strictObject({ entity: z.string().trim().toLowerCase().min(1).max(LONGEST_ENTITY) });

/** The entity of an answer `{"entity": "student"}`; null where it is another answer. */
export function readEntity(answer: string): string | null {
  return answerFormat.safeParse(readJsonAnswer(answer)).data?.entity ?? null;
}

export const loadEntityPrompt = shippedPrompt('primary-entity-1', ['columns'], ['table', 'database']);

/** Renders the prompt about a table: names and types of its columns, and sample values only if these may be sent. */
export function renderEntityPrompt(target: TargetTable, template: PromptTemplate, sendValues: boolean): ChatPrompt {
  return fillPrompt(template, tableValues(target, sendValues));
}

const ENTITIES = { items: 'tables', lacking: 'primary entity by the model', read: readEntity } as const;

/** Primary entity by a language model, one call for a table; where its answer is none, by another predictor. */
export class LlmTpe implements TpePredictor {
  readonly id = 'llm';
  readonly fingerprint: string;
  readonly #asker: ModelAsker;
  readonly #template: PromptTemplate;
  readonly #sendValues: boolean;
  readonly #otherwise: TpePredictor;
  readonly #known = new Map<string, Promise<string>>();

  /** @throws ConfigError or InputFormatError when the prompt can't be used */
  constructor(
    { entityPrompt, sendValues }: { readonly entityPrompt?: string | null; readonly sendValues: boolean },
    asker: ModelAsker,
    otherwise: TpePredictor,
  ) {
    this.#asker = asker;
    this.#template = loadEntityPrompt(entityPrompt ?? null);
    this.#sendValues = sendValues;
    this.#otherwise = otherwise;
    this.fingerprint = `llm-tpe-1:${asker.fingerprint(this.#template)},values=${sendValues}:${otherwise.fingerprint}`;
  }

  /** @throws EndpointError or ConfigError when the model can't be asked; then no call is under way any more */
  async predict(targets: readonly TargetTable[], context: StageContext): Promise<readonly string[]> {
    return settleAll(targets.map((target) => this.#predictOne(target, context)));
  }

  /** A table is asked about once, whoever wants to know. */
  #predictOne(target: TargetTable, context: StageContext): Promise<string> {
    const id = tableId(target);
    const known = this.#known.get(id) ?? this.#ask(target, id, context);
    this.#known.set(id, known);
    return known;
  }

  async #ask(target: TargetTable, id: string, context: StageContext): Promise<string> {
    const prompt = renderEntityPrompt(target, this.#template, this.#sendValues);
    const entity = await this.#asker.ask(prompt, id, ENTITIES, context);
    if (entity !== null) return entity;
    const [other = target.table.name] = await this.#otherwise.predict([target], context);
    return other;
  }
}
