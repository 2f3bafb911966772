import type { ApiError } from '../api-client.js';
import { Heading } from '../parts/heading.js';

/** Says how to sign in, to who came without a link or with one that doesn't hold. */
export function SignInScreen({ refusal }: { readonly refusal: ApiError | null }) {
  return (
    <main class="sign-in">
      <Heading title={refusal === null ? 'Open your own link' : 'This link does not let you in'} />
      {refusal === null ? (
        <p>
          You are not signed in. Every annotator has a link of their own, which ends in <code>#token=…</code>: open that
          one. It signs you in for this tab.
        </p>
      ) : (
        <p role="alert">
          The server says: {refusal.message}
          {refusal.fix === null ? '' : ` (${refusal.fix})`}
        </p>
      )}
      <p class="soft">
        Who runs the project finds the links where <code>perturbql annotate serve</code> was started, and makes a new
        one with <code>perturbql annotate invite</code>. What you did before is kept.
      </p>
    </main>
  );
}
