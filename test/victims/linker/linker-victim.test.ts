import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError, ModelFileError } from '../../../src/errors.js';
import { pullModel } from '../../../src/inference/hub/pull-model.js';
import { locateModel } from '../../../src/inference/model-store.js';
import { packagePath } from '../../../src/package-path.js';
import { NOOP_HOST } from '../../../src/run/run-host.js';
import { LinkerVictim } from '../../../src/victims/linker/linker-victim.js';
import type { VictimAnswer } from '../../../src/victims/victim.js';
import { rejectionOf } from '../../error-of.js';
import { ask, listening, temporaryFolder } from '../victim-fixture.js';
import { writeTinyLinker } from './tiny-linker.js';

async function answerOf(question: string, folder = writeTinyLinker(temporaryFolder())): Promise<VictimAnswer> {
  const victim = new LinkerVictim(locateModel('schema-linker', folder));
  try {
    return await victim.answer(ask(question), listening());
  } finally {
    await victim.dispose();
  }
}

describe('a schema linker', () => {
  it('answers with the columns whose names it finds in the question', async () => {
    const answer = await answerOf('Which name, say, and which age does each have?');
    const columns = [
      { table: 0, column: 0 },
      { table: 0, column: 1 },
    ];
    expect(answer).toMatchObject({ sql: null, failure: null, raw: 'singer.Name, singer.Age', columns });
    expect((await answerOf('Which age is the most common?')).raw).toBe('singer.Age');
    expect(await answerOf('How many are there?')).toMatchObject({ raw: '', columns: [], failure: null });
  });

  it('is another one with another threshold, and answers with it', async () => {
    const folder = writeTinyLinker(temporaryFolder(), { threshold: 2 });
    expect((await answerOf('Which name?', folder)).columns).toEqual([]);
    const fingerprints = [folder, writeTinyLinker(temporaryFolder())].map(
      (one) => new LinkerVictim(locateModel('schema-linker', one)).fingerprint,
    );
    expect(new Set(fingerprints).size).toBe(2);
  });

  it('fails on a question alone that does not fit', async () => {
    const folder = writeTinyLinker(temporaryFolder(), { maxTokens: 10 });
    expect((await answerOf('Which name?', folder)).failure?.kind).toBe('too-long');
  });

  it('is refused where the folder holds another model', async () => {
    const error = await rejectionOf(ModelFileError, async () =>
      locateModel('schema-linker', packagePath('models/nli')),
    );
    expect(error.message).toContain('schema-linker is needed');
  });
});

describe('a schema linker that is pulled from a folder', () => {
  it('has its threshold from the config, and is run once', async () => {
    const [source, cache] = [writeTinyLinker(temporaryFolder(), { threshold: 0.25 }), temporaryFolder()];
    const environment = { ...process.env, PERTURBQL_CACHE: cache };
    const { manifest } = await pullModel({ source, name: 'mine', environment }, NOOP_HOST);
    expect(manifest).toMatchObject({ task: 'schema-linker', threshold: 0.25, maxTokens: 512 });
    expect(manifest.pulled?.command).toContain('--task linker');
  });

  it('is refused without a threshold', async () => {
    const source = writeTinyLinker(temporaryFolder());
    writeFileSync(join(source, 'config.json'), JSON.stringify({ architectures: ['SchemaLinker'] }));
    const environment = { ...process.env, PERTURBQL_CACHE: temporaryFolder() };
    const error = await rejectionOf(ConfigError, () => pullModel({ source, name: 'mine', environment }, NOOP_HOST));
    expect(error.message).toContain('linker_threshold');
  });
});
