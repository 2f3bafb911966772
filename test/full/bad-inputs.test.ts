import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeTempFolder, runCli } from '../e2e/run-cli.js';
import { ANNOTATIONS_AND_MODELS } from './bad-inputs/annotations-and-models.js';
import type { BadInput } from './bad-inputs/bad-input.js';
import { DATA_SETS } from './bad-inputs/data-sets.js';
import { OTHER_COMMANDS } from './bad-inputs/other-commands.js';
import { SENTENCES_AND_GOLDS } from './bad-inputs/sentences-and-golds.js';

const BAD_INPUTS = [...SENTENCES_AND_GOLDS, ...DATA_SETS, ...OTHER_COMMANDS, ...ANNOTATIONS_AND_MODELS];

// `npm run check:full` sets PERTURBQL_FULL: all of them. Without it, one in twelve.
const FULL = process.env['PERTURBQL_FULL'] === '1';
const CASES = BAD_INPUTS.filter((_, i) => FULL || i % 12 === 0);
/** Milliseconds: none of them may hang. */
const LONGEST_MS = 120_000;

const temp = makeTempFolder();
afterAll(() => temp.remove());

function writeFiles(folder: string, { files }: BadInput): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content));
  }
}

describe('bad input', () => {
  it.each(CASES)(
    '$name',
    async (input) => {
      const cwd = join(temp.path, String(BAD_INPUTS.indexOf(input)));
      writeFiles(cwd, input);
      const { code, stderr } = await runCli(input.args, { cwd, cache: join(temp.path, 'cache') });
      expect(stderr).not.toMatch(/\n\s+at |fault in perturbql|\[object/);
      if (input.refusal === null) expect([0, 3], stderr).toContain(code);
      else {
        expect(stderr).toContain(input.refusal);
        expect(stderr).toMatch(/\n {2}fix: \S|\(add --help for the options\)/);
        expect(code).toBe(2);
      }
    },
    LONGEST_MS,
  );
});
