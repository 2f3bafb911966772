import { describe, expect, it } from 'vitest';
import { AUDIT_CLASS_NAMES, AUDIT_CLASSES } from '../../../src/evaluate/audit/audit-classes.js';
import { codeOf, tableRows } from '../../docs/markdown-pages.js';

describe('docs/audit.md', () => {
  it('lists every class with its level and meaning, in order, and no other', () => {
    const listed = tableRows('docs/audit.md').filter(([, level]) => /^(?:error|warning|note)$/.test(level ?? ''));
    expect(listed.map(([name, level, meaning]) => [codeOf(name ?? ''), level, meaning])).toEqual(
      AUDIT_CLASS_NAMES.map((name) => [name, AUDIT_CLASSES[name].level, AUDIT_CLASSES[name].meaning]),
    );
  });
});
