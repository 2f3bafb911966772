/** Fewer words than these say nothing of a language. */
const FEWEST_WORDS = 4;
const LATIN = /^\p{Script=Latin}+$/u;
const WORD = /\p{L}+/gu;

const ENGLISH: ReadonlySet<string> = new Set(
  'the of and to in is are was were what which who whose how many much for with that by from show list find give name names each all their have has had does do did not on at than count return tell me it its or'.split(
    ' ',
  ),
);
/** Frequent words of other languages that no English question has. */
const FOREIGN: ReadonlySet<string> = new Set(
  [
    'der die das und wie viele welche welcher wer ist sind nicht mit von für ein eine den dem namen gibt',
    'le les des du et quel quelle quels quelles est sont combien dans pour avec qui une sur nom noms',
    'el los las del y cuál cuáles cuántos cuántas qué quién es son en con por para una nombre nombres muestra',
    'os e qual quais quantos quantas são com uma dos das nome nomes quem',
    'il gli e qual quali quanti quante chi sono di con una nome nomi della delle che',
    'het en wat welke hoeveel zijn niet een van naam namen wie',
  ].flatMap((words) => words.split(' ')),
);

/** Checks whether a question is likely in English; what has too few words for an answer counts as English. */
export function isEnglish(question: string): boolean {
  const words =
    question
      .replaceAll(/"[^"]*"/gu, ' ')
      .toLowerCase()
      .match(WORD) ?? [];
  if (words.length > 0 && words.filter((word) => LATIN.test(word)).length * 2 < words.length) return false;
  if (words.length < FEWEST_WORDS) return true;
  const count = (known: ReadonlySet<string>): number => words.filter((word) => known.has(word)).length;
  return count(FOREIGN) <= count(ENGLISH);
}
