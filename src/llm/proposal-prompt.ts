import { asOneText, type ChatPrompt, type ToldPrompt } from '../chat/chat-asker.js';
import {
  fillPrompt,
  loadTemplate,
  type PromptTemplate,
  type TemplateRules,
} from '../formats/exports/prompt-template.js';
import { shownSample } from '../formats/sample-values.js';
import { packagePath } from '../package-path.js';
import type { TargetColumn } from '../stage.js';
import type { NamesPerCall } from './names-per-call.js';

/** The prompts that ship with the package; a changed one gets a new number. */
const SHIPPED_PROMPTS: Readonly<Record<NamesPerCall, string>> = {
  column: 'data/prompts/column-names-1.txt',
  table: 'data/prompts/table-names-1.txt',
};

const RULES: Readonly<Record<NamesPerCall, TemplateRules>> = {
  column: {
    placeholders: ['database', 'table', 'columns', 'column'],
    required: ['columns', 'column'],
    fix: 'A prompt is a text with {columns} and {column} and, where wanted, {table} and {database}; a line "---" parts the system message from the user’s.',
  },
  table: {
    placeholders: ['database', 'table', 'columns'],
    required: ['columns'],
    fix: 'A prompt for whole tables is a text with {columns} and, where wanted, {table} and {database}; a line "---" parts the system message from the user’s.',
  },
};

/**
 * The prompt in a file, or the shipped one.
 * @throws ConfigError or InputFormatError when it can't be used
 */
export function loadProposalPrompt(file: string | null, per: NamesPerCall = 'column'): PromptTemplate {
  return loadTemplate(file ?? packagePath(SHIPPED_PROMPTS[per]), RULES[per]);
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
  const shows = `${template.system ?? ''}${template.user}`.includes('{columns}');
  const cells = sendValues && shows ? target.values.slice(0, target.table.columns.length).flat().length : 0;
  return { text: asOneText(prompt), cells };
}

/** A table's id where a model is asked about it: "concert_singer/singer". */
export function tableId({ dbId, table }: TargetColumn['target']): string {
  return `${dbId}/${table.originalName}`;
}
