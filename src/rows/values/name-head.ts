/** What a name is about: "date" of "date of birth", "id" of "team id", "price" of "price per unit". */
export function headPhrase(name: string): string {
  return name
    .toLowerCase()
    .replace(/\s*\(.*?\)/gu, '')
    .replace(/(?<=\p{L})\s+(?:of|per|for|from)\s.*$/u, '')
    .trim();
}

/** The last word of what a name is about. */
export function headOf(name: string): string {
  return headPhrase(name).split(/\s+/u).at(-1) ?? '';
}
