import { asOneText, type ChatPrompt, type ToldPrompt } from '../chat/chat-asker.js';
import {
  fillPrompt,
  holdsPlaceholder,
  type PromptTemplate,
  shippedPrompt,
} from '../formats/exports/prompt-template.js';
import { shownSample } from '../formats/sample-values.js';
import type { TargetColumn } from '../stage.js';
import type { NamesPerCall } from './names-per-call.js';

const LOAD_PROMPT: Readonly<Record<NamesPerCall, (file: string | null) => PromptTemplate>> = {
  column: shippedPrompt('column-names-1', ['columns', 'column'], ['table', 'database']),
  table: shippedPrompt('table-names-1', ['columns'], ['table', 'database']),
};

/**
 * The prompt in a file, or the shipped one.
 * @throws ConfigError or InputFormatError when it can't be used
 */
export function loadProposalPrompt(file: string | null, per: NamesPerCall = 'column'): PromptTemplate {
  return LOAD_PROMPT[per](file);
}

/** A column a line, its type behind it, and, only where they may be sent, its sample values. */
function renderColumns({ table, values }: TargetColumn['target'], sendValues: boolean): string {
  const lines = table.columns.map(({ name, type }, c) => {
    const samples = sendValues ? (values[c] ?? []) : [];
    const shown = samples.length === 0 ? '' : `, such as ${samples.map(shownSample).join(', ')}`;
    return `- ${name} (${type}${shown})`;
  });
  return lines.join('\n');
}

/** Returns the values about a table that a prompt can hold. */
export function tableValues(
  target: TargetColumn['target'],
  sendValues: boolean,
): { readonly database: string; readonly table: string; readonly columns: string } {
  return {
    database: target.dbId.replaceAll('_', ' '),
    table: target.table.name,
    columns: renderColumns(target, sendValues),
  };
}

/**
 * Renders the prompt about a column: names and types of its table, and sample values only if these may be sent.
 * Questions are left out, as they quote values.
 */
export function renderProposalPrompt(
  { target, column }: TargetColumn,
  template: PromptTemplate,
  sendValues: boolean,
): ChatPrompt {
  const values = { ...tableValues(target, sendValues), column: target.table.columns[column]?.name ?? '' };
  return fillPrompt(template, values);
}

/** A prompt about a table in one text, with the cells that {@link tableValues} puts into it. */
export function toldOf(
  { target }: Pick<TargetColumn, 'target'>,
  prompt: ChatPrompt,
  { template, sendValues }: { readonly template: PromptTemplate; readonly sendValues: boolean },
): ToldPrompt {
  const cells =
    sendValues && holdsPlaceholder(template, 'columns')
      ? target.values.slice(0, target.table.columns.length).flat().length
      : 0;
  return { text: asOneText(prompt), cells };
}

/** A table's id where a model is asked about it: "concert_singer/singer". */
export function tableId({ dbId, table }: TargetColumn['target']): string {
  return `${dbId}/${table.originalName}`;
}
