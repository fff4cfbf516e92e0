/** What an owner uses of its limits. */
export type OwnerUse = {
  /** From an index that may be seconds stale. Counts at most `maxCounted` of each state. */
  countJobs(query: {
    ownerId: string;
    states: readonly ('queued' | 'processing')[];
    maxCounted: number;
  }): Promise<number>;
};
