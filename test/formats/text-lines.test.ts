import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readTextLine, readTextLines } from '../../src/formats/streamed-file.js';
import { createFile, createFolder, faultOf } from './format-fixture.js';

const texts = (content: string | Uint8Array): string[] =>
  [...readTextLines(createFile(content))].map(({ text }) => text);

describe('readTextLines', () => {
  test('numbers lines, and takes off the byte order mark and both kinds of line end', () => {
    const file = createFile('\uFEFFone\r\n\ntwo\rthree\nlast');
    expect([...readTextLines(file)].map(({ line, text }) => [line, text])).toEqual([
      [1, 'one'],
      [2, ''],
      [3, 'two\rthree'],
      [4, 'last'],
    ]);
  });

  test('an empty file has no line, a lone line end one blank line', () => {
    expect(texts('')).toEqual([]);
    expect(texts('\uFEFF')).toEqual(['']);
    expect(texts('\n')).toEqual(['']);
  });

  test('reads lines longer than its chunks, and characters across their border', () => {
    const long = 'é'.repeat(1 << 20);
    expect(texts(`a\n${long}\nb\n`)).toEqual(['a', long, 'b']);
  });

  test('each line can be read again by its place', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), fc.boolean(), (parts, marked) => {
        const lines = parts.map((part) => part.replace(/[\r\n]/g, ' '));
        const file = createFile(`${marked ? '\uFEFF' : ''}${lines.map((line) => `${line}\r\n`).join('')}`);
        const read = [...readTextLines(file)];
        if (lines.length > 0 && !lines[0]!.startsWith('\uFEFF')) {
          expect(read.map(({ text }) => text)).toEqual(lines);
        }
        for (const line of read) expect(readTextLine(file, line)).toBe(line.text);
      }),
      { numRuns: 30 },
    );
  });

  test('names the line that is not UTF-8', () => {
    const file = createFile(Buffer.from('one\ntw\xe9\n', 'latin1'));
    const fault = faultOf(() => [...readTextLines(file)]);
    expect(fault.message).toBe('the line is not UTF-8 text');
    expect(fault.where).toEqual({ file, line: 2 });
  });

  test('refuses a file that is absent, and a folder', () => {
    expect(faultOf(() => [...readTextLines('/nowhere/file')]).message).toMatch(/can’t be read/);
    expect(faultOf(() => [...readTextLines(createFolder())]).message).toMatch(/can’t be read/);
  });
});
