import { describe, expect, it } from 'vitest';
import { isOrderMeant } from '../../../src/sql/execution/result-mode.js';
import { DenotationRunner } from '../../../src/testsuite/denotation/denotation-runner.js';
import { CORPUS } from './corpus/corpus.js';
import { openCorpus } from './corpus/open-corpus.js';

const golds = CORPUS.flatMap((schema) => schema.golds);
const wrong = golds.flatMap((gold) => Object.values(gold.wrong));
const same = golds.flatMap((gold) => gold.same);

describe('the corpus', () => {
  it('has 200 wrong queries and 100 rewrites, none twice', () => {
    expect(wrong.length).toBeGreaterThanOrEqual(200);
    expect(same.length).toBeGreaterThanOrEqual(100);
    const all = [...golds.map(({ gold }) => gold), ...wrong, ...same];
    expect(new Set(all).size).toBe(all.length);
  });

  it.each(CORPUS)('of the $id holds references, and each of its queries gives the gold’s rows there', (schema) => {
    const sqlite = openCorpus(schema);
    expect(sqlite.pragma('foreign_key_check')).toEqual([]);
    const runner = new DenotationRunner(sqlite);
    for (const { gold, wrong, same } of schema.golds) {
      const mode = isOrderMeant(gold) ? 'ordered' : 'bag';
      const found = runner.denote(gold, mode);
      expect(found.kind === 'rows' && found.rows > 0).toBe(true);
      for (const sql of [...Object.values(wrong), ...same]) {
        expect({ sql, found: runner.denote(sql, mode) }).toEqual({ sql, found });
      }
    }
    sqlite.close();
  });
});
