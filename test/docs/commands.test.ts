import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.js';
import type { Command } from '../../src/cli/command.js';
import { GLOBAL_OPTIONS } from '../../src/cli/global-options.js';
import { optionsOf } from '../../src/options/option-field.js';
import { SETTING_NAMES } from '../../src/recipes/settings.js';
import { SCREEN_RULE_IDS } from '../../src/recipes/rules-in-force.js';
import { codeBlocks, PAGES, PROJECT, readPage } from './markdown-pages.js';

/** Words of a simple shell command: quotes group, nothing is expanded. */
function shellWords(command: string): readonly string[] {
  return [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) => single ?? double ?? bare!,
  );
}

/** The perturbql calls of a page's sh blocks, without the program's name. */
function callsIn(page: string): readonly (readonly string[])[] {
  const lines = codeBlocks(page, 'sh').flatMap((block) => block.replaceAll('\\\n', ' ').split('\n'));
  const calls = lines.flatMap((line) => line.split(/ (?:&&|\|\|) /));
  return calls.flatMap((line) => {
    const words = shellWords(line.split(' | ').at(-1)!.trim());
    const bare = words[0] === 'npx' ? words.slice(1) : words;
    return bare[0] === 'perturbql' ? [bare.slice(1)] : [];
  });
}

const SPECS: readonly (Command & { readonly name: string })[] = await Promise.all(
  COMMANDS.map(async ({ name, load }) => ({ name, ...(await load()).command })),
);

function commandOf(words: readonly string[]): { spec: Command; rest: readonly string[] } | null {
  const named = SPECS.filter(({ name }) => words.slice(0, name.split(' ').length).join(' ') === name);
  const spec = named.sort((a, b) => b.name.length - a.name.length)[0];
  return spec === undefined ? null : { spec, rest: words.slice(spec.name.split(' ').length) };
}

/** What is wrong with a call by the commands' options; empty where nothing is. */
function faultsOf(all: readonly string[]): readonly string[] {
  const command = commandOf(all);
  if (command === null) return ['no such command'];
  const { spec, rest } = command;
  const options = [...optionsOf(spec.options), ...optionsOf(GLOBAL_OPTIONS)];
  const faults: string[] = [];
  const given = new Set<string>();
  let positional = 0;
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at]!;
    if (!word.startsWith('--')) {
      positional++;
      continue;
    }
    const found = options.find(({ long }) => long === word);
    if (found === undefined) faults.push(`no option ${word}`);
    else {
      given.add(word);
      const isBare = found.meta.bare !== undefined && rest[at + 1]?.startsWith('--') !== false;
      const value = isBare ? found.meta.bare : found.takesValue ? rest[++at] : '';
      faults.push(...faultsOfValue(word, value, found.meta.separator === undefined ? found.choices : undefined));
    }
  }
  const isOpen = spec.argument?.name.includes('...') === true;
  if (!isOpen && positional > (spec.argument?.name.split(' ').length ?? 0)) faults.push('too many arguments');
  const missing = options.filter(({ isRequired, long }) => isRequired && !given.has(long));
  return [...faults, ...missing.map(({ long }) => `${long} is missing`)];
}

function faultsOfValue(option: string, value: string | undefined, choices?: readonly string[]): readonly string[] {
  if (value === undefined) return [`${option} has no value`];
  if (choices !== undefined && !choices.includes(value)) return [`${value} is no choice of ${option}`];
  if (option !== '--set') return [];
  const [name, rule] = /^(naturalness)\.([^=]+)=/.exec(value)?.slice(1) ?? [/^[^=]+/.exec(value)?.[0], null];
  const known = rule === null ? SETTING_NAMES.includes(name ?? '') : SCREEN_RULE_IDS.includes(rule ?? '');
  return known ? [] : [`${value} sets nothing`];
}

describe('the commands that the pages show', () => {
  const calls = PAGES.flatMap((page) => callsIn(page).map((words) => ({ page, words })));

  it('are there to be checked', () => {
    expect(calls.filter(({ page }) => page === 'README.md').length).toBeGreaterThan(5);
  });

  it.each(calls.map(({ page, words }) => [page, words.join(' '), words] as const))('%s: %s', (_, __, words) => {
    expect(faultsOf(words)).toEqual([]);
  });

  it('are told from wrong ones', () => {
    expect(faultsOf(['candidates', '--tables', 'a', '--examples', 'b', '--outt'])).toEqual([
      'no option --outt',
      '--out is missing',
    ]);
    expect(faultsOf(['index', 'info', 'a', '--set', 'x.y=1'])).toContain('no option --set');
    expect(faultsOf(['score', '--pairs', '-', '--set', 'nli.nothing=1'])).toEqual(['nli.nothing=1 sets nothing']);
  });

  it('of the commands themselves are checked too', () => {
    for (const { name, example } of SPECS) {
      const words = shellWords(example.split(' | ').at(-1)!).slice(1);
      expect({ name, faults: faultsOf(words) }).toEqual({ name, faults: [] });
    }
  });

  it('that npm runs are scripts of the package', () => {
    const { scripts } = JSON.parse(readPage('package.json')) as { scripts: Record<string, string> };
    const named = PAGES.flatMap((page) => [...readPage(page).matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name!));
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
    expect(named).toContain('demo');
  });
});

describe('docs/cli.md and docs/perturbql.config.schema.json', () => {
  it('are what npm run docs:cli writes', () => {
    expect(() => execFileSync('node', ['scripts/write-cli-docs.mjs', '--check'], { cwd: PROJECT })).not.toThrow();
  });
});
