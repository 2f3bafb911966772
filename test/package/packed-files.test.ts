import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PROJECT } from '../e2e/run-cli.js';

interface Packed {
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

const LIMIT = 25_000_000;

const [packed] = JSON.parse(
  execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: PROJECT,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    stdio: ['ignore', 'pipe', 'ignore'],
  }),
) as [Packed];
const paths = packed.files.map(({ path }) => path);

const MANIFEST = JSON.parse(readFileSync(`${PROJECT}/package.json`, 'utf8')) as {
  readonly private?: boolean;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
};

describe('the packed package', () => {
  it('has what a user needs', () => {
    for (const path of [
      'dist/cli/main.js',
      'dist/index.d.ts',
      'dist/annotate/web/index.html',
      'dist/report/page/report.js',
      'dist/inference/transformers.licenses.txt',
      'models/nli/onnx/model_quantized.onnx',
      'models/LICENSE',
      'data/wdc-index/vectors.i8',
      'data/word-vectors/LICENSE',
      'docs/perturbql.config.schema.json',
      'examples/library.mjs',
      'README.md',
      'LICENSE',
      'CHANGELOG.md',
    ]) {
      expect(paths).toContain(path);
    }
  });

  it('has nothing else', () => {
    expect(paths.filter((path) => /^(?:test|bench|src|training|scripts|python|node_modules)\//.test(path))).toEqual([]);
    expect(paths.filter((path) => /\.(?:tsbuildinfo|map|tgz)$|(?:^|\/)RUN/.test(path))).toEqual([]);
  });

  it('has no file over 25 MB', () => {
    expect(packed.files.filter(({ size }) => size > LIMIT)).toEqual([]);
  });

  it('can be published, and asks for nothing that has to be compiled', () => {
    expect(MANIFEST.private).toBe(undefined);
    const installed = Object.keys({ ...MANIFEST.dependencies, ...MANIFEST.optionalDependencies });
    expect(installed).not.toContain('hnswlib-node');
    expect(installed).not.toContain('better-sqlite3');
    expect(installed).not.toContain('@xenova/transformers');
  });
});
