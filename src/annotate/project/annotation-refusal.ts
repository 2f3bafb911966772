import { AnnotationError } from '../../errors.js';

/** Why a project refuses a request; a server turns it into a status. */
export type RefusalReason =
  'unknown-item' | 'unknown-person' | 'bad-person' | 'not-assigned' | 'not-a-reviewer' | 'bad-answer';

/** A request that a project refuses; nothing has been changed. */
export class AnnotationRefusal extends AnnotationError {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string, fix: string, id?: string) {
    super(message, id === undefined ? { fix } : { fix, where: { id } });
    this.reason = reason;
  }
}
