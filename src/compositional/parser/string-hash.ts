const MASK = (1n << 64n) - 1n;
/** MurmurHash64A's multiplier and shift. */
const MULTIPLIER = 0xc6a4a7935bd1e995n;
const SHIFT = 47n;
/** spaCy's seed of hashes of strings (spacy/strings.pyx). */
const STRING_SEED = 1n;

const times = (a: bigint, b: bigint): bigint => (a * b) & MASK;
const plus = (a: bigint, b: bigint): bigint => (a + b) & MASK;

const encoder = new TextEncoder();

function mixTail(hash: bigint, tail: Uint8Array): bigint {
  if (tail.length === 0) return hash;
  let word = 0n;
  tail.forEach((byte, at) => (word |= BigInt(byte) << BigInt(8 * at)));
  return times(hash ^ word, MULTIPLIER);
}

/** 64-bit hash by which spaCy's string store knows a text: MurmurHash64A of its UTF-8 bytes. */
export function hashString(text: string): bigint {
  const bytes = encoder.encode(text);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const whole = bytes.length - (bytes.length % 8);
  let hash = STRING_SEED ^ times(BigInt(bytes.length), MULTIPLIER);
  for (let at = 0; at < whole; at += 8) {
    const word = times(view.getBigUint64(at, true), MULTIPLIER);
    hash = times(hash ^ times(word ^ (word >> SHIFT), MULTIPLIER), MULTIPLIER);
  }
  hash = mixTail(hash, bytes.subarray(whole));
  hash = times(hash ^ (hash >> SHIFT), MULTIPLIER);
  return hash ^ (hash >> SHIFT);
}

function finish(hash: bigint): bigint {
  let mixed = times(hash ^ (hash >> 33n), 0xff51afd7ed558ccdn);
  mixed = times(mixed ^ (mixed >> 33n), 0xc4ceb9fe1a85ec53n);
  return mixed ^ (mixed >> 33n);
}

/** Four rows of a hash table for one 64-bit key, as thinc's HashEmbed picks them: MurmurHash3 x64 of 128 bits, in quarters. */
export function hashedRows(key: bigint, seed: number, rows: number): readonly [number, number, number, number] {
  const product = times(key, 0x87c37b91114253d5n);
  const rotated = ((product << 31n) & MASK) | (product >> 33n);
  let first = times(rotated, 0x4cf5ad432745937fn) ^ BigInt(seed) ^ 8n;
  let second = BigInt(seed) ^ 8n;
  first = plus(first, second);
  second = plus(second, first);
  first = finish(first);
  second = finish(second);
  first = plus(first, second);
  second = plus(second, first);
  const row = (quarter: bigint): number => Number(quarter & 0xffffffffn) % rows;
  return [row(first), row(first >> 32n), row(second), row(second >> 32n)];
}
