/** The bucket rule's reasons for rejection, in words (src/nli/bucket-rule.ts; imports go down only, hence no link). */
const KNOWN: ReadonlyMap<string, string> = new Map([
  ['between-thresholds', 'Between the thresholds: neither the same nor clearly distinct'],
  ['not-entailed', 'Another meaning than the column, where only RPL was open'],
  ['equivalent-to-target', 'Means the same as the column, where only ADD was open'],
  ['equivalent-to-other', 'Means the same as another column of the table'],
  ['entailed-by-other', 'Too close to another column of the table'],
]);

/** A reason in words: the given description, else the report's own, else the reason's word itself, readable. */
export function describeReason(reason: string, descriptions: Readonly<Record<string, string>>): string {
  const given = Object.hasOwn(descriptions, reason) ? descriptions[reason] : undefined;
  const words = reason.replaceAll('-', ' ');
  return given ?? KNOWN.get(reason) ?? words.charAt(0).toUpperCase() + words.slice(1);
}
