import type { StageContext, TargetTable, TpePredictor } from '../stage.js';
import { namesAnEntity } from './table-name-tpe.js';

/** Key of a table in an annotation file. */
export function annotationKey(target: TargetTable): string {
  return `${target.dbId}/${target.table.originalName}`;
}

/** Annotated where an annotation stands, else the table's name where it names an entity, else zero-shot prediction. */
export class AutoTpe implements TpePredictor {
  readonly id = 'auto';
  readonly fingerprint: string;
  readonly #annotations: ReadonlyMap<string, string>;
  readonly #byName: TpePredictor;
  readonly #zeroShot: TpePredictor;

  constructor(annotations: ReadonlyMap<string, string>, byName: TpePredictor, zeroShot: TpePredictor) {
    this.#annotations = annotations;
    this.#byName = byName;
    this.#zeroShot = zeroShot;
    this.fingerprint = `auto:1:${JSON.stringify([...annotations])}:${byName.fingerprint}:${zeroShot.fingerprint}`;
  }

  predict(targets: readonly TargetTable[], context: StageContext): Promise<readonly string[]> {
    return Promise.all(targets.map((target) => this.#predictOne(target, context)));
  }

  async #predictOne(target: TargetTable, context: StageContext): Promise<string> {
    const annotated = this.#annotations.get(annotationKey(target));
    if (annotated !== undefined) return annotated;
    const predictor = namesAnEntity(target.table.name) ? this.#byName : this.#zeroShot;
    const [entity] = await predictor.predict([target], context);
    return entity!;
  }
}
