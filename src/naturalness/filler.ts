import { columnNameKey } from '../schema/name-identity.js';
import type { NaturalnessRule } from './naturalness-rule.js';

/** Names that fit any table and say nothing of its rows, in their keys. */
const FILLER = new Set(
  (
    'remark|note|comment|general comment|additional note|additional comment|internal note|description|short description|long description|' +
    'brief description|detail|additional detail|additional information|other information|miscellaneous|information|summary text|free text|memo|' +
    'date added|added on|added by|date created|created|created at|created on|created by|creation date|creation time|created date|date entered|' +
    'entry date|entered by|entered on|record date|record created|record creation date|last updated|last update|last updated on|last updated at|last updated by|' +
    'updated|updated at|updated on|updated by|update date|date updated|last modified|last modified date|modified at|modified on|modified by|modified date|' +
    'last changed|last changed by|changed by|changed on|status|current status|record status|active|is active|active flag|is deleted|deleted|' +
    'display order|sort order|record id|row number|row id|version|record version|tag|label|flag|other|extra|data source|source'
  ).split('|'),
);

/**
 * "Remarks", "date added", "status": what any table may have goes with no column (ADVETA §2.3 asks additions to be associated
 * with theirs).
 */
export function filler(): Omit<NaturalnessRule, 'id'> {
  return {
    appliesTo: 'ADD',
    check: (name) => (FILLER.has(columnNameKey(name)) ? 'fits any table' : null),
  };
}
