import { z } from 'zod';

/** First bytes of a compact vector file (`.pqv`). */
export const VECTOR_FILE_MAGIC = 'PQVEC\r\n\x1a';

/** Raised whenever the layout changes; an older or newer file is refused. */
export const VECTOR_FILE_VERSION = 1;

/** Magic (8 bytes), version (u32), length of the JSON header (u32); all integers little-endian. */
export const PREAMBLE_BYTES = 16;

/** The JSON header is padded with spaces so that the payload's 32-bit sections are aligned. */
export const HEADER_ALIGNMENT = 16;

/** A JSON header longer than this is taken for damage. */
export const MAX_HEADER_BYTES = 65_536;

const wholeNumber = z.number().int().nonnegative();

/** The header of a compact vector file. */
export const vectorFileHeaderSchema = z.strictObject({
  /** Name of the vectors, such as `retrofitted-glove`. */
  name: z.string().min(1),
  revision: z.string(),
  license: z.string(),
  dimension: wholeNumber.min(1).max(4096),
  count: wholeNumber.min(1),
  /**
   * The first so many terms are single words in order of frequency, most frequent first; 0 when the order means
   * nothing.
   */
  rankedCount: wholeNumber,
  /** Words of the longest term, 1 or more: bounds the n-gram search. */
  longestTerm: wholeNumber.min(1),
  /** Length of all terms in UTF-8. */
  termBytes: wholeNumber.min(1),
  /** SHA-256 of the payload (everything after the header), in hexadecimal. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

export type VectorFileHeader = z.infer<typeof vectorFileHeaderSchema>;

/** Byte offsets of the payload's sections, from the payload's start. */
export interface PayloadLayout {
  /** float32 `[count]`: scale of each term, 1 / norm of its int8 vector, so that scaled vectors have unit length. */
  readonly scales: number;
  /** uint32 `[count + 1]`: where each term starts in the term bytes. */
  readonly termOffsets: number;
  /** int8 `[count, dimension]`. */
  readonly vectors: number;
  /** UTF-8 terms, one after the other. */
  readonly terms: number;
  readonly end: number;
}

/** Where the sections of a payload of this size lie. */
export function payloadLayout(size: Pick<VectorFileHeader, 'count' | 'dimension' | 'termBytes'>): PayloadLayout {
  const termOffsets = size.count * 4;
  const vectors = termOffsets + (size.count + 1) * 4;
  const terms = vectors + size.count * size.dimension;
  return { scales: 0, termOffsets, vectors, terms, end: terms + size.termBytes };
}
