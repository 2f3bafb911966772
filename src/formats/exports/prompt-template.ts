import { ConfigError } from '../../errors.js';
import { loadText } from '../json-file.js';

/** What a prompt can hold. */
export interface PromptValues {
  /** The tables as CREATE TABLE statements. */
  readonly schema: string;
  readonly question: string;
  /** Name of the SQL dialect, "SQLite". */
  readonly dialect: string;
  /** The question's sub-sentences, a numbered line each; only of those that a victim is asked. */
  readonly segments?: string;
}

const PLACEHOLDERS = ['schema', 'question', 'dialect'] as const satisfies readonly (keyof PromptValues)[];
const FIX = `A template is a text with {question} and, where wanted, {schema} and {dialect}, for victims also {segments}; a line "---" parts the system message from the user's.`;

/** A prompt for a chat model. */
export interface PromptTemplate {
  /** Null = no system message. */
  readonly system: string | null;
  readonly user: string;
}

/** The prompt unless told otherwise. */
export const DEFAULT_TEMPLATE: PromptTemplate = {
  system: 'You translate questions into {dialect} SQL. Answer with one SQL query and nothing else.',
  user: '{schema}\n\n-- {question}',
};

/** The prompt of questions that come with their sub-sentences, unless told otherwise. */
export const SEGMENTS_TEMPLATE: PromptTemplate = {
  system: DEFAULT_TEMPLATE.system,
  user: `${DEFAULT_TEMPLATE.user}\n\n-- The question in parts:\n{segments}`,
};

/**
 * Reads a prompt template from a text file; `further` placeholders are those that not every prompt has a value for.
 * @throws ConfigError when it lacks the question or names an unknown placeholder
 */
export function loadPromptTemplate(file: string, further: readonly (keyof PromptValues)[] = []): PromptTemplate {
  const text = loadText(file).replaceAll('\r\n', '\n').trim();
  const unknown = [...text.matchAll(/\{([a-z_]+)\}/g)].find(
    ([, name]) => ![...PLACEHOLDERS, ...further].some((known) => known === name),
  );
  if (unknown !== undefined) throw new ConfigError(`unknown placeholder ${unknown[0]}`, { where: { file }, fix: FIX });
  const [first = '', ...rest] = text.split(/\n---\n/);
  const template = rest.length === 0 ? { system: null, user: first } : { system: first, user: rest.join('\n---\n') };
  if (!template.user.includes('{question}')) {
    throw new ConfigError('the user’s message lacks {question}', { where: { file }, fix: FIX });
  }
  return template;
}

/** A message with its placeholders filled in; values are not looked at for placeholders. */
export function fillTemplate(message: string, values: PromptValues): string {
  return message.replace(
    /\{(schema|question|dialect|segments)\}/g,
    (whole, name: keyof PromptValues) => values[name] ?? whole,
  );
}
