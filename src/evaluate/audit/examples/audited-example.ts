import type { DatasetExample } from '../../../formats/dataset.js';
import type { AuditedGold } from '../audited-gold.js';
import type { GoldFinding } from '../finding.js';

/** An example with its gold, which other examples may have, too. */
export interface AuditedExample {
  readonly example: DatasetExample;
  readonly gold: AuditedGold;
  /** The question with those that it follows in its interaction. */
  readonly dialog: string;
  /** What the data set says to help with the question, as BIRD's evidence; empty where it says nothing. */
  readonly evidence: string;
}

/** What is wrong with an example that its gold alone does not show. */
export interface ExampleFinding extends GoldFinding {
  readonly example: DatasetExample;
}
