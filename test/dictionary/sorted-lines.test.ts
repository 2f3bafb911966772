import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SortedLines } from '../../src/dictionary/wordnet-reader.js';

const line = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '%', 'é'), minLength: 1, maxLength: 6 });

describe('SortedLines', () => {
  it('finds exactly the lines that begin with a prefix, as a scan does', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), line, fc.boolean(), (lines, prefix, endsWithNewline) => {
        const sorted = [...lines].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
        const found = new SortedLines(
          Buffer.from(sorted.join('\n') + (endsWithNewline && sorted.length > 0 ? '\n' : '')),
        );
        expect([...found.startingWith(prefix)]).toEqual(sorted.filter((text) => text.startsWith(prefix)));
        expect([...found.all()]).toEqual(sorted);
      }),
    );
  });

  it('finds nothing in an empty text', () => {
    expect(new SortedLines(Buffer.alloc(0)).first('a')).toBeNull();
  });
});
