import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { VictimError } from '../../../src/errors.js';
import { attack } from '../../../src/measure/attack/attack.js';
import type { AttackInput } from '../../../src/measure/attack/attack-options.js';
import { rejectionOf } from '../../error-of.js';
import { startServer } from '../../chat/misbehaving-server.js';
import { writeSmallData } from '../../e2e/example-data.js';
import { candidatesFor, inputOf, perfectVictim, temporaryFolder, writeCandidates } from './attack-fixture.js';

/** A program that answers each question with what `reply` gives for its id, and the input to attack it with. */
function writtenModel(reply: string): { readonly input: AttackInput; readonly rewrite: (reply: string) => void } {
  const file = join(temporaryFolder(), 'model.mjs');
  const rewrite = (code: string): void =>
    writeFileSync(
      file,
      `import { createInterface } from 'node:readline';
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id } = JSON.parse(line);
  console.log(JSON.stringify(${code}));
});\n`,
    );
  rewrite(reply);
  const settings = { command: [process.execPath, file] };
  return { input: inputOf(perfectVictim(), { seeds: [0], victim: { kind: 'command', settings } }), rewrite };
}

describe('a model whose first answers hold no SQL', () => {
  it('ends the run with the keys that it wrote, and is asked all again once it is mended', async () => {
    const { input, rewrite } = writtenModel("{ id, query: 'SELECT 1', confidence: 1 }");
    const error = await rejectionOf(VictimError, () => attack(input));
    expect(error.message).toBe(
      'none of the first answers, to 5 examples, holds SQL; of the first, the line has no "sql", but "id", "query", "confidence"',
    );
    expect(error.fix).toContain('{"id": …, "sql": "SELECT …"}');
    rewrite("{ id, sql: 'SELECT 1' }");
    const { report, open } = await attack(input);
    expect([open, report.usage.failures]).toEqual([0, {}]);
  });

  it('ends it where the key is right, and holds nothing; none of it is kept', async () => {
    const { input, rewrite } = writtenModel("{ id, sql: '' }");
    await expect(attack(input)).rejects.toThrow('to 5 examples, holds SQL; of the first, the answer is empty');
    rewrite("{ id, sql: 'SELECT 1' }");
    expect((await attack(input)).report.usage.failures).toEqual({});
  });

  it('ends it where there are fewer questions than that', async () => {
    const { input } = writtenModel("{ id, query: 'SELECT 1' }");
    const data = writeSmallData(temporaryFolder(), [0, 1]);
    const candidates = writeCandidates(temporaryFolder(), candidatesFor(1));
    await expect(attack({ ...input, ...data, candidates })).rejects.toThrow('to 2 examples, holds SQL');
  });

  it('does not end it where one of them has SQL', async () => {
    const { input } = writtenModel("id.startsWith('dev:3') ? { id, sql: 'SELECT 1' } : { id, sql: null }");
    const { report } = await attack(input);
    expect(report.usage.failures.original).toEqual({ empty: 11 });
  });

  it('ends it for an endpoint, with what that said', async () => {
    const server = await startServer();
    server.words = () => 'I would look at the gardeners.';
    const settings = { baseUrl: server.baseUrl, model: 'm', concurrency: 1 };
    const input = inputOf(perfectVictim(), { victim: { kind: 'endpoint', settings } });
    await expect(attack(input)).rejects.toThrow(
      /^none of the first answers, to 5 examples, holds SQL; of the first, the answer holds no SQL: I would look/,
    );
    expect(server.seen).toHaveLength(5);
  });
});
