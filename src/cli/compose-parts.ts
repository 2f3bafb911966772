import { AnnotatedSource } from '../compositional/compose/annotated-source.js';
import { AutomaticSource } from '../compositional/compose/automatic-source.js';
import type { ComposeParts } from '../compositional/compose/compose-run.js';
import { EnglishParser } from '../compositional/parser/english-parser.js';
import { SqlRewriteError } from '../errors.js';
import { hardnessOf } from '../evaluate/exact/hardness.js';
import { FluencyModel } from '../fluency/fluency-model.js';
import type { Database } from '../schema/schema.js';
import { toSpiderSql } from '../sql/spider-sql.js';

/** Spider's hardness of a gold; null where it is outside Spider's grammar. */
function goldHardness(sql: string, database: Database): string | null {
  try {
    return hardnessOf(toSpiderSql(sql, database));
  } catch (error) {
    if (error instanceof SqlRewriteError) return null;
    throw error;
  }
}

/** What `compose` is given from above: hardness, and sub-sentences by people's file or by our own parser. */
export async function openComposeParts(annotations: string | null): Promise<ComposeParts> {
  const source =
    annotations === null ? new AutomaticSource(await EnglishParser.open()) : new AnnotatedSource(annotations);
  return { source, hardnessOf: goldHardness, fluency: FluencyModel.open() };
}
