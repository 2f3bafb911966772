import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { qualifyByEntity } from '../../src/dictionary/replacement-plan.js';
import { inflector } from './dictionary-fixture.js';

function qualify(name: string, table: string): string[] {
  return qualifyByEntity(name.split(' '), table, inflector).map((words) => words.join(' '));
}

describe('qualifyByEntity', () => {
  test.each([
    ['name', 'museums', 'museum name'],
    ['id', 'student', 'student id'],
    ['status', 'orders', 'order status'],
    ['museum name', 'museums', 'name'],
    ['order quantity', 'orders', 'quantity'],
    ['dog breed', 'dogs', 'breed'],
  ])('"%s" of table "%s" is also "%s"', (name, table, other) => {
    expect(qualify(name, table)).toEqual([other]);
  });

  test.each([
    ['salary', 'employees'],
    ['student id', 'students'],
    ['museum code', 'museums'],
    ['home town', 'singers'],
    ['name', ''],
    ['name', 'xqzt'],
    ['name', 'all documents to be destroyed'],
    ['address', 'addresses'],
    ['museum name length', 'museums'],
    ['museum', 'museums'],
  ])('"%s" of table "%s" stays as it is', (name, table) => {
    expect(qualify(name, table)).toEqual([]);
  });

  test('what is put before can be taken away again, but for words that say too little alone', () => {
    const attribute = fc.constantFrom('name', 'title', 'status', 'date', 'location', 'price', 'id', 'code', 'number');
    fc.assert(
      fc.property(attribute, fc.constantFrom('museums', 'students', 'orders', 'dogs'), (name, table) => {
        const [qualified] = qualify(name, table);
        expect(qualify(qualified!, table)).toEqual(['id', 'code', 'number'].includes(name) ? [] : [name]);
      }),
    );
  });
});
