import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { formatCount } from '../counts.js';
import { escapeHtml, type Html, html, rawHtml } from './html.js';
import { REPORT_STYLE } from './report-style.js';
import { renderBar } from './svg-plots.js';
import { ConfigError } from '../errors.js';
import { packagePath } from '../package-path.js';

/** A whole page: what is above the main part, and its sections with their links. */
export interface PageContent {
  readonly title: string;
  /** Small line above the headline. */
  readonly eyebrow: Html;
  readonly headline: string;
  /** The result, in a sentence or two. */
  readonly lede: Html;
  /** Next to the lede where there is room: the answer as a plot. */
  readonly aside?: Html;
  readonly warnings: readonly string[];
  readonly sections: readonly PageSection[];
  /** Version of perturbql. */
  readonly version: string;
  /** The page's own style and script beyond the shared ones. */
  readonly style?: string;
  readonly script?: PageScript;
  /** The data for the page's script, as made by `renderPageData`. */
  readonly data?: Html;
  /** The last line; by default that report.json has the same figures. */
  readonly footer?: string;
}

export interface PageSection {
  readonly id: string;
  readonly heading: string;
  /** Shorter text for the section's link. */
  readonly link?: string;
  readonly body: Html;
  /** True where the section is next to the next one when there is room. */
  readonly half?: boolean;
}

const sourceHash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The policy lets in this page's own style and script and nothing from anywhere else, whatever the data hold. */
function policyOf(style: string, script: string): string {
  return `default-src 'none'; style-src ${sourceHash(style)}; script-src ${sourceHash(script)}; img-src data:; base-uri 'none'; form-action 'none'`;
}

/** Data for the page's script, as JSON that can't end its element; a lone surrogate is written as an escape. */
export function renderPageData(id: string, data: unknown): Html {
  const json = JSON.stringify(data).replace(/</g, '\\u003c');
  return rawHtml(`<script type="application/json" id="${escapeHtml(id)}">${json}</script>`);
}

/** Renders a self-contained page: it loads nothing, and works as a file, offline, and without scripts. */
export function renderPage(content: PageContent): string {
  const { title, sections, data } = content;
  const style = REPORT_STYLE + (content.style ?? '');
  const script = [...(['report'] as const), ...(content.script === undefined ? [] : [content.script])]
    .map(loadPageScript)
    .join('');
  // Apart from the page's template: the policy's hashes are of these very bytes, white space included.
  const [styleElement, scriptElement] = [rawHtml(`<style>${style}</style>`), rawHtml(`<script>${script}</script>`)];
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policyOf(style, script)}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        ${styleElement}
      </head>
      <body>
        <header>
          <div${content.aside !== undefined && html` class="answer"`}>
            <div>
              <p class="eyebrow">${content.eyebrow}</p>
              <h1>${content.headline}</h1>
              <p class="lede">${content.lede}</p>
            </div>
            ${content.aside ?? null}
          </div>
          ${renderWarnings(content.warnings)}
        </header>
        <nav aria-label="Sections">
          <ul>
            ${sections.map(({ id, heading, link }) => html`<li><a href="#${id}">${link ?? heading}</a></li>`)}
          </ul>
        </nav>
        <main>${renderSections(sections)}</main>
        <footer>
          <p>
            Written by perturbql ${content.version}.
            ${content.footer ?? 'The figures of this page are also in report.json.'}
          </p>
        </footer>
        ${data ?? null}${scriptElement}
      </body>
    </html> `;
  return page.toString();
}

function renderSections(sections: readonly PageSection[]): Html[] {
  const [section, next, ...others] = sections;
  if (section === undefined) return [];
  if (section.half !== true || next?.half !== true)
    return [renderSection(section, 'section'), ...renderSections(sections.slice(1))];
  const halves = [section, next].map((part) => renderSection(part, 'div'));
  return [html`<section class="split">${halves}</section>`, ...renderSections(others)];
}

function renderSection({ id, heading, body }: PageSection, element: 'section' | 'div'): Html {
  const tag = rawHtml(element);
  const role = element === 'div' && html` role="region"`;
  return html`<${tag} id="${id}"${role} aria-labelledby="${id}-heading"><h2 id="${id}-heading">${heading}</h2>${body}</${tag}>\n`;
}

function renderWarnings(warnings: readonly string[]): Html | false {
  if (warnings.length === 0) return false;
  const title = warnings.length === 1 ? 'One warning' : `${formatCount(warnings.length)} warnings`;
  return html`<aside class="warnings" aria-label="Warnings">
    <details>
      <summary>${title}</summary>
      <ul>
        ${warnings.map((warning) => html`<li>${warning}</li>`)}
      </ul>
    </details>
  </aside>`;
}

/** A quantity with its share as a bar; the share is in [0, 1]. */
export interface Meter {
  readonly label: Html | string;
  readonly figure: string;
  readonly gloss: string;
  readonly share: number;
  /** Class that colors the bar. */
  readonly className: string;
}

/** A horizontal bar chart as a list, so that each bar's words and numbers are text. */
export function renderMeters(meters: readonly Meter[]): Html {
  return html`<ul class="meters">
    ${meters.map(
      ({ label, figure, gloss, share, className }) =>
        html`<li>
          <span class="label">${label}</span>
          <span class="value">${figure} ${gloss !== '' && html`<span class="gloss">${gloss}</span>`}</span>
          ${renderBar([{ share, className }])}
        </li>`,
    )}
  </ul>`;
}

/** Names and values in two columns where there is room. */
export function renderFacts(facts: readonly (readonly [label: string, value: Html | string | number])[]): Html {
  return html`<dl class="facts">
    ${facts.map(
      ([label, value]) =>
        html`<div>
          <dt>${label}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

/** A search box for a table, shown once the page's script runs. */
export function renderFilter(id: string, label: string): Html {
  return html`<div class="filter" id="${id}" hidden>
    <label>${label}<input type="search" autocomplete="off" spellcheck="false" /></label
    ><output aria-live="polite"></output>
  </div>`;
}

/** A long table that scrolls in its own frame; the frame takes the keyboard's focus. */
export function renderScroller(label: string, table: Html): Html {
  return html`<div class="scroll" role="region" aria-label="${label}" tabindex="0">${table}</div>`;
}

/** Within the body of a section, a wide table that scrolls sideways in a frame of its own where the page is narrow. */
export function renderTableFrame(label: string, table: Html): Html {
  return html`<div class="wide-table" role="region" aria-label="${label}" tabindex="0">${table}</div>`;
}

/** Such a table as the body of a section. */
export function renderWideTable(label: string, table: Html): Html {
  return html`<div class="body wide-table" role="region" aria-label="${label}" tabindex="0">${table}</div>`;
}

/** Scripts of pages: `report` runs on every page, `cases` on those that list cases. */
type PageScript = 'report' | 'cases';

/**
 * A script as `npm run build` bundled it, from src/ and from dist/ alike.
 * @throws ConfigError when it has not been built.
 */
function loadPageScript(name: PageScript): string {
  const file = packagePath(`dist/report/page/${name}.js`);
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError('the scripts of report pages have not been built', {
      where: { file },
      fix: 'Run `npm run build`.',
      cause: error,
    });
  }
}
