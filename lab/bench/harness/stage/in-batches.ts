const batchesAtOnce = 8;

/** Processes the indexes below `count` in batches, several batches concurrently. */
export async function inBatches(
  { count, perBatch }: { count: number; perBatch: number },
  work: (indexes: readonly number[]) => Promise<unknown>,
): Promise<void> {
  let begun = 0;
  const worker = async () => {
    while (begun < count) {
      const from = begun;
      begun += Math.min(perBatch, count - from);
      await work(Array.from({ length: begun - from }, (_, index) => from + index));
    }
  };
  await Promise.all(Array.from({ length: batchesAtOnce }, worker));
}
