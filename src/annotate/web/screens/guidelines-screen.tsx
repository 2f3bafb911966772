import { type ComponentChild, h } from 'preact';
import { useDesk } from '../desk.js';
import { Heading, Waiting } from '../parts/screen-parts.js';
import { useLoaded } from '../use-loaded.js';

/** The elements that text needs, none that loads or runs anything. */
const ALLOWED_TAGS = new Set(
  'section h2 h3 h4 p ul ol li strong em b i code pre kbd blockquote table caption thead tbody tr th td dl dt dd hr br mark'.split(
    ' ',
  ),
);

/**
 * Text with simple markup, built element by element: what else the markup holds is left out, attributes save `scope`
 * and `class` too.
 */
function PlainHtml({ html }: { readonly html: string }) {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  return <>{childrenOf(body)}</>;
}

function childrenOf(node: Node): readonly ComponentChild[] {
  return [...node.childNodes].map((child) => {
    if (child instanceof Text) return child.data;
    if (!(child instanceof Element)) return null;
    // The page has its own title of the first rank.
    const name = child.localName === 'h1' ? 'h2' : child.localName;
    if (name === 'script' || name === 'style') return null;
    return h(ALLOWED_TAGS.has(name) ? name : 'span', attributesOf(child), ...childrenOf(child));
  });
}

function attributesOf(element: Element): Readonly<Record<string, string>> {
  const kept = [...element.attributes].filter(({ name }) => name === 'scope' || name === 'class');
  return Object.fromEntries(kept.map(({ name, value }) => [name, value]));
}

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
