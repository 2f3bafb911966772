/** Names of the published settings; apart from the recipes, so that the command line's table of options stays light. */
export const RECIPE_NAMES = [
  'cta',
  'cta-without-retriever',
  'cta-without-nli',
  'w2v',
  'textfooler',
  'bert-attack',
  'random',
  'llm',
  'cta+llm',
] as const;
export type RecipeName = (typeof RECIPE_NAMES)[number];
