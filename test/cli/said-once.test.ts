import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildParser } from '../../src/cli/command-line.js';
import type { Command } from '../../src/cli/command.js';
import { COMMANDS } from '../../src/cli/commands.js';
import { GLOBAL_OPTIONS } from '../../src/cli/global-options.js';
import { optionsOf } from '../../src/options/option-field.js';
import { settingsSchema } from '../../src/recipes/settings.js';
import { PROJECT } from '../e2e/run-cli.js';

const docs = (name: string): string => readFileSync(join(PROJECT, 'docs', name), 'utf8');
const SECTIONS = docs('cli.md').split(/^## /m);
const SCHEMA = JSON.parse(docs('perturbql.config.schema.json')) as {
  readonly properties: Readonly<Record<string, { readonly anyOf?: readonly object[] }>>;
};

async function loaded(name: string): Promise<Command> {
  return (await COMMANDS.find((entry) => entry.name === name)!.load()).command;
}

async function helpOf(name: string): Promise<string> {
  let parser = await buildParser(COMMANDS, '0', name.split(' '), () => Promise.resolve());
  for (const word of name.split(' ')) parser = parser.commands.find((command) => command.name() === word)!;
  let help = '';
  parser.configureOutput({ writeOut: (text) => (help += text) }).exitOverride();
  expect(() => parser.parse(['--help-all'], { from: 'user' })).toThrow();
  return help;
}

const times = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length;
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

describe.each(COMMANDS.map(({ name }) => name))('the options of %s', (name) => {
  it('are once in its help, with those of every command', async () => {
    const help = await helpOf(name);
    const options = [...optionsOf((await loaded(name)).options), ...optionsOf(GLOBAL_OPTIONS)];
    for (const { flags } of options)
      expect({ flags, times: times(help, new RegExp(`^ +${escaped(flags)}\\s`, 'gm')) }).toEqual({ flags, times: 1 });
    // And --help-all itself.
    expect(times(help, /^ {2}--[a-z]/gm)).toBe(options.length + 1);
  });

  it('are once in its section of docs/cli.md', async () => {
    const section = SECTIONS.find((text) => text.startsWith(`perturbql ${name}\n`)) ?? '';
    const options = optionsOf((await loaded(name)).options);
    for (const { flags } of options)
      expect({ flags, times: section.split(`| \`${flags}\` |`).length - 1 }).toEqual({ flags, times: 1 });
    expect(times(section, /^\| `--/gm)).toBe(options.length);
  });

  it('that a file may give are in the schema of the configuration file', async () => {
    for (const { name: key, description, meta } of optionsOf((await loaded(name)).options)) {
      const entry = SCHEMA.properties[key];
      const said = (entry === undefined ? [] : 'description' in entry ? [entry] : entry.anyOf) as readonly {
        description: string;
      }[];
      const own = said.filter((one) => {
        const [commands = '', ...rest] = one.description.split(': ');
        return commands.split(', ').includes(name) && rest.join(': ') === description;
      });
      expect({ key, times: own.length }).toEqual({ key, times: meta.flagOnly === true ? 0 : 1 });
    }
  });
});

describe('names of options', () => {
  it('are not those of groups of settings, which the configuration file has too', async () => {
    const groups = Object.keys(settingsSchema.shape);
    for (const { name } of COMMANDS) {
      const keys = optionsOf((await loaded(name)).options).filter(({ meta }) => meta.flagOnly !== true);
      expect(keys.filter((option) => groups.includes(option.name))).toEqual([]);
    }
  });

  it('of an earlier version are shown nowhere', async () => {
    const help = await helpOf('evaluate');
    expect(help).not.toMatch(/--pred |--pred-links/);
    expect(docs('cli.md')).not.toMatch(/--pred |--pred-links/);
  });
});
