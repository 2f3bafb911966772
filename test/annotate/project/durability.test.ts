import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AnnotationProject } from '../../../src/annotate/project/annotation-project.js';
import { createSampleProject } from '../sample-project.js';

const BUILT = resolve('dist/annotate/project/annotation-project.js');
const ITEM = 'lighthouse_museum/Keeper/Name/RPL';

/** Saves without end, and says which revisions were acknowledged. */
const WRITER = `
const { AnnotationProject } = await import(${JSON.stringify(pathToFileURL(BUILT).href)});
const { writeSync } = await import('node:fs');
const project = AnnotationProject.open(process.argv[1]);
for (let base = project.answer(${JSON.stringify(ITEM)}, 'Ada')?.revision ?? 0; ; base++) {
  const answer = { state: 'draft', accepted: [], written: ['name ' + base], comment: 'x'.repeat(2000), flagged: false };
  const outcome = project.save(${JSON.stringify(ITEM)}, 'Ada', answer, base);
  writeSync(1, outcome.answer.revision + '\\n');
}`;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'perturbql-kill-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Lets a process save until it has acknowledged some revisions, kills it in the middle, and returns the last one. */
async function saveAndKill(file: string, revisions: number): Promise<number> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', WRITER, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let [seen, last] = [0, 0];
  for await (const line of createInterface({ input: child.stdout })) {
    last = Number(line);
    if (++seen === revisions) child.kill('SIGKILL');
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return last;
}

describe.skipIf(!existsSync(BUILT))('a killed process (needs npm run build)', () => {
  it('loses nothing that was acknowledged, and leaves a project that goes on', async () => {
    const { file } = createSampleProject(folder);
    for (const revisions of [1, 25, 60]) {
      const acknowledged = await saveAndKill(file, revisions);
      const project = AnnotationProject.open(file);
      const history = project.history(ITEM, 'Ada');
      project.close();
      expect(acknowledged).toBeGreaterThanOrEqual(revisions);
      expect(history.length).toBeGreaterThanOrEqual(acknowledged);
      // At most the one save that was under way is more than what was acknowledged.
      expect(history.length).toBeLessThanOrEqual(acknowledged + 1);
      expect(history.map(({ revision, written }) => [revision, written])).toEqual(
        history.map((_, i) => [i + 1, [`name ${i}`]]),
      );
    }
  }, 60_000);
});
