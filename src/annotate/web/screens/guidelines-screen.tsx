import { useDesk } from '../desk.js';
import { Heading } from '../parts/heading.js';
import { PlainHtml } from '../parts/plain-html.js';
import { Waiting } from '../parts/waiting.js';
import { useLoaded } from '../use-loaded.js';

/** Renders the guidelines: what makes a name right, with examples. */
export function GuidelinesScreen() {
  const { api } = useDesk();
  const { value, away, error } = useLoaded('guidelines', api.guidelines);
  return (
    <div class="page prose">
      <Heading title="Guidelines" />
      {value === null ? <Waiting away={away} error={error} /> : <PlainHtml html={value.html} />}
    </div>
  );
}
