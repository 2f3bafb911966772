import { InputFormatError } from '../../errors.js';
import { loadText } from '../../formats/json-file.js';
import { firstBytes, requireRegularFile, unreadableFile } from '../../regular-file.js';

/** A line of a file with its number from 1. */
export interface NumberedLine {
  readonly line: number;
  readonly text: string;
}

const SNIFFED_BYTES = 4096;

/** UTF-16 has a mark, or each letter of SQL in it a byte of zeros. */
function checkEncoding(file: string): void {
  let bytes: Buffer;
  try {
    requireRegularFile(file);
    bytes = firstBytes(file, SNIFFED_BYTES);
  } catch (cause) {
    throw unreadableFile(file, cause);
  }
  const mark = bytes.toString('latin1', 0, 2);
  if (mark === '\xFF\xFE' || mark === '\xFE\xFF' || bytes.includes(0)) {
    throw new InputFormatError('the file is UTF-16 or binary, not UTF-8 text', {
      where: { file },
      fix: 'Save it as UTF-8; in PowerShell write it with "Out-File -Encoding utf8".',
    });
  }
}

/**
 * The lines of a UTF-8 file, blank ones too; `\n`, `\r\n` and `\r` end a line, the last may lack it, a byte order mark
 * belongs to none.
 * @throws InputFormatError when the file can't be read, is UTF-16 or not UTF-8
 */
export function readEvaluationLines(file: string): readonly NumberedLine[] {
  checkEncoding(file);
  const texts = loadText(file).split(/\r\n?|\n/);
  if (texts.at(-1) === '') texts.pop();
  return texts.map((text, i) => ({ line: i + 1, text }));
}

/** Checks whether the first line that is not blank begins with a sign: SQL does with no brace or bracket. */
export function beginsWith(lines: readonly NumberedLine[], sign: '{' | '['): boolean {
  const first = lines.find(({ text }) => text.trim() !== '');
  return first?.text.trimStart().startsWith(sign) === true;
}

/** Checks whether lines are JSON objects. */
export function areJsonLines(lines: readonly NumberedLine[]): boolean {
  return beginsWith(lines, '{');
}
