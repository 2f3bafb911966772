import { formatCount } from '../counts.js';
import type { ChatPrompt } from '../chat/chat-asker.js';
import type { Dataset } from '../formats/dataset.js';
import { fillPrompt, type PromptTemplate, shippedPrompt } from '../formats/exports/prompt-template.js';
import { type IdentifierLine, isReadByReader, tableLinesOf } from '../formats/given-readings.js';
import { BY_MODEL, type Table } from '../schema/schema.js';
import type { StageContext, TargetTable } from '../stage.js';
import { tableId, tableValues } from './proposal-prompt.js';
import { z } from 'zod';
import { resolveEndpoint } from '../chat/chat-endpoint.js';
import { identifierReader } from '../formats/identifier-reading.js';
import { settleAll } from '../run/concurrency.js';
import { identifierParts } from '../schema/identifiers/identifier-parts.js';
import { identifierKey, spacedName } from '../schema/name-identity.js';
import { describeFirst, type EndpointChoice, estimateCalls, type ProposalEstimate } from './create-proposer.js';
import { readJsonAnswer } from './json-answer.js';
import { ModelAsker } from './model-asker.js';
import { LONGEST_NAME } from './proposed-names.js';

/** A table, what our own reader says of it, and what is asked about it. */
interface AskedTable {
  /** As a model is told of it: by identifiers alone. */
  readonly target: TargetTable;
  /** Of the table, then of its columns. */
  readonly lines: readonly IdentifierLine[];
  /** Identifiers that are no words as they stand and that nobody has read; none where there is nothing to ask. */
  readonly identifiers: readonly string[];
}

/** The identifier that a line is about. */
const identifierOf = ({ table, column }: IdentifierLine): string => column ?? table;

/** Natural names are our own reading, which a model should not follow. */
function asWritten(table: Table): Table {
  const columns = table.columns.map((column) => ({ ...column, name: column.originalName }));
  return { ...table, name: table.originalName, columns };
}

/** Every table of a data set in its order; cells are only read where they may be sent. */
function tablesToAsk(dataset: Pick<Dataset, 'databases' | 'sampleValues'>, sendValues: boolean): readonly AskedTable[] {
  return [...dataset.databases.values()].flatMap((database) => {
    const samples = sendValues ? dataset.sampleValues(database) : [];
    return database.tables.map((table, t): AskedTable => {
      const lines = tableLinesOf(database.id, table);
      const siblings = database.tables.filter((other) => other !== table);
      return {
        target: { dbId: database.id, table: asWritten(table), questions: [], values: samples[t] ?? [], siblings },
        lines,
        identifiers: [...new Set(lines.filter(isReadByReader).map(identifierOf))],
      };
    });
  });
}

const loadIdentifierPrompt = shippedPrompt(
  'identifiers-1',
  ['columns', 'identifiers'],
  ['table', 'tables', 'database'],
);

/** Renders the prompt about a table: identifiers and types, and sample values only if these may be sent. */
function renderIdentifierPrompt(
  { target, identifiers }: AskedTable,
  template: PromptTemplate,
  sendValues: boolean,
): ChatPrompt {
  const others = (target.siblings ?? []).map(({ originalName }) => originalName);
  return fillPrompt(template, {
    ...tableValues(target, sendValues),
    database: target.dbId,
    tables: others.length === 0 ? 'none' : others.join(', '),
    identifiers: JSON.stringify(identifiers),
  });
}

/** The model that is asked what identifiers say. */
export type ReadingsChoice = Pick<EndpointChoice, 'endpoint' | 'sendValues' | 'prices'>;

const answerFormat = z.record(z.string(), z.unknown());

type Answer = ReadonlyMap<string, unknown>;

/** The readings of an answer `{"dur_min": "duration minutes"}`, whatever they are; null where it is no object. */
function readAnswer(answer: string): Answer | null {
  const { data } = answerFormat.safeParse(readJsonAnswer(answer));
  if (data === undefined) return null;
  const entries = Object.entries(data);
  return new Map([...entries.map(([identifier, said]) => [identifierKey(identifier), said] as const), ...entries]);
}

const READINGS = { items: 'tables of identifiers', lacking: 'readings by the model', read: readAnswer } as const;

const WORD = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]*$/u;

