import { describe, expect, it } from 'vitest';
import { ModelFileError } from '../../src/errors.js';
import { AssociationScorer } from '../../src/retriever/association-scorer.js';
import type { TargetTable } from '../../src/stage.js';
import { HashingEmbedder } from './hashing-embedder.js';
import { createContext, createTarget } from './retriever-fixture.js';

const TARGET = { target: createTarget('singer', ['singer name', 'age']), column: 0 };

describe('AssociationScorer', () => {
  it('is higher for names that share words with the column and its table, within -2 to 2', async () => {
    const scorer = new AssociationScorer(new HashingEmbedder());
    const scores = await scorer.score(TARGET, ['singer name', 'singer', 'wing span'], createContext());
    expect(scores[0]).toBeGreaterThan(scores[1]!);
    expect(scores[1]).toBeGreaterThan(scores[2]!);
    for (const score of scores) expect(Math.abs(score)).toBeLessThanOrEqual(2 + 1e-6);
  });

  it('is the cosine with the column plus that with the table’s text, each known vector counted as it is', async () => {
    const vectors = new Map([
      ['db of singer: singer | singer name, age', [0, 1]],
      ['singer name', [1, 0]],
      ['both', [Math.SQRT1_2, Math.SQRT1_2]],
      ['neither', [-1, 0]],
    ]);
    const embedder = Object.assign(new HashingEmbedder(2), {
      embed: async (texts: readonly string[]) => texts.map((text) => Float32Array.from(vectors.get(text)!)),
    });
    const [both, neither] = await new AssociationScorer(embedder).score(TARGET, ['both', 'neither'], createContext());
    expect(both).toBeCloseTo(Math.SQRT2, 6);
    expect(neither).toBe(-1);
  });

  it('has the cosines of texts with the table’s text and with what its rows are called', async () => {
    const vectors = new Map([
      ['db of singer: singer | singer name, age', [0, 1]],
      ['vocalist', [1, 0]],
      ['artist', [0.6, 0.8]],
    ]);
    const embedder = Object.assign(new HashingEmbedder(2), {
      embed: async (texts: readonly string[]) => texts.map((text) => Float32Array.from(vectors.get(text)!)),
    });
    const scorer = new AssociationScorer(embedder);
    const [artist] = await scorer.nearnessOf(TARGET.target, 'vocalist', ['artist'], createContext());
    expect(artist!.table).toBeCloseTo(0.8, 6);
    expect(artist!.entity).toBeCloseTo(0.6, 6);
  });

  it('embeds a text once where several ask at the same time, and again after a failure', async () => {
    const asked: string[] = [];
    const hashing = new HashingEmbedder();
    let fails = true;
    const embedder = Object.assign(new HashingEmbedder(), {
      embed: async (texts: readonly string[], signal: AbortSignal) => {
        if (fails) throw new ModelFileError('no model', { fix: 'none' });
        asked.push(...texts);
        return hashing.embed(texts, signal);
      },
    });
    const scorer = new AssociationScorer(embedder);
    const scoreAll = (): Promise<unknown> =>
      Promise.all(['wing span', 'singer', 'wing span'].map((name) => scorer.score(TARGET, [name], createContext())));
    await expect(scoreAll()).rejects.toThrow(ModelFileError);
    fails = false;
    await scoreAll();
    expect([...asked].sort()).toEqual([...new Set(asked)].sort());
    expect(asked).toContain('wing span');
  });

  it('embeds no text whose vector a store has, and stores the others', async () => {
    const stored = new Map<string, Float32Array>();
    const store = { get: (text: string) => stored.get(text) ?? null, put: stored.set.bind(stored) };
    const names = ['singer name', 'wing span'];
    const scores = await new AssociationScorer(new HashingEmbedder(), store).score(TARGET, names, createContext());
    expect([...stored.keys()].sort()).toEqual(['db of singer: singer | singer name, age', ...names].sort());
    const never = Object.assign(new HashingEmbedder(), {
      embed: (texts: readonly string[]) => Promise.resolve(texts.map((text) => expect.unreachable(text))),
    });
    expect(await new AssociationScorer(never, store).score(TARGET, names, createContext())).toEqual(scores);
  });

  it('tells how much nearer an addition is to another table of the database: by tables, titles and columns', async () => {
    const scorer = new AssociationScorer(new HashingEmbedder());
    const [pets, toys] = [createTarget('pets', ['pet name', 'pet age']), createTarget('toys', ['toy', 'price'])];
    const student = { ...createTarget('students', ['student', 'city']), siblings: [toys.table, pets.table] };
    const of = async (name: string, title: string, target: TargetTable = student): Promise<number> =>
      (await scorer.foreignness({ target, column: 0 }, [{ name, title }], createContext()))[0]!;
    const own = await of('student city', 'students');
    expect(await of('pet name', 'students')).toBeGreaterThan(own + 1);
    expect(await of('student city', 'pets')).toBeGreaterThan(own + 1);
    const withColumn = { ...student, siblings: [createTarget('toys', ['student city']).table, pets.table] };
    expect(await of('student city', 'students', withColumn)).toBeGreaterThan(own);
    expect(await of('pet name', 'pets', createTarget('students', ['student', 'city']))).toBe(0);
  });

  it('prefers what is found under the table’s own entity to what its title names besides', async () => {
    const scorer = new AssociationScorer(new HashingEmbedder());
    const of = async (name: string, title: string): Promise<number> =>
      (await scorer.associate(TARGET, [{ name, title, score: 0.5 }], createContext()))[0]!;
    expect(await of('salary', 'Singers')).toBeGreaterThan(await of('salary', 'Opera singers'));
    expect(await of('opera seat', 'Jazz singers')).toBeGreaterThan(await of('opera seat', 'Opera singers'));
    expect(await scorer.associate(TARGET, [], createContext())).toEqual([]);
  });

  it('gives the same alone as in a list, embeds each text once, and answers an empty list', async () => {
    const embedder = new HashingEmbedder();
    const scorer = new AssociationScorer(embedder);
    const whole = await scorer.score(TARGET, ['label', 'singer age', 'label'], createContext());
    expect(whole[2]).toBe(whole[0]);
    expect(embedder.texts).toBe(4);
    expect(await new AssociationScorer(new HashingEmbedder()).score(TARGET, ['singer age'], createContext())).toEqual([
      whole[1],
    ]);
    await scorer.score(TARGET, ['singer age'], createContext());
    expect(embedder.texts).toBe(4);
    expect(await scorer.score(TARGET, [], createContext())).toEqual([]);
  });

  it('refuses a broken vector and stops when aborted', async () => {
    const broken = Object.assign(new HashingEmbedder(2), {
      embed: async (texts: readonly string[]) => texts.map(() => Float32Array.of(Number.NaN, 0)),
    });
    await expect(new AssociationScorer(broken).score(TARGET, ['label'], createContext())).rejects.toThrow(
      ModelFileError,
    );
    const aborted = createContext(1, AbortSignal.abort(new Error('stopped by the test')));
    await expect(new AssociationScorer(new HashingEmbedder()).score(TARGET, ['label'], aborted)).rejects.toThrow(
      'stopped by the test',
    );
  });

  it('names the encoder in its fingerprint', () => {
    expect(new AssociationScorer(new HashingEmbedder(8)).fingerprint).not.toBe(
      new AssociationScorer(new HashingEmbedder(16)).fingerprint,
    );
  });
});
