import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { differingPart } from '../../../src/measure/compare/compare-document.js';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const [A, B, P, Q] = ['a', 'b', 'p', 'q'].map(sha256) as [string, string, string, string];

describe('differingPart', () => {
  it.each([
    [
      'the command line of a program',
      [`command-2:py,arguments=${A},prompt=${P}`, `command-2:py,arguments=${B},prompt=${P}`],
      [`…arguments=${A.slice(0, 12)},…`, `…arguments=${B.slice(0, 12)},…`],
    ],
    [
      'command line and prompt',
      [`command-2:py,arguments=${A},prompt=${P}`, `command-2:py,arguments=${B},prompt=${Q}`],
      [
        `…arguments=${A.slice(0, 12)},prompt=${P.slice(0, 12)}`,
        `…arguments=${B.slice(0, 12)},prompt=${Q.slice(0, 12)}`,
      ],
    ],
    ['hashes', [A, B], [A.slice(0, 12), B.slice(0, 12)]],
    [
      'what only one has',
      [`command-2:py,prompt=${P}`, `command-2:py,prompt=${P}+executions-1:count=3`],
      ['…', '…+executions-1:count=3'],
    ],
    [
      'a folder of a path',
      ['/data/runs/first/candidates.jsonl', '/data/runs/second/candidates.jsonl'],
      ['…first/…', '…second/…'],
    ],
    ['a folder more of a path', ['/b/c', '/a/b/c'], ['…', '…a/…']],
  ])('shows %s', (_, [one, other], shown) => {
    expect([differingPart(one!, other!), differingPart(other!, one!)]).toEqual(shown);
  });

  it('never shows the same of two', () => {
    const text = fc.array(fc.constantFrom('a', 'b', ',', '+', '/', A, B)).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, (one, other) => {
        fc.pre(one !== other);
        expect(differingPart(one, other)).not.toBe(differingPart(other, one));
      }),
    );
  });
});
