import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { ConfigError } from '../../../src/errors.js';
import { loadRelation } from '../../../src/variants/relations/load-relation.js';
import type { Mutation } from '../../../src/variants/relations/relation.js';
import { caseOf, mutateOne } from './cases.js';

const folder = mkdtempSync(join(tmpdir(), 'relation-'));
const EXAMPLE = fileURLToPath(new URL('../../../examples/polite-ending.mjs', import.meta.url));
const FACTS = "id: 'X1', name: 'X', target: 'utterance', cites: '', capability: 'x', fingerprint: '1'";

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

describe('a relation of one’s own', () => {
  test('is the default export of a module: the documented example', async () => {
    const relation = await loadRelation(EXAMPLE);
    expect(relation).toMatchObject({ id: 'PE', name: 'Polite Ending', target: 'utterance' });
    expect(relation.fingerprint).toMatch(/^PE 1 [0-9a-f]{64}$/);
    const [mutation] = (await mutateOne(relation, caseOf('How old is he?'))) as readonly Mutation[];
    expect(mutation?.question).toBe('How old is he, please?');
    expect(await mutateOne(relation, caseOf('Please list all.'))).toEqual({ reason: 'polite already' });
  });

  test.each([
    ['nothing.mjs', 'export const relation = {};', /default export/],
    ['own-id.mjs', `export default { ${FACTS.replace('X1', 'CRm')}, mutate() {} };`, /"id".*perturbql has/],
    ['signs.mjs', `export default { ${FACTS.replace('X1', 'a+b')}, mutate() {} };`, /"id".*letters/],
    ['no-mutate.mjs', `export default { ${FACTS} };`, /"mutate": a function/],
    ['broken.mjs', 'export default {', /can’t be loaded/],
    ['relation.py', '', /a relation is a module/],
  ])('%s is refused', async (name, text, message) => {
    await expect(loadRelation(write(name, text))).rejects.toThrow(message);
    await expect(loadRelation(join(folder, name))).rejects.toBeInstanceOf(ConfigError);
  });

  test.each([
    ['[]', /list of 1/],
    ['[[{ question: "" }]]', /own:0.*question/],
    ['[{ reason: 3 }]', /own:0/],
    [
      '[Array.from({ length: 11 }, () => ({ question: "q", query: "q", expectation: "same-query", mutated: null, detail: "" }))]',
      /more than 10/,
    ],
  ])('that answers %s is told so', async (answer, message) => {
    const name = `answers-${answer.length}.mjs`;
    const relation = await loadRelation(write(name, `export default { ${FACTS}, mutate: async () => ${answer} };`));
    await expect(mutateOne(relation, caseOf('How old is he?'))).rejects.toThrow(message);
  });
});
