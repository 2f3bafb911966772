import type { ReviewedItem } from '../../api-shapes.js';
import { percent } from '../percent.js';

/** Heading of answers that a reviewer compares. */
export function AnswersHead({ row }: { readonly row: ReviewedItem | undefined }) {
  return (
    <div class="section-head">
      <h2 id="names">Answers, side by side</h2>
      {row !== undefined && <span class="count">{percent(row.disagreement)} disagreement</span>}
    </div>
  );
}
