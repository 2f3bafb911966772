/** Prefixes that spreadsheets take for the start of a formula. https://owasp.org/www-community/attacks/CSV_Injection */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/u;

/**
 * A text that no spreadsheet runs: one that begins like a formula gets an apostrophe in front, and so does one that
 * already has apostrophes there, so that `bareText` finds the text again.
 */
export function guardedText(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** The text that `guardedText` guarded. */
export function bareText(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}

const ESCAPES: readonly (readonly [RegExp, string])[] = [
  [/[\\|]/gu, '\\$&'],
  [/\n/gu, '\\n'],
  [/\r/gu, '\\r'],
  // Blanks round a name are left out when it is read.
  [/^ | $/gu, '\\s'],
  [/^$/u, '\\e'],
];
const UNESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', s: ' ', e: '' };

function escapeName(name: string): string {
  return ESCAPES.reduce((text, [pattern, by]) => text.replace(pattern, by), name);
}

/** Names in one cell: "home town | place of birth"; a backslash escapes bars, backslashes, line ends and blanks. */
export function joinNames(names: readonly string[]): string {
  return names.map(escapeName).join(' | ');
}

/** The names of a cell; blanks round them are no part of them, and what is empty is none. */
export function splitNames(cell: string): readonly string[] {
  return [...cell.matchAll(/(?:\\.|[^|])+/gsu)].flatMap(([part]) => {
    const name = part.replace(/^ +| +$/gu, '');
    return name === '' ? [] : [name.replace(/\\(.)/gsu, (_, character: string) => UNESCAPES[character] ?? character)];
  });
}
