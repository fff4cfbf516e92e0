/** Dollars that the jobs of one session may cost together. */
export type Budget = {
  /** What is left: without the limits of unfinished jobs, and without the costs of the ended ones. Undefined: no limit. */
  leftUsd(): number | undefined;
  /**
   * Sets dollars aside for a job before it is submitted.
   * @param wantedUsd the job's own limit; without one, all that is left
   * @returns the `maxCostUsd` of the job; undefined: none
   * @throws BudgetError if less is left
   */
  reserve(wantedUsd: number | undefined): number | undefined;
  /** Names the job of a reservation, or gives it back if no job was created. */
  settle(reservedUsd: number | undefined, jobId: string | undefined): void;
  /** Gives back what an ended job has not cost. */
  end(jobId: string, costUsd: number): void;
};

class BudgetError extends Error {
  override readonly name = 'BudgetError';
}

/** A budget. Each job gets a `maxCostUsd`, at which the service stops it, so that no estimate has to be believed. */
export function createBudget(maxUsd: number | undefined): Budget {
  let setAside = 0;
  const open = new Map<string, number>();
  const left = () => (maxUsd === undefined ? undefined : Math.max(0, maxUsd - setAside));
  return {
    leftUsd: left,
    reserve(wanted) {
      const available = left();
      if (available === undefined) return wanted;
      if (available === 0 || (wanted ?? 0) > available)
        throw new BudgetError(refusal(available, maxUsd ?? 0, open.size));
      const reserved = wanted ?? available;
      setAside += reserved;
      return reserved;
    },
    settle(reserved, jobId) {
      if (maxUsd === undefined || reserved === undefined) return;
      if (jobId === undefined) setAside -= reserved;
      else open.set(jobId, reserved);
    },
    end(jobId, costUsd) {
      setAside -= Math.max(0, (open.get(jobId) ?? costUsd) - costUsd);
      open.delete(jobId);
    },
  };
}

function refusal(available: number, maxUsd: number, unfinished: number): string {
  const jobs = `${unfinished} unfinished ${unfinished === 1 ? 'job holds' : 'jobs hold'} their limits until they end`;
  return `The budget of this session is $${maxUsd} (--max-usd), of which $${available} is left; ${jobs}. Wait for them, or submit jobs with a smaller maxCostUsd.`;
}
