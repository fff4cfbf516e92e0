import pLimit from 'p-limit';

/**
 * Calls `work` for every item, at most `concurrency` at a time; results are in the order of the items. After the first
 * failure no call begins; the failure is thrown when the calls under way have ended.
 */
export async function mapConcurrent<Item, Result>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const limit = pLimit(concurrency);
  const results: Result[] = [];
  const failures: unknown[] = [];
  const call = async (item: Item, index: number): Promise<void> => {
    if (failures.length > 0) return;
    try {
      results[index] = await work(item);
    } catch (error) {
      failures.push(error);
    }
  };
  await Promise.all(items.map((item, index) => limit(call, item, index)));
  if (failures.length > 0) throw failures[0];
  return results;
}
