import { entryName } from '../../../core/jobs/running-limit.ts';
import type { History } from './history.ts';
import type { Invariant } from './invariant.ts';

type Owners = Map<string, { running: Set<string>; entries: readonly string[]; max: number }>;
type Claim = { ownerId: string; jobId: string; attempt: number };

/** Replays the log; calls `onClaim` after each claim with the state of all owners. */
function replay({ running }: History, onClaim: (claim: Claim, owners: Owners) => void): Owners {
  const owners: Owners = new Map();
  const of = (ownerId: string) => {
    const owner = owners.get(ownerId) ?? { running: new Set(), entries: [], max: Number.POSITIVE_INFINITY };
    owners.set(ownerId, owner);
    return owner;
  };
  for (const entry of running) {
    if (entry.kind === 'running') {
      Object.assign(of(entry.ownerId), { entries: entry.entries, max: entry.max });
      continue;
    }
    const { before, after } = entry;
    const owner = of(after.ownerId);
    if (after.state !== 'processing') owner.running.delete(after.jobId);
    else owner.running.add(after.jobId);
    if (before?.state === 'queued' && after.state === 'processing') onClaim(after, owners);
  }
  return owners;
}

export const limitOfRunningJobsHolds: Invariant = {
  name: 'no owner has more running jobs than its limit',
  breaches: (history) => {
    const breaches: string[] = [];
    replay(history, ({ ownerId }, owners) => {
      const { running, max } = owners.get(ownerId) ?? { running: new Set(), max: 0 };
      if (running.size > max) breaches.push(`${ownerId} had ${running.size} running jobs of ${max}`);
    });
    return breaches;
  },
};

export const runningJobsCount: Invariant = {
  name: 'a claimed attempt counts as a running job',
  breaches: (history) => {
    const breaches: string[] = [];
    replay(history, (claimed, owners) => {
      const entry = entryName(claimed);
      if (!owners.get(claimed.ownerId)?.entries.includes(entry))
        breaches.push(`${entry} was claimed and does not count`);
    });
    return breaches;
  },
};

/** After faults an entry may remain: the next claim that is over the limit removes it. */
export const endedJobsDoNotCount: Invariant = {
  name: 'an ended attempt does not count, without faults',
  breaches: (history) => {
    const isCalm = [history, ...history.jobs].every(({ faults }) => faults.length === 0);
    const owners = replay(history, () => undefined);
    return isCalm
      ? [...owners].flatMap(([ownerId, { entries }]) =>
          entries.length === 0 ? [] : [`${ownerId} still has the entries ${entries.join(', ')}`],
        )
      : [];
  },
};
