import type { NaturalnessRule } from './naturalness-rule.js';
import { wordsOf } from '../schema/name-identity.js';

function countOf(name: string): number {
  return wordsOf(name).filter((word) => word === 'of').length;
}

/** "Code of kind of address" for "address type code": phrases turned twice, which nobody writes (ADVETA §2.2). */
export function nestedOf(): Omit<NaturalnessRule, 'id'> {
  return {
    appliesTo: 'RPL',
    check(name, { target, column }) {
      const own = target.table.columns[column]?.name ?? '';
      return countOf(name) > Math.max(1, countOf(own)) ? 'says "of" twice' : null;
    },
  };
}
