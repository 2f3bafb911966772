import type { z } from 'zod';
import { ConfigError } from '../errors.js';
import { shapeFault } from '../shape-fault.js';
import { optionsOf, valueOfText } from '../options/option-field.js';

/** A required option was neither given as a flag nor by the configuration file. */
function refuseMissing(object: z.ZodObject, values: Readonly<Record<string, unknown>>): void {
  const missing = optionsOf(object).find(({ name, isRequired }) => isRequired && values[name] === undefined);
  if (missing === undefined) return;
  const { long, flags, description, meta } = missing;
  throw new ConfigError(`option ${long} is missing`, { fix: meta.missing ?? `Give ${flags}: ${description}.` });
}

/**
 * Resolves a command's options: flags over the configuration file over defaults. `flags` are texts, as on the command
 * line; `fromFile` may have options of other commands.
 * @throws ConfigError naming the option and what it expects.
 */
export function readOptions<S extends z.ZodObject>(
  object: S,
  flags: Readonly<Record<string, unknown>>,
  fromFile: Readonly<Record<string, unknown>> = {},
): z.infer<S> {
  const options = optionsOf(object);
  const given = options.filter(({ name }) => flags[name] !== undefined);
  const inFile = options.filter(({ name, meta }) => meta.flagOnly !== true && fromFile[name] !== undefined);
  const values = {
    ...Object.fromEntries(inFile.map(({ name }) => [name, fromFile[name]])),
    ...Object.fromEntries(given.map((one) => [one.name, valueOfText(one, flags[one.name])])),
  };
  refuseMissing(object, values);
  const parsed = object.safeParse(values);
  if (parsed.success) return parsed.data;
  throw wrongOption(object, parsed.error, values);
}

function wrongOption(object: z.ZodObject, error: z.ZodError, values: Readonly<Record<string, unknown>>): ConfigError {
  const option = optionsOf(object).find(({ name }) => name === error.issues[0]?.path[0]);
  const [flag, expected] = [option?.long ?? '', option?.meta.expected];
  return new ConfigError(`option ${flag} ${shapeFault(error, values).fault}`, {
    fix:
      expected === undefined
        ? 'See the command’s --help.'
        : `Give ${expected.what}, such as ${flag} ${expected.example}.`,
  });
}
