import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PAGES, PROJECT, readPage } from './markdown-pages.js';

const MOST_WORDS = 800;
const GUIDES = PAGES.filter((page) => page.startsWith('docs/guides/'));

/** Something to run, and what its output must say. */
interface Step {
  readonly script: string;
  readonly shown: readonly string[];
}

/** The sh blocks of a guide, each with the text block that follows it before the next. */
function stepsOf(page: string): readonly Step[] {
  const blocks = [...readPage(page).matchAll(/^```(sh|text)\n([\s\S]*?)^```$/gm)];
  return blocks.flatMap(([, language, script], i) => {
    if (language !== 'sh') return [];
    const [, next, text] = blocks[i + 1] ?? [];
    return [{ script: script!, shown: next === 'text' ? text!.trimEnd().split('\n') : [] }];
  });
}

/** Lines of a text block that an output lacks; in their order; "…" stands for anything, and so does the width of blanks. */
function missingFrom(output: string, shown: readonly string[]): readonly string[] {
  const narrow = (line: string): string => line.trimEnd().replace(/\s+/g, ' ');
  const left = output.split('\n').map(narrow);
  return shown.filter((line) => {
    const parts = narrow(line)
      .split('…')
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    const wanted = new RegExp(`^${parts.join('.*')}$`);
    const at = left.findIndex((one) => wanted.test(one));
    if (at !== -1) left.splice(0, at + 1);
    return at === -1;
  });
}

const folder = mkdtempSync(join(tmpdir(), 'perturbql-guides-'));
const bin = join(folder, 'bin');
beforeAll(() => {
  mkdirSync(bin);
  const main = join(PROJECT, 'dist/cli/main.js');
  writeFileSync(join(bin, 'perturbql'), `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`);
  // In a checkout guides write npx; here it runs what is next to it.
  writeFileSync(join(bin, 'npx'), '#!/bin/sh\nexec "$@"\n');
  for (const name of ['perturbql', 'npx']) chmodSync(join(bin, name), 0o755);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Ends a server as Ctrl+C does, once it has said what the guide shows. */
function endOnce(child: ChildProcess, shown: readonly string[], output: () => string): void {
  child.stdout!.on('data', () => {
    if (missingFrom(output(), shown).length === 0) child.kill('SIGINT');
  });
}

function run({ script, shown }: Step, cwd: string): Promise<{ code: number | null; output: string; errors: string }> {
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH']}` };
  const isServer = /^npx perturbql \S+ serve /.test(script);
  // In the shell's place, so that the signal reaches the server.
  const child = spawn('sh', ['-ec', isServer ? `exec ${script}` : script], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const texts = { output: '', errors: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (texts.output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.errors += text));
  if (isServer) endOnce(child, shown, () => texts.output);
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, ...texts })));
}

describe.each(GUIDES)('%s', (page) => {
  it('begins with what makes its first command work, in a checkout and installed', () => {
    const text = readPage(page);
    expect(text.indexOf('```bash\nnpm ci\n```')).toBeGreaterThan(0);
    expect(text.indexOf('```bash\nnpm ci\n```')).toBeLessThan(text.indexOf('```sh\n'));
    expect(text).toContain('write `perturbql` for `npx perturbql`');
    const calls = stepsOf(page).flatMap(({ script }) => script.match(/(?:^|&& |\|\| )perturbql .*/gm) ?? []);
    expect(calls).toEqual([]);
  });

  it('ends with data of one’s own, in a folder in which perturbql can be run', () => {
    const [, last = ''] = /\n## ([^\n]+\n(?:(?!\n## )[^])*)$/.exec(readPage(page)) ?? [];
    expect(last).toMatch(/^On your own data\n/);
    expect(last).toContain('../install.md#in-a-folder-of-your-own');
    expect(last).toMatch(/^mkdir my-\w+$/m);
    expect(last).toMatch(/Paths[^]*? start from/);
  });

  it(`has at most ${MOST_WORDS} words`, () => {
    expect(readPage(page).split(/\s+/).length).toBeLessThanOrEqual(MOST_WORDS);
  });

  it('does what it says, and its last step shows a result', { timeout: 900_000 }, async () => {
    const cwd = join(folder, page.replaceAll('/', '-'));
    cpSync(join(PROJECT, 'examples'), join(cwd, 'examples'), { recursive: true });
    const steps = stepsOf(page);
    expect(steps.at(-1)!.shown).not.toEqual([]);
    for (const step of steps) {
      const { code, output, errors } = await run(step, cwd);
      expect({ script: step.script, code, errors: code === 0 ? '' : errors }).toMatchObject({ code: 0 });
      expect({ script: step.script, output, missing: missingFrom(output, step.shown) }).toMatchObject({ missing: [] });
    }
  });
});

describe('what guides show', () => {
  it('is looked for line by line', () => {
    const output = 'one 1\n  two 2  \nthree 3\n';
    expect(missingFrom(output, ['one …', '  two 2'])).toEqual([]);
    expect(missingFrom(output, ['three 3', 'one 1', 'two 2'])).toEqual(['one 1', 'two 2']);
  });
});
