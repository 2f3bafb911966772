import { appendFileSync, existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countSoundItems, ItemJournal } from '../../src/run/item-journal.js';
import { builtModule, createFolder, ScriptProcess } from './run-fixture.js';

function journalFile(): string {
  return join(createFolder(), 'items.jsonl');
}

describe('ItemJournal', () => {
  test('gives back what was appended, now and when opened again', () => {
    const folder = createFolder();
    let files = 0;
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), fc.jsonValue())), (items) => {
        const file = join(folder, `${files++}.jsonl`);
        const journal = new ItemJournal<unknown>(file);
        for (const [id, result] of items) journal.append(id, result);
        const last = new Map(items.map(([id, result]) => [id, JSON.parse(JSON.stringify(result)) as unknown]));
        journal.close();
        const again = new ItemJournal<unknown>(file);
        for (const [id, result] of last) expect(again.get(id)).toEqual(result);
        expect(again.get('no such id')).toBeUndefined();
        again.close();
      }),
      { numRuns: 20 },
    );
  });

  test('reads lines that are longer than what is read at a time', () => {
    const file = journalFile();
    const journal = new ItemJournal<string>(file);
    const items = [900_000, 10, 3_000_000, 0, 1 << 19].map(
      (length, i) => [`item ${i}`, 'ä🙂'.repeat(length / 2)] as const,
    );
    journal.appendAll(items);
    journal.close();
    expect(countSoundItems(file)).toBe(items.length);
    const again = new ItemJournal<string>(file);
    expect(again.results).toEqual(items.map(([, text]) => text));
    again.close();
  });

  test('drops a line torn by a kill, wherever it is torn, and goes on after the whole ones', () => {
    const file = journalFile();
    const journal = new ItemJournal<string>(file);
    journal.append('a', 'ä🙂');
    journal.append('b', 'ö🙂');
    journal.close();
    const whole = readFileSync(file);
    const first = whole.indexOf('\n') + 1;
    for (let length = first; length < whole.length; length++) {
      writeFileSync(file, whole);
      truncateSync(file, length);
      const again = new ItemJournal<string>(file);
      expect([again.get('a'), again.get('b')]).toEqual(['ä🙂', undefined]);
      again.append('c', 'new');
      again.close();
      const third = new ItemJournal<string>(file);
      expect([third.get('a'), third.get('b'), third.get('c')]).toEqual(['ä🙂', undefined, 'new']);
      third.close();
    }
  });

  test('computes again what is behind a damaged line, without a stack trace', () => {
    const file = journalFile();
    const journal = new ItemJournal<number>(file);
    journal.append('a', 1);
    journal.close();
    appendFileSync(file, '{"id":"b","resu\u0000\u0000\n{"id":"c","result":3}\n');
    const again = new ItemJournal<number>(file);
    expect([again.get('a'), again.get('b'), again.get('c')]).toEqual([1, undefined, undefined]);
    again.append('b', 2);
    again.close();
    const third = new ItemJournal<number>(file);
    expect([third.get('a'), third.get('b'), third.get('c')]).toEqual([1, 2, undefined]);
    third.close();
  });

  test('notices a change of any byte of a line, and keeps the other lines', () => {
    const file = journalFile();
    const journal = new ItemJournal<unknown>(file);
    for (const id of ['a', 'b', 'c']) journal.append(id, { value: `${id} 7` });
    journal.close();
    const whole = readFileSync(file);
    const [start, end] = [whole.indexOf('\n') + 1, whole.lastIndexOf('{"check"')];
    for (let at = start; at < end; at++) {
      const changed = Buffer.from(whole);
      changed[at] = changed[at] === 0x31 ? 0x32 : 0x31;
      writeFileSync(file, changed);
      const again = new ItemJournal<unknown>(file);
      expect(again.get('a')).toEqual({ value: 'a 7' });
      expect(again.get('b')).toBeUndefined();
      // Without its line end, the line takes the next one along.
      if (at < end - 1) expect(again.get('c')).toEqual({ value: 'c 7' });
      expect(again.results).toHaveLength(at < end - 1 ? 2 : 1);
      again.close();
    }
  });

  test.each(['null', '7', '[]', '"a"', '{}', '{"id":"b"}', '{"id":7,"result":1}', '{"id":"b","result":1,"more":2}'])(
    'takes the line %s for damaged',
    (line) => {
      const file = journalFile();
      writeFileSync(file, `{"id":"a","result":1}\n${line}\n`);
      const journal = new ItemJournal<number>(file);
      expect(journal.results).toEqual([1]);
      journal.close();
    },
  );

  test('goes on with a journal from before lines had checksums', () => {
    const file = journalFile();
    writeFileSync(file, '{"id":"a","result":1}\n{"id":"b","result":{"value":2}}\n');
    const journal = new ItemJournal<unknown>(file);
    journal.append('c', 3);
    journal.close();
    const again = new ItemJournal<unknown>(file);
    expect(again.results).toEqual([1, { value: 2 }, 3]);
    again.close();
  });

  test('keeps every item that append returned for, through kill -9', async () => {
    const file = journalFile();
    const script = `
      import { writeSync } from 'node:fs';
      const { ItemJournal } = await import(process.argv[1]);
      const journal = new ItemJournal(process.argv[2]);
      for (let i = 0; ; i++) { journal.append('item ' + i, { i }); writeSync(1, i + '\\n'); }`;
    const writer = new ScriptProcess(script, [builtModule('run/item-journal.js'), file]);
    let last = -1;
    while (last < 20) last = Number(await writer.nextLine());
    await writer.kill();
    for (let line = await writer.nextLine(); line !== null; line = await writer.nextLine()) last = Number(line);
    const journal = new ItemJournal<{ i: number }>(file);
    for (let i = 0; i <= last; i++) expect(journal.get(`item ${i}`)).toEqual({ i });
    journal.close();
  });

  test('goes with remove', () => {
    const file = journalFile();
    const journal = new ItemJournal<number>(file);
    journal.append('a', 1);
    journal.remove();
    expect(existsSync(file)).toBe(false);
  });
});
