import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderCorpusTable, renderTargetQuery } from '../../src/retriever/table-context.js';
import { createTarget } from './retriever-fixture.js';

describe('renderCorpusTable', () => {
  it('joins title, columns and values', () => {
    const rows = [
      ['Tosca', 'Puccini'],
      ['Turandot', 'Puccini'],
    ];
    const table = { id: 'a', title: 'List of operas', columns: ['opera', 'composer'], types: [], rows };
    expect(renderCorpusTable(table)).toBe('List of operas | opera, composer | Tosca, Puccini, Turandot');
  });

  it('leaves out empty parts, long values and what is over the limit', () => {
    const columns = Array.from({ length: 400 }, (_, number) => `column ${number}`);
    const rows = [columns.map((_, number) => (number === 0 ? 'x'.repeat(70) : `v${number}`))];
    const text = renderCorpusTable({ id: 'a', title: '', columns, types: [], rows });
    expect(text).toMatch(/^column 0, column 1, .* \| v1, v2, /u);
    expect(text.length).toBeLessThan(650);
  });
});

describe('renderTargetQuery', () => {
  it('holds domain, name, columns, values and questions', () => {
    const target = {
      ...createTarget('singer', ['name', 'age'], ['Who sings?', 'Who sings?', ' Who is  old? ']),
      dbId: 'concert_singer',
    };
    expect(renderTargetQuery({ ...target, values: [['Ann'], ['30', '31']] })).toBe(
      'concert singer: singer | name, age | Ann, 30, 31 | Who sings? Who is old?',
    );
  });

  it('leaves out a database id that is no words or only repeats the table', () => {
    const target = createTarget('roster', ['name']);
    for (const dbId of ['1-10006830-1', 'roster', ''])
      expect(renderTargetQuery({ ...target, dbId })).toBe('roster | name');
  });

  it('takes questions from the whole list when they are too many, in their order', () => {
    const questions = Array.from({ length: 200 }, (_, number) => `What is the answer to question number ${number}?`);
    const text = renderTargetQuery(createTarget('quiz', ['answer'], questions));
    const numbers = [...text.matchAll(/number (\d+)/gu)].map((match) => Number(match[1]));
    expect(numbers.length).toBeGreaterThan(8);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    for (const quarter of [0, 50, 100, 150])
      expect(numbers.some((number) => number >= quarter && number < quarter + 50)).toBe(true);
  });

  it('cuts a single question that is too long', () => {
    expect(renderTargetQuery({ ...createTarget('', [], ['why '.repeat(1000)]), dbId: '' }).length).toBeLessThanOrEqual(
      560,
    );
  });

  it('is bounded, on one line and the same again for any input', () => {
    const texts = fc.array(fc.string({ maxLength: 200 }), { maxLength: 30 });
    fc.assert(
      fc.property(fc.string(), texts, texts, (name, columns, questions) => {
        const target = { ...createTarget(name, columns, questions), values: [questions, columns] };
        const text = renderTargetQuery(target);
        expect(text.length).toBeLessThanOrEqual(1220);
        expect(text).not.toContain('\n');
        expect(renderTargetQuery(structuredClone(target))).toBe(text);
      }),
    );
  });
});
