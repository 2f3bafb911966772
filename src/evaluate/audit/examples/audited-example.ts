import type { DatasetExample } from '../../../formats/dataset.js';
import type { AuditedGold } from '../audited-gold.js';
import type { GoldFinding } from '../finding.js';

/** An example with its gold, which other examples may have, too. */
export interface AuditedExample {
  readonly example: DatasetExample;
  readonly gold: AuditedGold;
  /** The question with those that it follows in its interaction. */
  readonly dialog: string;
  /** The data set's hint for the question, such as BIRD's evidence; empty if there is none. */
  readonly evidence: string;
}

/** A fault in an example that its gold query alone does not show. */
export interface ExampleFinding extends GoldFinding {
  readonly example: DatasetExample;
}
