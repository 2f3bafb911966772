import type { ProjectItem } from '../project/project-content.js';

/** The texts of an item that an annotator is shown, as plain text. */
export interface ItemTexts {
  readonly column: string;
  readonly table: string;
  readonly rows: string;
  readonly questions: string;
}

/** Describes an item for tools that show texts. */
export function describeItem({ item, context }: ProjectItem): ItemTexts {
  const names = context.columns.map(({ name }) => name);
  const entity = context.entity === null ? '' : `, about: ${context.entity}`;
  return {
    column: `${item.column} (${item.columnOriginal}, ${item.type})`,
    table: `${item.table} (${item.dbId}.${item.tableOriginal})${entity}`,
    rows: [names, ...context.rows].map((cells) => cells.join(' | ')).join('\n'),
    questions: context.questions.map(({ question, query }) => `${question}\n${query}`).join('\n\n'),
  };
}
