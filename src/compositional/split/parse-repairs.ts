import type { DependencyToken } from '../parser/parse.js';
import { DependencyTree } from './dependency-tree.js';

/** A token that depends on something else than the parser found. */
type Repair = readonly [index: number, changes: Partial<DependencyToken>];

const SUBJECT = /^nsubj/u;
const FINITE = /^(?:VBP|VBZ|VBD)$/u;

/** "from city code BAL own": a verb has one subject, so a name behind another noun is that noun's. */
function namesOfNouns(tree: DependencyTree): readonly Repair[] {
  return [...tree.tokens.keys()].flatMap((at): Repair[] => {
    const { label, tag, head } = tree.at(at);
    const noun = tree.leftEdge(at) - 1;
    if (!SUBJECT.test(label) || !/^(?:NNPS?|CD)$/u.test(tag) || noun < 1 || !/^NN/u.test(tree.at(noun).tag)) return [];
    const hasOther = tree.children(head).some((other) => other < noun && SUBJECT.test(tree.at(other).label));
    return hasOther && tree.at(noun).head !== head ? [[at, { head: noun, label: 'appos' }]] : [];
  });
}

/** "depart from Aberdeen or land in Ashley": what follows belongs to a verb, so the conjunct of the name is one. */
function verbsJoinedToNames(tree: DependencyTree): readonly Repair[] {
  return [...tree.tokens.keys()].flatMap((at): Repair[] => {
    const { label, tag, head, text } = tree.at(at);
    const [conjunction, preposition] = [at - 1, at + 1];
    const isBare = label === 'conj' && tag === 'NN' && text === text.toLowerCase() && tree.leftEdge(at) === at;
    if (!isBare || !/^NNPS?$/u.test(tree.at(head).tag) || !/^(?:and|or)$/u.test(tree.word(conjunction))) return [];
    const follows = tree.tokens[preposition];
    if (follows?.label !== 'prep' || !tree.isVerb(follows.head) || follows.head > head) return [];
    const verb = follows.head;
    return [
      [at, { tag: 'VB', head: verb }],
      [conjunction, { head: verb }],
      [preposition, { head: at }],
    ];
  });
}

/** "flights depart": nouns in the plural before a verb are its subject, not the beginning of a compound. */
function subjectsInCompounds(tree: DependencyTree): readonly Repair[] {
  return [...tree.tokens.keys()].flatMap((at): Repair[] => {
    const { label, tag, head } = tree.at(at);
    if (label !== 'compound' || tag !== 'NNS' || head !== at + 1 || !tree.isRoot(head)) return [];
    const isJoinedToVerb = tree.children(head).some((child) => tree.at(child).label === 'conj' && tree.isVerb(child));
    if (FINITE.test(tree.at(head).tag)) return [[at, { label: 'nsubj' }]];
    if (tree.at(head).tag !== 'NN' || !isJoinedToVerb) return [];
    const determiners = tree.children(head).filter((child) => child < at);
    return [
      [at, { label: 'nsubj' }],
      [head, { tag: 'VBP' }],
      ...determiners.map((child): Repair => [child, { head: at }]),
    ];
  });
}

/** A question's tokens with what the parser can't have meant corrected: each verb has one subject, each name its noun. */
export function repairedParse(tokens: readonly DependencyToken[]): readonly DependencyToken[] {
  return [namesOfNouns, verbsJoinedToNames, subjectsInCompounds].reduce((kept, repair) => {
    const repairs = new Map(repair(new DependencyTree(kept)));
    return repairs.size === 0 ? kept : kept.map((token, at) => ({ ...token, ...repairs.get(at) }));
  }, tokens);
}
