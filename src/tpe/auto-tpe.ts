import type { StageContext, TargetTable, TpePredictor } from '../stage.js';
import { namesAnEntity } from './table-name-tpe.js';
import { itemAt } from '../present.js';

/** Key of a table in an annotation file. */
export function annotationKey(target: TargetTable): string {
  return `${target.dbId}/${target.table.originalName}`;
}

/** Annotated where an annotation stands, else the table's name where it names an entity, else a guess from the columns. */
export class AutoTpe implements TpePredictor {
  readonly id = 'auto';
  readonly fingerprint: string;
  readonly #annotations: ReadonlyMap<string, string>;
  readonly #byName: TpePredictor;
  readonly #guess: TpePredictor;

  constructor(annotations: ReadonlyMap<string, string>, byName: TpePredictor, guess: TpePredictor) {
    this.#annotations = annotations;
    this.#byName = byName;
    this.#guess = guess;
    this.fingerprint = `auto:2:${JSON.stringify([...annotations])}:${byName.fingerprint}:${guess.fingerprint}`;
  }

  predict(targets: readonly TargetTable[], context: StageContext): Promise<readonly string[]> {
    return Promise.all(targets.map((target) => this.#predictOne(target, context)));
  }

  async #predictOne(target: TargetTable, context: StageContext): Promise<string> {
    const annotated = this.#annotations.get(annotationKey(target));
    if (annotated !== undefined) return annotated;
    const predictor = namesAnEntity(target.table.name) ? this.#byName : this.#guess;
    return itemAt(await predictor.predict([target], context), 0);
  }
}
