import { existsSync } from 'node:fs';
import { z } from 'zod';
import { ConfigError } from '../errors.js';
import { checkRecord, loadText, parseJson } from '../formats/json-file.js';
import { nearestWord } from '../recipes/nearest-word.js';
import type { CommandEntry, ProjectConfig } from './command.js';
import { GONE_OPTIONS } from './gone.js';
import { DEFAULT_CONFIG } from './global-options.js';
import { optionsOf } from '../options/option-field.js';

const fileSchema = z.record(z.string(), z.unknown());

/** Names of the options of a command that a file may give. */
function keysOf(object: z.ZodObject): readonly string[] {
  return optionsOf(object).flatMap(({ name, meta }) => (meta.flagOnly === true ? [] : name));
}

/** A key as the file has it: a setting, "nli.rplMin", is within its group. */
function asInFile(key: string): string {
  const [group = '', name] = key.split('.');
  return name === undefined ? `"${key}"` : `"${name}" within "${group}": {"${group}": {"${name}": …}}`;
}

async function refuseUnknown(
  file: string,
  keys: readonly string[],
  groups: readonly string[],
  entries: readonly CommandEntry[],
): Promise<void> {
  const objects = await Promise.all(entries.map(async ({ load }) => (await load()).command.options));
  const known = [...new Set([...objects.flatMap(keysOf), ...groups])];
  const unknown = keys.find((key) => !known.includes(key) && !GONE_OPTIONS.has(key));
  if (unknown === undefined) return;
  const { SETTING_NAMES } = await import('../recipes/settings.js');
  const near = nearestWord(unknown, [...known, ...SETTING_NAMES]);
  const fix = `Keys are the options of the commands, such as "tables" or "timeout", and the groups of settings: ${groups.join(', ')}.`;
  throw new ConfigError(`unknown key "${unknown}"`, {
    where: { file },
    fix: `${near === null ? '' : `Did you mean ${asInFile(near)}? `}${fix}`,
  });
}

/**
 * Reads the configuration file: groups of settings, and options of commands by their camelCase names.
 * @throws ConfigError or InputFormatError when a key is unknown or an option of this command is wrong
 */
export async function loadConfig(
  path: string | undefined,
  object: z.ZodObject,
  entries: readonly CommandEntry[],
): Promise<ProjectConfig> {
  const file = path ?? (existsSync(DEFAULT_CONFIG) ? DEFAULT_CONFIG : undefined);
  if (file === undefined) return { file, settings: {}, options: {} };
  const place = { file, id: 'configuration' };
  const json = checkRecord(fileSchema, parseJson(loadText(file), file), place, 'Write a JSON object.');
  const { settingsSchema } = await import('../recipes/settings.js');
  const groups = Object.keys(settingsSchema.shape);
  const pick = (names: readonly string[]): Record<string, unknown> =>
    Object.fromEntries(Object.entries(json).filter(([key]) => names.includes(key)));
  const own = keysOf(object).filter((key) => key in json);
  const known = new Set(['$schema', ...own, ...groups]);
  const rest = Object.keys(json).filter((key) => !known.has(key));
  if (rest.length > 0) await refuseUnknown(file, rest, groups, entries);
  const shape = Object.fromEntries(own.map((key) => [key, object.shape[key] as z.ZodType]));
  checkRecord(z.object(shape), json, place, 'See the command’s --help for what it takes.');
  return { file, settings: pick(groups), options: json };
}
