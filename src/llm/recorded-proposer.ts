import { formatCount } from '../counts.js';
import { z } from 'zod';
import { readIdentifiedLines } from '../formats/json-lines.js';
import { fileSha256 } from '../run/sha256.js';
import type { StageContext, TargetColumn } from '../stage.js';
import { columnId, NAME_LISTS, type NameProposer, type ProposedNames } from './proposed-names.js';

/** {@link RecordedNames} */
const recordedFormat = z.strictObject({ id: z.string().min(1), ...NAME_LISTS });

/** Proposals that a model has made before: no service is asked, nothing leaves the machine. */
export class RecordedProposer implements NameProposer {
  readonly fingerprint: string;
  readonly #proposals: ReadonlyMap<string, ProposedNames>;
  readonly #lacking = new Set<string>();
  #asked = 0;

  /** @throws InputFormatError when the file is none of proposals, or has a column twice */
  constructor(file: string) {
    const lines = readIdentifiedLines(file, recordedFormat, {
      nothing: 'there are no recorded proposals',
      fix: 'Name a file of lines {"id": "db_id/table/column", "replacements": […], "additions": […]}.',
    });
    this.#proposals = new Map(lines.map(({ id, ...names }) => [id, names]));
    this.fingerprint = `recorded=${fileSha256(file)}`;
  }

  /** Checks whether there are proposals for a column. */
  knows(column: TargetColumn): boolean {
    return this.#proposals.has(columnId(column));
  }

  propose(column: TargetColumn, context: StageContext): Promise<ProposedNames | null> {
    const id = columnId(column);
    const names = this.#proposals.get(id) ?? null;
    this.#asked++;
    if (names === null) {
      this.#lacking.add(id);
      context.emit({ kind: 'warning', message: `${id} has no recorded proposals` });
    }
    return Promise.resolve(names);
  }

  describe(): string {
    return `${formatCount(this.#asked)} columns looked up, ${formatCount(this.#lacking.size)} without recorded proposals`;
  }
}
