import { availableParallelism } from 'node:os';
import { z } from 'zod';

/** Seconds of the longest time limit: a day. A timer of Node holds 24 of them, and goes off at once with more. */
export const MOST_SECONDS = 86_400;

/** Checks whether so many milliseconds can be the time limit of an answer or a query. */
export function isTimeLimit(ms: number): boolean {
  return ms > 0 && ms <= MOST_SECONDS * 1000;
}

/** A word of a shell command; quoted where a shell would read more into it. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** The requirement of a value, and an example: the error that refuses another value gives both. */
interface Expectation {
  /** "a whole number above 0" */
  readonly what: string;
  readonly example: string;
}

/** Headings that help and docs list options under, in their order; what has none comes first. */
const OPTION_GROUPS = ['Data', 'Candidates', 'Model', 'Endpoint', 'Scoring', 'Output', 'Advanced'] as const;
type OptionGroup = (typeof OPTION_GROUPS)[number];

/** The facts about an option that its zod field can't hold. */
export interface OptionMeta {
  readonly description: string;
  /** The value's name in help, `--out <dir>`; values named in `PATH_VALUES` are completed as file names. */
  readonly value?: string;
  /** Flag of an earlier version: read, and shown nowhere. */
  readonly alias?: string;
  readonly expected?: Expectation;
  /** Fix where a required option is missing. */
  readonly missing?: string;
  /** Character between the items of a list that is given at once. */
  readonly separator?: ',';
  /** True where only a flag gives it: a file that holds for all commands must not. */
  readonly flagOnly?: boolean;
  /** The value that the flag means when given without one, which it then may be. */
  readonly bare?: string;
  /** Heading that it is listed under; advanced ones are shown by `--help-all` alone. */
  readonly group?: OptionGroup;
}

type More = Partial<OptionMeta>;

const META = z.registry<OptionMeta>();

/** A field that is an option: what zod knows of it, and the rest. `type` must not be shared with another option. */
export function described<S extends z.ZodType>(type: S, meta: OptionMeta): S {
  META.add(type, meta);
  return type;
}

/** Any text. */
export const text = (value: string, description: string, more: More = {}) =>
  described(z.string().min(1), { value, description, ...more });

/** Any text; null unless it is given. */
export const optionalText = (value: string, description: string, more: More = {}) =>
  text(value, description, more).nullable().default(null);

/** `--name`, false unless it is given. */
export const flag = (description: string, more: More = {}) =>
  described(z.boolean(), { description, ...more }).default(false);

/** `--no-name`, true unless it is given. */
export const unlessOff = (description: string) => described(z.boolean(), { description }).default(true);

/** One of a few words. */
export const choice = <const C extends readonly string[]>(
  choices: C,
  value: string,
  description: string,
  more: More = {},
) => described(z.enum(choices), { value, description, ...more });

/** Some of a few words, separated by commas; `noun`: the error's word for one, "metric". */
export const words = <const C extends readonly string[]>(names: C, noun: string, about: string, value = 'names') =>
  described(z.array(z.enum(names, { error: ({ input }) => `there is no ${noun} "${String(input)}"` })), {
    value,
    description: about,
    separator: ',',
    expected: { what: `one or more of ${names.join(', ')}, separated by commas`, example: names.slice(0, 2).join(',') },
  });

/** A text that may be given several times. */
export const repeated = (value: string, description: string, more: More = {}) =>
  described(z.array(z.string()), { value, description, ...more }).default([]);

const POSITIVE: Expectation = { what: 'a whole number above 0', example: '2' };
const COUNT: Expectation = { what: 'a whole number from 0 on', example: '20' };
const SECONDS: Expectation = { what: `a whole number of seconds up to ${MOST_SECONDS}, a day`, example: '60' };
const SEED: Expectation = { what: 'a whole number', example: '7' };

const wholeNumber = () =>
  z.int({
    error: ({ code }) => (code === 'too_big' ? 'the number is too large' : 'a whole number is expected'),
    abort: true,
  });

/** A whole number above 0. */
export const positive = (
  value: string,
  description: string,
  most?: { readonly number: number; readonly example: string },
) => {
  const type = wholeNumber().positive('a number above 0 is expected');
  if (most === undefined) return described(type, { value, description, expected: POSITIVE });
  const { number, example } = most;
  const expected = { what: `a whole number from 1 to ${number}`, example };
  return described(type.max(number, `a number up to ${number} is expected`), { value, description, expected });
};

/** A whole number from 0 on. */
export const count = (value: string, description: string) =>
  described(wholeNumber().nonnegative('a number from 0 on is expected'), { value, description, expected: COUNT });

/** A time limit in seconds. */
export const seconds = (description: string) =>
  described(wholeNumber().positive('a number above 0 is expected').max(MOST_SECONDS, 'the time is too long'), {
    value: 'seconds',
    description,
    expected: SECONDS,
  });

/** How many sessions, processes or threads work side by side: beyond the number of cores they only cost memory. */
export const jobs = (description: string) =>
  described(
    wholeNumber()
      .positive('a number above 0 is expected')
      .overwrite((n) => Math.min(n, availableParallelism())),
    { value: 'n', description, expected: POSITIVE },
  ).exactOptional();

/** A port. */
export const anyPort = (description: string) =>
  described(z.int('a port is expected').min(0, 'a port is expected').max(65_535, 'a port is at most 65535'), {
    value: 'n',
    description,
  });

