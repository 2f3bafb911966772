import { z } from 'zod';
import { settingsSchema } from '../recipes/settings.js';
import type { CommandEntry } from './command.js';
import { optionsOf, type OptionInfo } from '../options/option-field.js';

type JsonSchema = Readonly<Record<string, unknown>>;

/** A default of null is what leaving the key out means: the file need not say it. */
function withoutNull(type: z.ZodType): z.ZodType {
  const inner = type instanceof z.ZodDefault ? type.def.innerType : type;
  return inner instanceof z.ZodNullable ? (inner.def.innerType as z.ZodType) : type;
}

function toJsonSchema(type: z.ZodType): JsonSchema {
  const schema: Record<string, unknown> = { ...z.toJSONSchema(type, { io: 'input' }) };
  delete schema['$schema'];
  return schema;
}

/** An option of one name in one or several commands. */
interface Key {
  readonly commands: readonly string[];
  readonly description: string;
  readonly schema: JsonSchema;
}

function addKey(keys: Map<string, Key[]>, command: string, { name, description, type }: OptionInfo): void {
  const schema = toJsonSchema(withoutNull(type));
  const known = keys.get(name) ?? [];
  const same = known.findIndex(
    (key) => key.description === description && JSON.stringify(key.schema) === JSON.stringify(schema),
  );
  const before = known[same];
  if (before === undefined) known.push({ commands: [command], description, schema });
  else known[same] = { ...before, commands: [...before.commands, command] };
  keys.set(name, known);
}

/** Where commands take other things by one name, each says what it takes. */
function keySchema(keys: readonly Key[]): JsonSchema {
  const one = ({ commands, description, schema }: Key): JsonSchema => ({
    ...schema,
    description: `${commands.join(', ')}: ${description}`,
  });
  const [only] = keys;
  return keys.length === 1 && only !== undefined ? one(only) : { anyOf: keys.map(one) };
}

/** The JSON Schema of `perturbql.config.json`: options of all commands by their names, and the groups of settings. */
export async function configSchema(entries: readonly CommandEntry[]): Promise<JsonSchema> {
  const keys = new Map<string, Key[]>();
  for (const { name, load } of entries)
    for (const option of optionsOf((await load()).command.options))
      if (option.meta.flagOnly !== true) addKey(keys, name, option);
  const settings = toJsonSchema(settingsSchema);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'perturbql.config.json',
    type: 'object',
    properties: {
      $schema: { type: 'string' },
      ...Object.fromEntries([...keys].map(([name, all]) => [name, keySchema(all)])),
      ...(settings['properties'] as JsonSchema),
    },
    additionalProperties: false,
  };
}
