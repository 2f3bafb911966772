import { z } from 'zod';
import { checkRecord, loadText, parseJson } from '../formats/json-file.js';

const schema = z.record(z.string().min(1), z.string().trim().min(1));

/**
 * Loads annotated primary entities: a JSON object from `db_id/original table name` to a noun phrase.
 * @throws InputFormatError when the file is not such an object.
 */
export function loadTpeAnnotations(file: string): ReadonlyMap<string, string> {
  const where = { file, id: 'annotations' };
  const json = checkRecord(schema, parseJson(loadText(file), file), where, 'Write {"db_id/table": "student", …}.');
  return new Map(Object.entries(json));
}
