/** Returns all results, once none is under way any more. @throws the error of the first that failed */
export async function settleAll<T>(running: readonly Promise<T>[]): Promise<readonly T[]> {
  const settled = await Promise.allSettled(running);
  return settled.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
}
