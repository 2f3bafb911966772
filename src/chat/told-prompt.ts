import type { ChatPrompt } from './chat-asker.js';

/** A prompt for a model outside this process. */
export interface ToldPrompt {
  readonly text: string;
  /** Cells of the database in it; what the words of a question quote is not counted. */
  readonly cells: number;
}

/** A prompt in one text. */
export function asOneText({ system, user }: ChatPrompt): string {
  return system === null ? user : `${system}\n\n${user}`;
}

/** A prompt in lines for people; `of`: what is asked about; `sendsValues`: null where that is no choice. */
export function describePrompt(
  of: string,
  { text, cells }: ToldPrompt,
  sendsValues: boolean | null,
): readonly string[] {
  const count = cells === 0 ? 'no cell' : `${cells} ${cells === 1 ? 'cell' : 'cells'}`;
  const more = sendsValues === false ? ' (--send-values adds sample values)' : '';
  return [
    `the first prompt, ${of}, has ${count} of the database${more}:`,
    ...text.split('\n').map((line) => `  ${line}`.trimEnd()),
  ];
}
