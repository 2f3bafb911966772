import type { AnnotationKind } from '../annotation.js';
import type { AnswerRules } from './answer-rules.js';
import { NAME_RULES } from './name-rules.js';
import { SPLIT_RULES } from './split-rules.js';

/** The rules of each kind. */
export const RULES_OF_KINDS: Readonly<Record<AnnotationKind, AnswerRules>> = {
  RPL: NAME_RULES,
  ADD: NAME_RULES,
  SPLIT: SPLIT_RULES,
};
