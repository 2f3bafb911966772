import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.js';
import { completionScript } from '../../src/cli/shell-completion.js';
import { makeTempFolder } from '../e2e/run-cli.js';

const temp = makeTempFolder();
beforeAll(async () => {
  writeFileSync(join(temp.path, 'completion.bash'), await completionScript('bash', COMMANDS));
  writeFileSync(join(temp.path, 'tables.json'), '');
});
afterAll(() => temp.remove());

/** What bash offers for the last of the words. */
function completed(...words: string[]): readonly string[] {
  const list = words.map((word) => `'${word}'`).join(' ');
  const script = `source ./completion.bash; COMP_WORDS=(perturbql ${list}); COMP_CWORD=${words.length}; _perturbql; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', script], { cwd: temp.path, encoding: 'utf8' }).split('\n').filter(Boolean);
}

describe('completion in bash', () => {
  it('offers commands, and those of a group', () => {
    expect(completed('ev')).toEqual(['evaluate']);
    expect(completed('suite', 'bu')).toEqual(['build']);
    expect(completed('attack', 'pre')).toEqual(['prepare']);
    expect(completed('completion', '')).toEqual(expect.arrayContaining(['bash', 'zsh', 'fish']));
  });

  it('offers options of the command, and none of an earlier version', () => {
    expect(completed('evaluate', '--pre')).toEqual(['--predictions', '--predicted-links']);
    expect(completed('suite', 'build', '--rand')).toEqual(['--random-databases']);
    expect(completed('augment', '--no')).toEqual(['--no-verify']);
    expect(completed('evaluate', '--qui')).toEqual(['--quiet']);
  });

  it('offers choices, and file names where a path is wanted', () => {
    expect(completed('evaluate', '--mode', 'ord')).toEqual(['ordered', 'ordered-any-column-order']);
    expect(completed('augment', '--tables', 'ta')).toEqual(['tables.json']);
    expect(completed('augment', '--seed', '')).toEqual([]);
  });
});

describe('completion in other shells', () => {
  it('has every command and option', async () => {
    const [zsh, fish] = [await completionScript('zsh', COMMANDS), await completionScript('fish', COMMANDS)];
    expect(zsh).toContain('#compdef perturbql');
    expect(zsh).toContain("'evaluate --mode') words 'bag set ordered");
    expect(fish).toContain("-l mode -r -f -a 'bag set ordered");
    for (const { name } of COMMANDS) expect(fish).toMatch(new RegExp(`-a ${name.split(' ').at(-1)!} -d `));
  });
});
