import type { ReviewedItem } from '../../api-shapes.js';
import { percent } from '../words.js';
import type { StoredAnswer } from '../../annotation.js';

/** Renders the annotators' comments to the reviewer. */
export function Comments({ answers }: { readonly answers: readonly StoredAnswer[] }) {
  const commented = answers.filter(({ comment }) => comment !== '');
  if (commented.length === 0) return null;
  return (
    <ul class="comments" aria-label="Comments of the annotators">
      {commented.map(({ annotator, comment }) => (
        <li key={annotator}>
          <b>{annotator}</b> {comment}
        </li>
      ))}
    </ul>
  );
}

/** Heading of answers that a reviewer compares. */
export function AnswersHead({ row }: { readonly row: ReviewedItem | undefined }) {
  return (
    <div class="section-head">
      <h2 id="names">Answers, side by side</h2>
      {row !== undefined && <span class="count">{percent(row.disagreement)} disagreement</span>}
    </div>
  );
}
