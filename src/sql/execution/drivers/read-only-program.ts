/** An instruction of a prepared statement, as EXPLAIN lists it. */
interface Instruction {
  readonly opcode: string;
  readonly p2: number;
}

const WRITES = new Set(['Checkpoint', 'Vacuum', 'JournalMode']);

/**
 * Whether a program leaves the database as it is: what `sqlite3_stmt_readonly` answers, by the rule with which SQLite sets
 * that answer (`resolveP2Values` in vdbeaux.c).
 */
export function isReadOnlyProgram(program: readonly Instruction[]): boolean {
  return !program.some(({ opcode, p2 }) => WRITES.has(opcode) || (opcode === 'Transaction' && p2 !== 0));
}
