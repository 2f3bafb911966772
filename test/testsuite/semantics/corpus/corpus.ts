import type { CorpusSchema } from './corpus-schema.js';
import { AIRLINE } from './airline.js';
import { CLINIC } from './clinic.js';
import { LEAGUE } from './league.js';
import { LIBRARY } from './library.js';
import { SHOP } from './shop.js';

/** Our own: five schemas with rows, gold queries, and for each some that are wrong and some that mean the same. */
export const CORPUS: readonly CorpusSchema[] = [SHOP, LIBRARY, CLINIC, LEAGUE, AIRLINE];
