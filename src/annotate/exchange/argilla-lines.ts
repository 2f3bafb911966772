const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r' };
const UNESCAPES: Readonly<Record<string, string>> = { '\\': '\\', n: '\n', r: '\r' };

/** Names one per line; a line end within a name is written as `\n`. */
export function joinLines(names: readonly string[]): string {
  return names.map((name) => name.replace(/[\\\n\r]/gu, (character) => ESCAPES[character] ?? character)).join('\n');
}

/** The names of the lines; an empty line is none, blanks round a name don't count. */
export function splitLines(text: string): readonly string[] {
  return text.split(/\r?\n/u).flatMap((line) => {
    const name = line.trim().replace(/\\([\\nr])/gu, (_, character: string) => UNESCAPES[character] ?? character);
    return name === '' ? [] : [name];
  });
}
