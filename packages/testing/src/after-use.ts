const held: (() => Promise<void>)[] = [];

/**
 * Has a thing ended after the test, or after the tests of the file if no test is running. The last thing ends first. What
 * concurrent tests use ends after the last of them.
 *
 * @returns ends it at once; nothing ends twice
 */
export function afterUse(end: () => unknown): () => Promise<void> {
  const endOnce = async () => {
    const index = held.indexOf(endOnce);
    if (index === -1) return;
    held.splice(index, 1);
    await end();
  };
  held.push(endOnce);
  return endOnce;
}

export const heldThings = (): number => held.length;

/** Ends the last things until so many are left. */
export async function endDownTo(count: number): Promise<void> {
  while (held.length > count) await held.at(-1)?.();
}