/** The words of a reading; null where it is none: signs, nothing, or letters of the identifier that are no word. */
function wordsIn(said: unknown, identifier: string): string | null {
  const name = typeof said === 'string' ? spacedName(said) : '';
  if (name.length > LONGEST_NAME || !name.split(' ').every((word) => WORD.test(word))) return null;
  const own = new Set(identifierParts(identifier).map(({ text }) => text));
  const runs = name.match(/\p{L}+/gu) ?? [];
  return runs.length > 0 && runs.every((run) => !own.has(run) || identifierReader().isWord(run)) ? name : null;
}

/** Of a reading that is not our own reader's: nobody has measured how often the model that is asked is right. */
const UNMEASURED = 0.5;

function lineBy(said: string, line: IdentifierLine): IdentifierLine {
  const isAgreed = said === spacedName(line.reading);
  return { ...line, reading: said, confidence: isAgreed ? line.confidence : UNMEASURED, evidence: BY_MODEL };
}

/** Of `"appt_dt": "appointment date",`. */
const READING_TOKENS = 14;

/**
 * Returns the maximum cost of asking about the identifiers of a data set, with an empty cache.
 * @throws ConfigError when a setting or the key's variable is wrong
 */
export function estimateReadings(
  { endpoint, sendValues, prices }: ReadingsChoice,
  dataset: Pick<Dataset, 'databases' | 'sampleValues'>,
): ProposalEstimate {
  resolveEndpoint(endpoint, process.env);
  const template = loadIdentifierPrompt();
  const asked = tablesToAsk(dataset, sendValues).filter(({ identifiers }) => identifiers.length > 0);
  const prompts = asked.map((table) => renderIdentifierPrompt(table, template, sendValues));
  const answered = asked.reduce((sum, { identifiers }) => sum + identifiers.length, 0);
  const firstPrompts = describeFirst('for what identifiers say', asked, prompts, { template, sendValues });
  return { ...estimateCalls(prices, prompts, answered * READING_TOKENS), firstPrompts };
}

/**
 * Readings of identifiers by a language model, one call for a table. They replace those that our own reader has to make
 * out, not names that people gave; without anything of use from the model, our reader's stand.
 */
export class ModelReadings {
  readonly #asker: ModelAsker;
  readonly #template: PromptTemplate;
  readonly #sendValues: boolean;
  readonly #counts = { read: 0, lacking: 0, wordless: 0 };

  /** @throws ConfigError or InputFormatError when a setting, the key's variable, the prompt or the cache is wrong */
  constructor({ endpoint, sendValues }: ReadingsChoice, environment: NodeJS.ProcessEnv = process.env) {
    this.#template = loadIdentifierPrompt();
    this.#sendValues = sendValues;
    this.#asker = new ModelAsker(endpoint, environment);
  }

  /**
   * Returns the reading of each identifier: each table, then its columns.
   * @throws EndpointError or ConfigError when the model can't be asked; then no call is under way any more
   */
  async read(
    dataset: Pick<Dataset, 'databases' | 'sampleValues'>,
    context: StageContext,
  ): Promise<readonly IdentifierLine[]> {
    const tables = tablesToAsk(dataset, this.#sendValues);
    return (await settleAll(tables.map((table) => this.#readTable(table, context)))).flat();
  }

  /** Describes the requests so far, their cost and the number of readings, in lines for people. */
  describe(): readonly string[] {
    const { read, lacking, wordless } = this.#counts;
    const kept = `${lacking + wordless} keep our own reader’s reading (${lacking} not in the answers, ${wordless} whose reading is no words)`;
    const asked = read + lacking + wordless;
    return [
      this.#asker.describe(),
      `${formatCount(asked)} identifiers asked about: ${formatCount(read)} read by the model, ${kept}`,
    ];
  }

  dispose(): Promise<void> {
    return this.#asker.dispose();
  }

  async #readTable(table: AskedTable, context: StageContext): Promise<readonly IdentifierLine[]> {
    if (table.identifiers.length === 0) return table.lines;
    const prompt = renderIdentifierPrompt(table, this.#template, this.#sendValues);
    const answer = await this.#asker.ask(prompt, tableId(table.target), READINGS, context);
    return table.lines.map((line) => (isReadByReader(line) ? this.#lineFor(line, answer ?? new Map()) : line));
  }

  #lineFor(line: IdentifierLine, answer: Answer): IdentifierLine {
    const identifier = identifierOf(line);
    const said = answer.get(identifier) ?? answer.get(identifierKey(identifier));
    const words = wordsIn(said, identifier);
    this.#counts[words !== null ? 'read' : said === undefined ? 'lacking' : 'wordless']++;
    return words === null ? line : lineBy(words, line);
  }
}
