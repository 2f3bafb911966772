import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PackedValues, packValues, Unpacker } from '../../../src/report/document/pack-values.js';

const plain = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value')),
    fc
      .dictionary(
        fc.string().filter((name) => name !== '__proto__'),
        tie('value'),
      )
      .map((one) => ({ ...one })),
  ),
})).value;

describe('packValues', () => {
  it('gives all values back, through JSON', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ one: plain, other: plain })), (values) => {
        const unpacker = new Unpacker(JSON.parse(JSON.stringify(packValues(values))) as PackedValues);
        expect(values.map((_, i) => unpacker.at(i))).toEqual(values);
      }),
    );
  });

  it('gives one field back as it gives the whole', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ one: plain, other: plain }, { requiredKeys: ['one'] })), (values) => {
        const unpacker = new Unpacker<{ one: unknown; other?: unknown }>(packValues(values));
        for (const [i, { one, other }] of values.entries()) {
          expect(unpacker.field(i, 'one')).toEqual(one);
          expect(unpacker.field(i, 'other')).toEqual(other);
        }
      }),
    );
  });

  it('holds equal parts once, the same object or not', () => {
    const part = { name: 'a long name that many have in common', list: [1, 2, 3] };
    const many = Array.from({ length: 1000 }, (_, i) => ({ id: i, own: part, equal: { ...part, list: [1, 2, 3] } }));
    const packed = packValues(many);
    expect(packed.values.filter((value) => value === part.name)).toHaveLength(1);
    expect(JSON.stringify(packed).length).toBeLessThan(JSON.stringify(many).length / 4);
  });

  it('refuses a place without a value', () => {
    expect(() => new Unpacker(packValues([{}])).at(1)).toThrow(RangeError);
  });
});
