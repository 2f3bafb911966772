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