/** Port of a page that is served on this machine. */
export const port = (usual: number) => anyPort('port of the page; 0 takes any free one').default(usual);

/** Seed of every random draw. */
export const seed = () =>
  described(wholeNumber(), {
    value: 'n',
    description: 'seed of every random draw',
    expected: SEED,
  });

/** Values that are completed as file names. */
const PATH_VALUES = new Set(['path', 'file', 'dir', 'run', 'from']);

/** An option as the parser, help, docs, completion and the schema of the configuration file need it. */
export interface OptionInfo {
  /** Key in the command's object and in the configuration file. */
  readonly name: string;
  readonly type: z.ZodType;
  /** "--out <dir>" */
  readonly flags: string;
  readonly long: string;
  readonly description: string;
  readonly choices: readonly string[] | undefined;
  readonly default: string | undefined;
  readonly takesValue: boolean;
  readonly isRepeated: boolean;
  readonly isRequired: boolean;
  readonly isPath: boolean;
  readonly meta: OptionMeta;
}

/** A field below its default and optionality, with what those say. */
function unwrap(field: z.ZodType): { type: z.ZodType; fallback: unknown; isRequired: boolean } {
  if (field instanceof z.ZodDefault) {
    const { type } = unwrap(field.def.innerType as z.ZodType);
    return { type, fallback: field.def.defaultValue, isRequired: false };
  }
  if (field instanceof z.ZodOptional || field instanceof z.ZodExactOptional || field instanceof z.ZodNullable)
    return { ...unwrap(field.def.innerType as z.ZodType), isRequired: false };
  return { type: field, fallback: undefined, isRequired: true };
}

/** Fields with the heading that their options are listed under. */
export function inGroup<S extends Readonly<Record<string, z.ZodType>>>(group: OptionGroup, fields: S): S {
  for (const field of Object.values(fields)) {
    const { type } = unwrap(field);
    const meta = META.get(type);
    if (meta !== undefined) META.add(type, { ...meta, group });
  }
  return fields;
}

/** `maxTokens` → "max-tokens". */
export function kebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function defaultText(fallback: unknown): string | undefined {
  return typeof fallback === 'string' || typeof fallback === 'number' ? String(fallback) : undefined;
}

function choicesOf(type: z.ZodType): readonly string[] | undefined {
  if (type instanceof z.ZodEnum) return type.options.map(String);
  return type instanceof z.ZodArray ? choicesOf(type.element as z.ZodType) : undefined;
}

function flagsOf(long: string, takesValue: boolean, value: string, isOptional: boolean): string {
  if (!takesValue) return long;
  return isOptional ? `${long} [${value}]` : `${long} <${value}>`;
}

/** @throws Error when the field was not made by `described`, a fault of its command. */
function describeOption(name: string, field: z.ZodType): OptionInfo {
  const { type, fallback, isRequired } = unwrap(field);
  const meta = META.get(type);
  if (meta === undefined) throw new Error(`option ${name} has no description`);
  const takesValue = !(type instanceof z.ZodBoolean);
  const long = `--${fallback === true ? 'no-' : ''}${kebabCase(name)}`;
  return {
    name,
    type: field,
    long,
    takesValue,
    isRequired,
    meta,
    flags: flagsOf(long, takesValue, meta.value ?? name, meta.bare !== undefined),
    description: meta.description,
    choices: choicesOf(type),
    default: defaultText(fallback),
    isRepeated: type instanceof z.ZodArray && meta.separator === undefined,
    isPath: PATH_VALUES.has(meta.value ?? ''),
  };
}

/** The options of a command's object, in its order. */
export function optionsOf(object: z.ZodObject): readonly OptionInfo[] {
  return Object.entries(object.shape).map(([name, field]) => describeOption(name, field as z.ZodType));
}

/** Options under one heading; null where they have none. */
interface ListedGroup {
  readonly heading: OptionGroup | null;
  readonly options: readonly OptionInfo[];
}

/** Options by heading, in the order of help; a heading without any is left out. */
export function groupOptions(options: readonly OptionInfo[]): readonly ListedGroup[] {
  return [null, ...OPTION_GROUPS]
    .map((heading) => ({ heading, options: options.filter(({ meta }) => (meta.group ?? null) === heading) }))
    .filter((group) => group.options.length > 0);
}

const NUMBER = /^-?(?:\d+(?:\.\d+)?|\.\d+)(?:e-?\d+)?$/i;

function takesNumber(type: z.ZodType): boolean {
  return (
    type instanceof z.ZodNumber ||
    (type instanceof z.ZodUnion && type.options.some((one) => takesNumber(one as z.ZodType)))
  );
}

/** Returns a flag's text as a value of its field; a text that is no number stays one, for the field to refuse. */
export function valueOfText({ type: field, meta }: OptionInfo, given: unknown): unknown {
  const { type } = unwrap(field);
  if (given === true && meta.bare !== undefined) return meta.bare;
  if (typeof given !== 'string') return given;
  if (meta.separator !== undefined) return given.split(meta.separator).map((item) => item.trim());
  const pattern = type instanceof z.ZodNumber && type.format === 'safeint' ? /^-?\d+$/ : NUMBER;
  return takesNumber(type) && pattern.test(given) ? Number(given) : given;
}

/** The values of those options that a group of them has. */
export function pick<T extends object, S extends object>(values: T, group: S): Pick<T, keyof T & keyof S> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => name in group)) as Pick<T, keyof T & keyof S>;
}
