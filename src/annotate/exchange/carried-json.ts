import { InputFormatError } from '../../errors.js';
import type { RecordPlace } from '../../formats/json-file.js';

/**
 * The value of a JSON text that an export put into a cell or field of another format.
 * @throws InputFormatError naming the record when it is not JSON any more
 */
export function parseCarried(text: string, where: RecordPlace): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new InputFormatError('what was exported here is no JSON any more', {
      where,
      cause,
      fix: 'Put back what perturbql wrote there.',
    });
  }
}
