import { z } from 'zod';
import { PackagedPart, partManifest } from '../inference/packaged-part.js';
import { packagePath } from '../package-path.js';
import { ENTITY_LABELS, type RankedEntity, rankEntities } from './entity-labels.js';
import { zip } from '../present.js';

const FILE = 'head.bin';

const manifestSchema = partManifest('table-entity', [FILE]).extend({
  /** sha256 of the encoder that it was trained on: of another one's vectors it knows nothing. */
  encoder: z.string(),
  dimension: z.int().positive(),
});

/** Folder of the head that ships with the package. */
export function embeddedHeadFolder(): string {
  return packagePath('models/entity');
}

const partOf = (folder: string): PackagedPart => new PackagedPart('the entity head', folder);

/** Reads an entity head's manifest. @throws ModelFileError when the folder has no manifest, or another model's */
export function readHeadManifest(folder = embeddedHeadFolder()): z.infer<typeof manifestSchema> {
  return partOf(folder).manifest(manifestSchema);
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

  /**
   * @throws ModelFileError when the folder holds no head, not the one its manifest describes, or one of another encoder
   */
  static open(encoderSha256: string, folder = embeddedHeadFolder()): EntityHead {
    const { files, encoder, dimension } = readHeadManifest(folder);
    return partOf(folder).file(FILE, files[FILE], (bytes) => {
      if (encoder !== encoderSha256) throw new RangeError('it was trained on another encoder');
      const weights = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
      if (weights.length !== (ENTITY_LABELS.length + 1) * (dimension + 1)) throw new RangeError('it has another size');
      return new EntityHead(weights, dimension, files[FILE].sha256);
    });
  }

  /** All labels, the likeliest first; what is missing to 1 is the probability that none of them fits. */
  rank(vector: Float32Array): readonly RankedEntity[] {
    return rankEntities(
      this.#rows.map((row) =>
        zip(vector, row.subarray(0, -1)).reduce((sum, [value, weight]) => sum + value * weight, row.at(-1) ?? 0),
      ),
    );
  }
}
