import type { AnnotationItem, StoredAnswer } from '../annotation.js';
import type { ReviewedItem } from '../api-shapes.js';

/** Checks whether an item waits for a reviewer: annotators differ or flagged it, and nobody has decided. */
export function isToDecide({ adjudicated, disagreement, flagged }: ReviewedItem): boolean {
  return !adjudicated && (disagreement > 0 || flagged);
}

/** A name with who took it. */
export interface VotedName {
  readonly name: string;
  /** By answer, in their order. */
  readonly takers: readonly boolean[];
  /** Takers who have handed in. */
  readonly votes: number;
  /** Not of the list: someone wrote it. */
  readonly isWritten: boolean;
}

/** Names that somebody took, most votes first, and those of the list that nobody did. */
export interface VoteTable {
  readonly taken: readonly VotedName[];
  readonly rest: readonly VotedName[];
}

/** Lays the answers of several annotators side by side. */
export function voteTableOf(item: AnnotationItem, answers: readonly StoredAnswer[]): VoteTable {
  const listed = item.candidates.map(({ name }) => name);
  const written = new Set(answers.flatMap((answer) => answer.written));
  for (const name of listed) written.delete(name);
  const rows = [...listed, ...written].map((name) => {
    const takers = answers.map((answer) => answer.accepted.includes(name) || answer.written.includes(name));
    const votes = answers.filter(({ state }, index) => state === 'done' && takers[index]).length;
    return { name, takers, votes, isWritten: written.has(name) };
  });
  const isTaken = ({ takers }: VotedName): boolean => takers.includes(true);
  return {
    taken: rows.filter(isTaken).sort((a, b) => b.votes - a.votes),
    rest: rows.filter((row) => !isTaken(row)),
  };
}

/** Names that anyone who handed in took. */
export function unionOf({ taken }: VoteTable): readonly string[] {
  return taken.filter(({ votes }) => votes > 0).map(({ name }) => name);
}
