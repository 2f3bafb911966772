import { bertAttack, textfooler } from './text-attackers.js';
import { ctaWithoutNli } from './cta-without-nli.js';
import { ctaWithoutRetriever } from './cta-without-retriever.js';
import { cta } from './cta.js';
import { ctaAndLlm, llm } from './llm.js';
import { random } from './random.js';
import type { RecipeName } from './recipe-names.js';
import type { Recipe } from './recipe.js';
import { w2v } from './w2v.js';

/** Every published setting, by name. */
export const RECIPES: Readonly<Record<RecipeName, Recipe>> = {
  cta,
  'cta-without-retriever': ctaWithoutRetriever,
  'cta-without-nli': ctaWithoutNli,
  w2v,
  textfooler,
  'bert-attack': bertAttack,
  random,
  llm,
  'cta+llm': ctaAndLlm,
};
