import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/errors.js';
import { checkWrittenFile } from '../../src/run/output-place.js';

const folder = mkdtempSync(join(tmpdir(), 'perturbql-written-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, 'file'), '');

describe('checkWrittenFile', () => {
  it.each([['file'], ['new.html']])('lets %s be written into a folder that is there', (name) => {
    expect(() => checkWrittenFile('report', join(folder, name))).not.toThrow();
  });

  it('lets a bare name be written into the working directory', () => {
    expect(() => checkWrittenFile('report', 'new.html')).not.toThrow();
  });

  it.each([
    ['nope/new.html', /^option --report: there is no folder .*nope$/],
    ['file/new.html', /^option --report: there is no folder .*file$/],
    ['.', /^option --report: .* is a folder$/],
  ])('refuses %s', (name, message) => {
    const check = (): void => checkWrittenFile('report', join(folder, name));
    expect(check).toThrow(ConfigError);
    expect(check).toThrow(message);
  });
});
