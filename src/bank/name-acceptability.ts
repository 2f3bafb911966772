import type { AcceptabilityModel, NameEstimate } from '../nli/acceptability/acceptability-model.js';
import { nameFeatures } from '../nli/acceptability/name-features.js';
import { tableText } from '../retriever/table-context.js';
import type { TextEmbedder } from '../retriever/text-embedder.js';
import { spacedName } from '../schema/name-identity.js';
import type { Column } from '../schema/schema.js';
import type { Candidate, StageContext, TargetTable } from '../stage.js';
import type { BankEvidence } from './bank-evidence.js';
import type { ColumnBank } from './column-bank.js';
import { itemAt } from '../present.js';

/** Estimates of names for one column of a table. */
export type ColumnEstimates = (candidate: Candidate) => NameEstimate;

export interface NameAcceptabilityParts {
  readonly bank: ColumnBank;
  readonly evidence: BankEvidence;
  readonly model: AcceptabilityModel;
  /** Whether the model was fitted with the judge in use; with another judge, it only orders what that is asked. */
  readonly isFitted: boolean;
  readonly embedder: TextEmbedder;
  readonly similarity: (a: string, b: string) => number | null;
  readonly rank: (word: string) => number | null;
}

/** With another judge, no bucket is closed and its own readings count. */
const UNFITTED: Pick<NameEstimate, 'isUnlikely' | 'combine'> = {
  isUnlikely: { replacement: false, addition: false },
  combine: (reading) => reading,
};

/** Estimates how readers would take names, from the bank of columns, word vectors and the words of the table. */
export class NameAcceptability {
  readonly fingerprint: string;
  readonly #parts: NameAcceptabilityParts;

  constructor(parts: NameAcceptabilityParts) {
    this.#parts = parts;
    this.fingerprint = `acceptability-1:${parts.isFitted ? '' : 'order-only:'}${parts.model.fingerprint}:${parts.bank.fingerprint}`;
  }

  /** Estimates for names of each column of a table; the table is embedded once. */
  async ofTable({ dbId, table }: TargetTable, { signal }: StageContext): Promise<(column: Column) => ColumnEstimates> {
    const { bank, evidence, embedder, model, isFitted, ...parts } = this.#parts;
    const vector = itemAt(await embedder.embed([tableText(dbId, table.name, table.columns)], signal), 0);
    const domains = bank.tableCosines(vector);
    const [nearest = -1] = domains.nearest(1);
    const ofTable = { ...parts, table, nearestTable: domains.of(nearest) };
    return (column) => {
      const witness = evidence.ofColumn(spacedName(column.name), domains);
      const features = nameFeatures({ ...ofTable, column, witness });
      return ({ name, source }) => {
        const estimate = model.estimate(features(name, source));
        return isFitted ? estimate : { ...estimate, ...UNFITTED };
      };
    };
  }
}
