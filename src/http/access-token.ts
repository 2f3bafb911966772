import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const TOKEN_BYTES = 32;

/** A new secret for a person's link, safe in an address. */
export function createToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** Returns the stored form of a token; a plain hash of 256 random bits can't be guessed back. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Compares in constant time. */
export function matchesToken(token: string, hash: Buffer): boolean {
  return timingSafeEqual(hashToken(token), hash);
}
