import { formatCount } from '../../counts.js';
import { type Html, html, nameHtml } from '../html.js';
import type { Span, Text } from './document.js';

function renderSpan({ text, as, tone, title, href }: Span): Html {
  const inner = as === 'name' ? nameHtml(text) : html`${text}`;
  const classes = [as === 'tag' && 'tag', as === 'soft' && 'sub', tone !== undefined && `${tone} keyed`];
  const className = classes.filter((name) => name !== false).join(' ');
  const marks = [className !== '' && html` class="${className}"`, title !== undefined && html` title="${title}"`];
  if (href !== undefined) return html`<a href="${href}" ${marks}>${inner}</a>`;
  if (as === 'code') return html`<code${marks}>${inner}</code>`;
  if (as === 'strong') return html`<strong${marks}>${inner}</strong>`;
  return className === '' && title === undefined ? inner : html`<span${marks}>${inner}</span>`;
}

/** A text of a document as markup. */
export function renderText(text: Text | number): Html {
  if (typeof text === 'number') return html`${formatCount(text)}`;
  if (typeof text === 'string') return html`${text}`;
  return html`${text.map((part) => (typeof part === 'string' ? part : renderSpan(part)))}`;
}
