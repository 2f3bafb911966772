import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ExamplePicker } from '../../../src/variants/report/example-picker.js';

test('picks the same of many values in any order, though it drops most of them on the way', () => {
  const value = fc.record({ group: fc.constantFrom(...'abcdefghijklm'), text: fc.string({ maxLength: 4 }) });
  const values = fc.uniqueArray(value, { selector: ({ group, text }) => `${group} ${text}`, maxLength: 60 });
  fc.assert(
    fc.property(values, fc.integer({ min: 1, max: 8 }), (all, limit) => {
      const pick = (offered: typeof all, size: number): readonly string[] => {
        const picker = new ExamplePicker<string>(size);
        for (const { group, text } of offered) picker.offer(group, text, `${group} ${text}`);
        return picker.picked();
      };
      // A picker with room for all drops nothing.
      const expected = pick(all, all.length + 1).slice(0, limit);
      expect(pick(all, limit)).toEqual(expected);
      expect(pick([...all].reverse(), limit)).toEqual(expected);
    }),
  );
});

test('takes one value after another of many groups without looking at all groups each time', () => {
  const picker = new ExamplePicker<number>(60);
  for (let i = 0; i < 20_000; i++) picker.offer(`database ${i % 5_000}`, `value ${i}`, i);
  expect(picker.picked()).toHaveLength(60);
});
