/** A run of letters or of digits of an identifier, where separators, capitals and digits part it. */
export interface IdentifierPart {
  /** In lower case. */
  readonly text: string;
  readonly kind: 'letters' | 'digits';
  /** Whether nothing stands between it and the part before. */
  readonly isJoined: boolean;
}

const RUNS = /\d+(?:st|nd|rd|th)(?![\p{L}])|\p{L}+|\d+/giu;

function atCapitals(run: string): readonly string[] {
  return run
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(' ');
}

/** "PIDs" and "SSNs" are initials in the plural, no "P" before "IDs" and no "SS" before "Ns". */
const PLURAL_INITIALS = /^\p{Lu}{2,}s$/u;

/** The parts of an identifier in their order: `Witness_SpCode2` → witness, sp, code, 2. */
export function identifierParts(identifier: string): readonly IdentifierPart[] {
  const parts: IdentifierPart[] = [];
  let end = 0;
  for (const { 0: run, index } of identifier.normalize('NFC').matchAll(RUNS)) {
    const isDigits = /^\d/.test(run);
    const pieces = isDigits || PLURAL_INITIALS.test(run) ? [run] : atCapitals(run);
    for (const [i, piece] of pieces.entries())
      parts.push({
        text: piece.toLowerCase(),
        kind: isDigits ? 'digits' : 'letters',
        isJoined: i > 0 || (index === end && index > 0),
      });
    end = index + run.length;
  }
  return parts;
}
