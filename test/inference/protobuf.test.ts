import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesField, readFields, readNumbers, varintField } from '../../src/inference/onnx-graph.js';

const numbers = fc.integer({ min: 1, max: 1000 });

describe('protobuf', () => {
  test('reads back what it wrote, field by field', () => {
    const field = fc.oneof(
      fc.record({ number: numbers, value: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }) }),
      fc.record({ number: numbers, value: fc.uint8Array({ maxLength: 300 }) }),
    );
    fc.assert(
      fc.property(fc.array(field), (fields) => {
        const message = Buffer.concat(
          fields.map(({ number, value }) =>
            typeof value === 'bigint' ? varintField(number, value) : bytesField(number, value),
          ),
        );
        const read = readFields(message);
        expect(read.map(({ number }) => number)).toEqual(fields.map(({ number }) => number));
        expect(read.map(({ wireType, varint, bytes }) => (wireType === 0 ? varint : Uint8Array.from(bytes)))).toEqual(
          fields.map(({ value }) => value),
        );
        expect(Buffer.concat(read.map(({ raw }) => raw)).equals(message)).toBe(true);
      }),
    );
  });

  test('writes negative numbers as int64, and reads repeated numbers packed or not', () => {
    expect(readFields(varintField(3, -1))[0]!.varint).toBe(2n ** 64n - 1n);
    const fields = readFields(Buffer.concat([varintField(1, 7), bytesField(1, Uint8Array.of(0x96, 0x01, 2))]));
    expect(readNumbers(fields, 1)).toEqual([7n, 150n, 2n]);
  });

  test('refuses bytes that are no message', () => {
    expect(() => readFields(Uint8Array.of(0x0a, 0x05, 1))).toThrow(RangeError);
    expect(() => readFields(Uint8Array.of(0x80))).toThrow(RangeError);
    expect(() => readFields(Uint8Array.of(0x0b))).toThrow(RangeError);
  });
});
