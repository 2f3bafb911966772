import { getOrMake } from '../../present.js';
/** Plain data. */
type Plain = string | number | boolean | null | undefined | readonly Plain[] | { readonly [key: string]: Plain };

/**
 * Values with each distinct text, list and object once. A list is the positions of its items; an object is the negative
 * of its shape's position less one, then those of its values; numbers, true, false and null are wrapped in objects.
 */
export interface PackedValues {
  readonly shapes: readonly (readonly string[])[];
  readonly values: readonly PackedValue[];
  /** Positions of the values that were packed. */
  readonly roots: readonly number[];
}

type PackedValue = string | readonly number[] | { readonly is: number | boolean | null };

class Packer {
  readonly #values: PackedValue[] = [];
  readonly #positions = new Map<string, number>();
  readonly #shapes = new Map<string, number>();
  /** Objects seen, so that shared ones are walked once. */
  readonly #seen = new Map<object, number>();

  get shapes(): string[][] {
    return [...this.#shapes.keys()].map((key) => JSON.parse(key) as string[]);
  }

  get values(): readonly PackedValue[] {
    return this.#values;
  }

  add(value: Plain): number {
    if (typeof value === 'string') return this.#put(`s${value}`, value);
    if (typeof value !== 'object' || value === null) return this.#put(`p${String(value)}`, { is: value ?? null });
    return getOrMake(this.#seen, value, () => {
      const packed = isList(value) ? value.map((item) => this.add(item)) : this.#fields(value);
      return this.#put(`a${packed.join()}`, packed);
    });
  }

  #fields(value: { readonly [key: string]: Plain }): number[] {
    const entries = Object.entries(value).filter(([, field]) => field !== undefined);
    const key = JSON.stringify(entries.map(([name]) => name));
    const shape = this.#shapes.get(key) ?? this.#shapes.size;
    this.#shapes.set(key, shape);
    return [-1 - shape, ...entries.map(([, field]) => this.add(field))];
  }

  #put(key: string, value: PackedValue): number {
    const known = this.#positions.get(key);
    if (known !== undefined) return known;
    this.#positions.set(key, this.#values.length);
    return this.#values.push(value) - 1;
  }
}

function isList(value: object): value is readonly Plain[] {
  return Array.isArray(value);
}

/** Packs plain objects that have much in common; numbers must not be NaN or infinite. */
export function packValues(roots: readonly object[]): PackedValues {
  const packer = new Packer();
  const positions = roots.map((root) => packer.add(root as Plain));
  return { shapes: packer.shapes, values: packer.values, roots: positions };
}

/** Reads packed values one by one, each when it is asked for. */
export class Unpacker<T> {
  readonly #packed: PackedValues;
  readonly #read = new Map<number, unknown>();

  constructor(packed: PackedValues) {
    this.#packed = packed;
  }

  get length(): number {
    return this.#packed.roots.length;
  }

  /** The value packed at a place. @throws RangeError where there is none */
  at(index: number): T {
    return this.#value(this.#root(index)) as T;
  }

  /** A field of the object packed at a place; the others are not read. @throws RangeError where there is none */
  field<K extends keyof T & string>(index: number, name: K): T[K] {
    const packed = this.#packed.values[this.#root(index)];
    const [first = 0, ...rest] = Array.isArray(packed) ? (packed as readonly number[]) : [];
    const position = rest[this.#packed.shapes[-1 - first]?.indexOf(name) ?? -1];
    return (position === undefined ? undefined : this.#value(position)) as T[K];
  }

  #root(index: number): number {
    const root = this.#packed.roots[index];
    if (root === undefined) throw new RangeError(`there is no value ${index}`);
    return root;
  }

  #value(position: number): unknown {
    const packed = this.#packed.values[position];
    if (typeof packed === 'string') return packed;
    if (packed === undefined) return null;
    if ('is' in packed) return packed.is;
    if (!this.#read.has(position)) this.#read.set(position, this.#compound(packed));
    return this.#read.get(position);
  }

  #compound(packed: readonly number[]): unknown {
    const [first = 0, ...rest] = packed;
    const names = first < 0 ? this.#packed.shapes[-1 - first] : undefined;
    if (names === undefined) return packed.map((item) => this.#value(item));
    return Object.fromEntries(names.map((name, i) => [name, this.#value(rest[i] ?? -1)]));
  }
}
