import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { checkRecord, loadJsonArray, loadText, parseJson } from '../../src/formats/json-file.js';
import { createFile, createFolder, faultOf } from './format-fixture.js';

describe('loadText', () => {
  test('drops a byte order mark', () => {
    expect(loadText(createFile('\uFEFF[1]'))).toBe('[1]');
  });

  test('refuses what is not UTF-8, a missing file and a folder', () => {
    expect(faultOf(() => loadText(createFile(Uint8Array.of(0x5b, 0xff, 0xfe)))).message).toMatch(/not UTF-8/);
    expect(faultOf(() => loadText('/nowhere/at-all.json')).where.file).toBe('/nowhere/at-all.json');
    expect(faultOf(() => loadText(createFolder())).message).toMatch(/can’t be read/);
  });
});

describe('parseJson', () => {
  test.each<[string, string, number]>([
    ['a word', '[\n  1,\n  x\n]', 3],
    ['a word in a long file', `[\n${'  "a long enough line to be cut from the message",\n'.repeat(50)}  oops\n]`, 52],
    ['a missing comma', '[\n{"a": 1}\n{"b": 2}\n]', 3],
    ['a trailing comma', '[\n  1,\n  2,\n]\n', 4],
    ['a missing colon', '{\n"a": 1,\n"b" 2}', 3],
    ['a line end in a string', '{"a":\n"b\nc"}', 2],
    ['an end too soon', '[\n1,\n2', 3],
    ['something behind the end', '[]\n\n{}', 3],
    ['HTML in place of JSON', '<!doctype html>\n<html>', 1],
    ['a single quote', "{\n  'a': 1\n}", 2],
  ])('names the line of %s', (_, text, line) => {
    const fault = faultOf(() => parseJson(text, 'some.json'));
    expect(fault.where).toEqual({ file: 'some.json', line });
    expect(fault.message).toBe('this is not JSON');
  });

  test('names the line of a character that can’t be in JSON, wherever it is put between lines', () => {
    const lines = fc.array(fc.constantFrom('1,', '"text",', '{"a": [null]},', 'true,'), { maxLength: 30 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const text = ['[', ...before, '§', ...after, '0]'].join('\n');
        expect(faultOf(() => parseJson(text, 'f')).where.line).toBe(before.length + 2);
      }),
    );
  });

  test('names the given line of a JSONL file', () => {
    expect(faultOf(() => parseJson('{', 'some.jsonl', 17)).where.line).toBe(17);
  });
});

describe('checkRecord and loadJsonArray', () => {
  test('name the record and the field', () => {
    const schema = z.object({ a: z.object({ b: z.number() }) });
    const fault = faultOf(() => checkRecord(schema, { a: { b: 'x' } }, { file: 'f', id: 'record 3' }, 'Repair it.'));
    expect(fault.message).toMatch(/^field "a\.b" is wrong: /);
    expect(fault.where).toEqual({ file: 'f', id: 'record 3' });
    expect(fault.fix).toBe('Repair it.');
    expect(faultOf(() => checkRecord(schema, null, { file: 'f', id: 'x' }, 'Repair it.')).message).toMatch(
      /^the record is wrong: /,
    );
  });

  const idSchema = z.union([z.string().min(1), z.int()]);
  test.each<[z.ZodType, unknown, string]>([
    [idSchema, undefined, 'is missing'],
    [idSchema, { a: 1 }, 'is wrong: text or a number is expected, not an object'],
    [idSchema, '', 'is wrong: it is empty'],
    [z.string(), 5, 'is wrong: text is expected, not a whole number'],
    [z.string().nullable(), [], 'is wrong: text is expected, not a list'],
    [z.object({}), null, 'is wrong: an object is expected, not null'],
    [z.enum(['a', 'b']), 'c', 'is wrong: "a" or "b" is expected, not "c"'],
    [z.literal(1), 2, 'is wrong: 1 is expected, not 2'],
    [z.array(z.int()).min(2), [1], 'is wrong: at least 2 items are expected'],
    [z.number().min(1), 0, 'is wrong: a number of at least 1 is expected'],
    [z.number().lt(1), 2, 'is wrong: a number below 1 is expected'],
    [z.strictObject({}), { b: 1 }, 'is wrong: there is no field "b"'],
    [z.string().regex(/^a/, 'it begins with a'), 'b', 'is wrong: it begins with a'],
    [z.iso.datetime(), 'b', 'is wrong: text of the form "datetime" is expected'],
  ])('say in words what is wrong with a field, %#', (schema, value, fault) => {
    const check = (): unknown =>
      checkRecord(z.object({ f: schema }), { f: value }, { file: 'f', id: '' }, 'Repair it.');
    expect(faultOf(check).message).toBe(`field "f" ${fault}`);
  });

  test('name the field within the form of several that comes closest', () => {
    const schema = z.object({ f: z.union([z.string(), z.object({ g: z.object({ h: z.int() }) })]) });
    const fault = faultOf(() => checkRecord(schema, { f: { g: { h: 'x' } } }, { file: 'f', id: '' }, 'Repair it.'));
    expect(fault.message).toBe('field "f.g.h" is wrong: a number is expected, not text');
  });

  test('refuse an empty list and what is no list', () => {
    expect(faultOf(() => loadJsonArray(createFile('[]'), 'questions')).message).toBe('the list of questions is empty');
    expect(faultOf(() => loadJsonArray(createFile('{}'), 'questions')).message).toMatch(
      /a JSON array of questions is expected/,
    );
    expect(faultOf(() => loadJsonArray(createFile(''), 'questions')).message).toMatch(/not JSON/);
  });
});
