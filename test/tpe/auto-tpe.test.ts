import { describe, expect, test } from 'vitest';
import type { TpePredictor } from '../../src/stage.js';
import { annotationKey, AutoTpe } from '../../src/tpe/auto-tpe.js';
import { TableNameTpe } from '../../src/tpe/table-name-tpe.js';
import { loadTpeAnnotations } from '../../src/tpe/tpe-annotations.js';
import { createFile, faultOf } from '../formats/format-fixture.js';
import { createContext } from '../nli/nli-fixture.js';
import { createTarget } from '../retriever/retriever-fixture.js';

/** A zero-shot predictor that notes what it was asked. */
function guessing(): TpePredictor & { asked: string[] } {
  const asked: string[] = [];
  const predict: TpePredictor['predict'] = async (targets) =>
    targets.map(({ table }) => {
      asked.push(table.name);
      return 'athlete';
    });
  return { id: 'guessing', fingerprint: 'guessing', asked, predict };
}

describe('AutoTpe', () => {
  test('takes the annotation, else the name where it names an entity, else the guess', async () => {
    const zeroShot = guessing();
    const annotations = new Map([['db_of_singers/singers', 'vocalist']]);
    const tpe = new AutoTpe(annotations, new TableNameTpe(), zeroShot);
    const targets = ['singers', 'concerts', 'table 1'].map((name) => createTarget(name, ['name']));
    expect(await tpe.predict(targets, createContext())).toEqual(['vocalist', 'concert', 'athlete']);
    expect(zeroShot.asked).toEqual(['table 1']);
  });

  test('has another fingerprint with other annotations', () => {
    const of = (entity: string): string =>
      new AutoTpe(new Map([['a/b', entity]]), new TableNameTpe(), guessing()).fingerprint;
    expect(of('singer')).not.toBe(of('vocalist'));
    expect(of('singer')).toBe(of('singer'));
  });
});

describe('loadTpeAnnotations', () => {
  test('reads entities by database and original table', () => {
    const annotations = loadTpeAnnotations(createFile({ 'db_of_singers/singers': ' vocalist ' }));
    expect(annotations.get(annotationKey(createTarget('singers', ['name'])))).toBe('vocalist');
  });

  test.each<[string, unknown, RegExp]>([
    ['a list', ['singer'], /the record is wrong/],
    ['a number', { 'a/b': 7 }, /field "a\/b"/],
    ['an empty entity', { 'a/b': '  ' }, /field "a\/b"/],
  ])('refuses %s', (_, content, message) => {
    const file = createFile(content as object);
    const fault = faultOf(() => loadTpeAnnotations(file));
    expect(fault.message).toMatch(message);
    expect(fault.where.file).toBe(file);
    expect(fault.fix).toContain('{"db_id/table": "student"');
  });

  test('refuses what is not JSON, naming the line, and a missing file', () => {
    expect(faultOf(() => loadTpeAnnotations(createFile('{\n"a/b": singer\n}'))).where.line).toBe(2);
    expect(faultOf(() => loadTpeAnnotations('/nowhere.json')).message).toMatch(/can’t be read/);
  });
});
