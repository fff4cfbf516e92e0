const maxConflicts = 100;

/** An item changed before each of many conditional writes. Every conflict means that another write succeeded. */
export class ConflictError extends Error {
  constructor() {
    super(`Another write came in between ${maxConflicts} times in a row; try again shortly.`);
    this.name = 'ConflictError';
  }
}

/**
 * Repeats a read with its conditional write until `attempt` returns a result; false means that another write came in
 * between.
 *
 * @throws ConflictError after 100 conflicts
 */
export async function retryConflicts<Result>(attempt: () => Promise<Result | false>): Promise<Result> {
  for (let conflicts = 0; conflicts < maxConflicts; conflicts += 1) {
    const result = await attempt();
    if (result !== false) return result;
  }
  throw new ConflictError();
}
