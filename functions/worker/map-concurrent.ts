/**
 * Does `work` for every item, `maxConcurrency` of them at a time; the results keep the order of the items. The first failure
 * is thrown once what had begun has ended, and nothing new begins after it.
 */
export async function mapConcurrent<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const failures: unknown[] = [];
  const waiting = items.entries();
  const lane = async () => {
    for (const [index, item] of waiting) {
      try {
        results[index] = await work(item);
      } catch (error) {
        failures.push(error);
      }
      if (failures.length > 0) return;
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, lane));
  if (failures.length > 0) throw failures[0];
  return results;
}
