import { ConfigError } from '../../errors.js';
import { packagePath } from '../../package-path.js';
import { sha256Of } from '../../run/sha256.js';
import { loadText } from '../json-file.js';

/** The values that a prompt can hold. */
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
const PLACEHOLDER = /\{([a-z_]+)\}/g;
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

/** The permitted and the required placeholders in a prompt template of one kind. */
interface TemplateRules {
  readonly placeholders: readonly string[];
  /** Placeholders that the user's message must have. */
  readonly required: readonly string[];
  readonly fix: string;
}

/**
 * Reads a text file of a system and a user's message, parted by a line "---".
 * @throws ConfigError when it lacks a required placeholder or names an unknown one
 */
function loadTemplate(file: string, { placeholders, required, fix }: TemplateRules): PromptTemplate {
  const text = loadText(file).replaceAll('\r\n', '\n').trim();
  const unknown = [...text.matchAll(PLACEHOLDER)].find(([, name = '']) => !placeholders.includes(name));
  if (unknown !== undefined) throw new ConfigError(`unknown placeholder ${unknown[0]}`, { where: { file }, fix });
  const [first = '', ...rest] = text.split(/\n---\n/);
  const template = rest.length === 0 ? { system: null, user: first } : { system: first, user: rest.join('\n---\n') };
  const missing = required.find((name) => !template.user.includes(`{${name}}`));
  if (missing === undefined) return template;
  throw new ConfigError(`the user’s message lacks {${missing}}`, { where: { file }, fix });
}

/**
 * Reads a prompt about a question; `further` placeholders are those that not every prompt has a value for.
 * @throws ConfigError when it lacks the question or names an unknown placeholder
 */
export function loadPromptTemplate(file: string, further: readonly (keyof PromptValues)[] = []): PromptTemplate {
  return loadTemplate(file, { placeholders: [...PLACEHOLDERS, ...further], required: ['question'], fix: FIX });
}

const LIST = new Intl.ListFormat('en');

const listed = (placeholders: readonly string[]): string => LIST.format(placeholders.map((name) => `{${name}}`));

/**
 * Loads the prompt in a file, or without one `data/prompts/NAME.txt`, which ships with the package: a changed one gets a
 * new number. The function throws a ConfigError or InputFormatError when the prompt can't be used.
 */
export function shippedPrompt(
  name: string,
  required: readonly string[],
  wanted: readonly string[] = [],
): (file?: string | null) => PromptTemplate {
  const others = wanted.length === 0 ? '' : ` and, where wanted, ${listed(wanted)}`;
  const fix = `A prompt is a text with ${listed(required)}${others}; a line "---" parts the system message from the user’s.`;
  const rules = { placeholders: [...required, ...wanted], required, fix };
  return (file) => loadTemplate(file ?? packagePath(`data/prompts/${name}.txt`), rules);
}

/** Checks whether a prompt has a place for a value. */
export function holdsPlaceholder({ system, user }: PromptTemplate, name: keyof PromptValues | 'columns'): boolean {
  return `${system ?? ''}${user}`.includes(`{${name}}`);
}

/** A prompt with its placeholders filled in; values are not looked at for placeholders. */
export function fillPrompt({ system, user }: PromptTemplate, values: Readonly<Record<string, string>>): PromptTemplate {
  const known = new Map(Object.entries(values));
  const fill = (message: string): string =>
    message.replace(PLACEHOLDER, (whole, name: string) => known.get(name) ?? whole);
  return { system: system === null ? null : fill(system), user: fill(user) };
}

/** The part of a fingerprint that names a prompt. */
export function templateSha256({ system, user }: PromptTemplate): string {
  return sha256Of(JSON.stringify([system, user]));
}
