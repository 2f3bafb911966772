import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { NETWORK_FILE } from '../../src/inference/model-manifest.js';
import { sha256Of } from '../../src/run/sha256.js';

const FILES: Readonly<Record<string, string>> = { [NETWORK_FILE]: 'weights', 'tokenizer.json': '{}' };

/** A folder that looks like an NLI model's; `change` is laid over its manifest. Its network is no ONNX file. */
export function createModelFolder(change: Readonly<Record<string, unknown>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'perturbql-model-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const files: Record<string, { sha256: string; bytes: number }> = {};
  for (const [path, content] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
    files[path] = { sha256: sha256Of(content), bytes: content.length };
  }
  const manifest = {
    task: 'nli',
    name: 'fake-judge',
    revision: '1',
    license: 'MIT',
    nonCommercial: false,
    made: 'by a test',
    maxTokens: 32,
    files,
    labels: ['entailment', 'neutral', 'contradiction'],
  };
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ ...manifest, ...change }));
  return folder;
}
