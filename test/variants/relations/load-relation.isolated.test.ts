import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConfigError } from '../../../src/errors.js';
import { loadRelation } from '../../../src/variants/relations/load-relation.js';

const installed = vi.hoisted(() => ({ version: '' }));

vi.mock('node:module', async (original) => ({
  ...(await original<typeof import('node:module')>()),
  createRequire: () => () => {
    if (installed.version === '') throw new Error("Cannot find module 'typescript/package.json'");
    return { version: installed.version };
  },
}));

const readsTypescript = typeof (process.features as { readonly typescript?: unknown }).typescript === 'string';
const folder = mkdtempSync(join(tmpdir(), 'relation-'));
const file = join(folder, 'polite.ts');

afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => writeFileSync(file, 'export default {};\n'));

/** Where Node reads TypeScript itself, the package is not asked for. */
describe.skipIf(readsTypescript)('a relation in TypeScript, where Node does not read it', () => {
  it.each([
    ['', /^Node [\d.]+ does not read TypeScript by itself$/],
    ['7.0.2', /^Node [\d.]+ does not read TypeScript by itself, and typescript 7 can’t be called by a program$/],
  ])('is refused with what to install where version "%s" of typescript is there', async (version, message) => {
    installed.version = version;
    const error: unknown = await loadRelation(file).catch((fault: unknown) => fault);
    expect(error).toBeInstanceOf(ConfigError);
    expect(error).toMatchObject({
      message: expect.stringMatching(message) as string,
      where: { file },
      fix: 'Run `npm install typescript@6`, or use Node 22.18 or later.',
    });
  });
});
