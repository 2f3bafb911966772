/** Ways to treat a question that names values which a kind spells otherwise (Content Equivalence). */
export const QUESTION_MODES = ['same', 'follow'] as const;
export type QuestionMode = (typeof QUESTION_MODES)[number];
