import { readHead } from '../../run/file-head.js';

/** The summary at the top of a report page. */
export interface PageSummary {
  /** The command that wrote it, "attack". */
  readonly kind: string;
  /** The subject of the page, in its own words: "victim baseline · data set spider". */
  readonly subject: string;
  /** The page's headline, which has the figure that matters most. */
  readonly headline: string;
}

/** More than any page's style sheet and header; the rest of a page is not read. */
const HEAD_BYTES = 256 * 1024;

const EYEBROW = /<p class="eyebrow">perturbql ([a-z]+(?: [a-z]+)?)(?: · (.*?))?<\/p>\s*<h1>(.*?)<\/h1>/s;

const CHARACTERS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** The text of markup that `html` made. */
function textOf(markup: string): string {
  return markup
    .replace(/<[^>]*>/g, '')
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => CHARACTERS[name] ?? '')
    .replace(/[ \n]+/g, ' ')
    .trim();
}

/** Reads the top of a page that `renderPage` made; null where the file is another page. */
export function readPageSummary(file: string): PageSummary | null {
  const [, kind, subject = '', headline] = EYEBROW.exec(readHead(file, HEAD_BYTES)) ?? [];
  if (kind === undefined || headline === undefined) return null;
  return { kind, subject: textOf(subject), headline: textOf(headline) };
}
