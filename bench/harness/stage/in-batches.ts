const batchesAtOnce = 8;

/** Does something with the numbers below `count`, so many at a time and a few of those batches at once. */
export async function inBatches(
  { count, perBatch }: { count: number; perBatch: number },
  work: (indexes: readonly number[]) => Promise<unknown>,
): Promise<void> {
  let begun = 0;
  const lane = async () => {
    while (begun < count) {
      const from = begun;
      begun += Math.min(perBatch, count - from);
      await work(Array.from({ length: begun - from }, (_, index) => from + index));
    }
  };
  await Promise.all(Array.from({ length: batchesAtOnce }, lane));
}
