import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderStatement } from '../../src/nli/statement.js';
import { COLUMN_TYPES } from '../../src/schema/schema.js';

describe('renderStatement', () => {
  test('is the paper’s text, with the type (the notebook gives "Student agenumber.")', () => {
    expect(renderStatement('student', 'age', 'number')).toBe('student age (number).');
    expect(renderStatement('dog kennel', 'home town', 'text')).toBe('dog kennel home town (text).');
  });

  test('spells out abbreviations of the column, not of the entity', () => {
    expect(renderStatement('emp', 'num of emp', 'number')).toBe('emp number of employee (number).');
  });

  test('has no leading space without an entity', () => {
    expect(renderStatement('', 'age', 'number')).toBe('age (number).');
  });

  test('keeps the type of a column whose name is blank', () => {
    expect(renderStatement('', ' ', 'text')).toBe('  (text).');
  });

  test('names the type of every column', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 1 }), fc.constantFrom(...COLUMN_TYPES), (entity, name, type) => {
        expect(renderStatement(entity, name, type).endsWith(` (${type}).`)).toBe(true);
      }),
    );
  });
});
