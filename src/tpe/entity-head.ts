import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ModelFileError } from '../errors.js';
import { packagePath } from '../package-path.js';
import { sha256Of } from '../run/sha256.js';
import { ENTITY_LABELS } from './entity-labels.js';
import { rankEntities, type RankedEntity } from './rank-entities.js';

const FILE = 'head.bin';
const FIX = 'Install perturbql again (`npm ci`).';

const manifestSchema = z.object({
  task: z.literal('table-entity'),
  name: z.string(),
  revision: z.string(),
  license: z.string(),
  /** sha256 of the encoder that it was trained on: of another one's vectors it knows nothing. */
  encoder: z.string(),
  dimension: z.int().positive(),
  files: z.object({ [FILE]: z.object({ bytes: z.int(), sha256: z.string() }) }),
});

/** Folder of the head that ships with the package. */
export function embeddedHeadFolder(): string {
  return packagePath('models/entity');
}

/** What an entity head says of itself. @throws ModelFileError when the folder has no manifest, or another model's */
export function readHeadManifest(folder = embeddedHeadFolder()): z.infer<typeof manifestSchema> {
  const file = join(folder, 'manifest.json');
  if (!existsSync(file)) throw new ModelFileError('the entity head is missing', { where: { file }, fix: FIX });
  try {
    return manifestSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

function unreadable(file: string, cause: unknown): ModelFileError {
  return new ModelFileError('the entity head can’t be read', { where: { file }, cause, fix: FIX });
}

/**
 * A linear layer with softmax over the table encoder's vectors: one row for each of the 48 labels, then one for tables
 * that none of them fits; each row is its weights, then its bias, float32.
 */
export class EntityHead {
  /** sha256 of the weights. */
  readonly fingerprint: string;
  readonly #rows: readonly Float32Array[];

  private constructor(weights: Float32Array, dimension: number, fingerprint: string) {
    const width = dimension + 1;
    this.fingerprint = fingerprint;
    this.#rows = Array.from({ length: ENTITY_LABELS.length + 1 }, (_, row) =>
      weights.subarray(row * width, (row + 1) * width),
    );
  }

  /** @throws ModelFileError when the folder holds no head, not the one its manifest describes, or one of another encoder */
  static open(encoderSha256: string, folder = embeddedHeadFolder()): EntityHead {
    const { files, encoder, dimension } = readHeadManifest(folder);
    const file = join(folder, FILE);
    try {
      const bytes = readFileSync(file);
      const sha256 = sha256Of(bytes);
      if (sha256 !== files[FILE].sha256) throw new RangeError('its hash is not the manifest’s');
      if (encoder !== encoderSha256) throw new RangeError('it was trained on another encoder');
      const weights = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
      if (weights.length !== (ENTITY_LABELS.length + 1) * (dimension + 1)) throw new RangeError('it has another size');
      return new EntityHead(weights, dimension, sha256);
    } catch (cause) {
      throw unreadable(file, cause);
    }
  }

  /** All labels, the likeliest first; what is missing to 1 is the probability that none of them fits. */
  rank(vector: Float32Array): readonly RankedEntity[] {
    return rankEntities(this.#rows.map((row) => vector.reduce((sum, value, i) => sum + value * row[i]!, row.at(-1)!)));
  }
}
