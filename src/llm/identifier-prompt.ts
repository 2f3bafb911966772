import type { ChatPrompt } from '../chat/chat-asker.js';
import type { Dataset } from '../formats/dataset.js';
import {
  fillPrompt,
  loadTemplate,
  type PromptTemplate,
  type TemplateRules,
} from '../formats/exports/prompt-template.js';
import { type IdentifierLine, isReadByReader, tableLinesOf } from '../formats/given-readings.js';
import { packagePath } from '../package-path.js';
import type { Table } from '../schema/schema.js';
import type { TargetTable } from '../stage.js';
import { tableValues } from './proposal-prompt.js';

/** The prompt that ships with the package; a changed one gets a new number. */
const SHIPPED_PROMPT = 'data/prompts/identifiers-1.txt';

const RULES: TemplateRules = {
  placeholders: ['database', 'table', 'tables', 'columns', 'identifiers'],
  required: ['columns', 'identifiers'],
  fix: 'A prompt is a text with {columns} and {identifiers} and, where wanted, {table}, {tables} and {database}; a line "---" parts the system message from the user’s.',
};

/** A table, what our own reader says of it, and what is asked about it. */
export interface AskedTable {
  /** As a model is told of it: by identifiers alone. */
  readonly target: TargetTable;
  /** Of the table, then of its columns. */
  readonly lines: readonly IdentifierLine[];
  /** Identifiers that are no words as they stand and that nobody has read; none where there is nothing to ask. */
  readonly identifiers: readonly string[];
}

/** The identifier that a line is about. */
export const identifierOf = ({ table, column }: IdentifierLine): string => column ?? table;

/** Natural names are our own reading, which a model should not follow. */
function asWritten(table: Table): Table {
  const columns = table.columns.map((column) => ({ ...column, name: column.originalName }));
  return { ...table, name: table.originalName, columns };
}

/** Every table of a data set in its order; cells are only read where they may be sent. */
export function tablesToAsk(
  dataset: Pick<Dataset, 'databases' | 'sampleValues'>,
  sendValues: boolean,
): readonly AskedTable[] {
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

/** @throws ConfigError or InputFormatError when the prompt that ships with the package can't be used */
export function loadIdentifierPrompt(): PromptTemplate {
  return loadTemplate(packagePath(SHIPPED_PROMPT), RULES);
}

/** Renders the prompt about a table: identifiers and types, and sample values only if these may be sent. */
export function renderIdentifierPrompt(
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
