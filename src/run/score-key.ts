import { createHash } from 'node:crypto';
import type { EntailmentPair } from '../stage.js';

/** Bytes of a pair's key. */
export const KEY_BYTES = 16;

/** What a pair is stored by. */
export function keyOf({ premise, hypothesis }: EntailmentPair): Buffer {
  // The length keeps ("a", "bc") apart from ("ab", "c").
  return createHash('sha256').update(`${premise.length}:${premise}${hypothesis}`).digest().subarray(0, KEY_BYTES);
}

/** How files of a model's scores begin: its fingerprint is a hash, with `@device` where that is not the CPU. */
export function scoresOf(modelFingerprint: string): string {
  const [hash = '', device] = modelFingerprint.split('@');
  return `scores-${hash.slice(0, 16)}${device === undefined ? '' : `-${device}`}`;
}
