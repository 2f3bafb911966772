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
    [
      'own-id.mjs',
      `export default { ${FACTS.replace('X1', 'CRm')}, mutate() {} };`,
      /field "id" is wrong: this is the id of a relation that perturbql has/,
    ],
    ['signs.mjs', `export default { ${FACTS.replace('X1', 'a+b')}, mutate() {} };`, /field "id" is wrong: letters/],
    ['no-mutate.mjs', `export default { ${FACTS} };`, /field "mutate" is wrong: a function/],
    ['number.mjs', 'export default 7;', /no relation: it is wrong: an object is expected, not a whole number/],
    [
      'target.mjs',
      `export default { ${FACTS.replace('utterance', 'answer')}, mutate() {} };`,
      /"target" is wrong: "utterance", "schema" or "query" is expected, not "answer"/,
    ],
    ['broken.mjs', 'export default {', /can’t be loaded/],
    ['relation.py', '', /a relation is a module/],
  ])('%s is refused', async (name, text, message) => {
    await expect(loadRelation(write(name, text))).rejects.toThrow(message);
    await expect(loadRelation(join(folder, name))).rejects.toBeInstanceOf(ConfigError);
  });

  test.each([
    ['[]', /list of 1/],
    ['[[{ question: "" }]]', /own:0: field "0.question" is wrong: it is empty/],
    ['[[{ question: 7 }]]', /own:0: field "0.question" is wrong: text is expected, not a whole number/],
    ['[{ reason: 3 }]', /own:0: field "reason" is wrong: text is expected/],
    ['[7]', /own:0: the answer is wrong: an object is expected, not a whole number/],
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
