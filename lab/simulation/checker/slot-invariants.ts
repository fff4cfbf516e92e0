import { formatSlot } from '../../../core/jobs/slots.ts';
import type { History } from './history.ts';
import type { Invariant } from './invariant.ts';

type Owners = Map<string, { running: Set<string>; slots: readonly string[]; max: number }>;
type Claim = { ownerId: string; jobId: string; attempt: number };

/** Replays the log; calls `onClaim` after each claim with the state of all owners. */
function replay({ running }: History, onClaim: (claim: Claim, owners: Owners) => void): Owners {
  const owners: Owners = new Map();
  const of = (ownerId: string) => {
    const owner = owners.get(ownerId) ?? { running: new Set(), slots: [], max: Number.POSITIVE_INFINITY };
    owners.set(ownerId, owner);
    return owner;
  };
  for (const entry of running) {
    if (entry.kind === 'slots') {
      Object.assign(of(entry.ownerId), { slots: entry.slots, max: entry.max });
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

export const runningJobsHaveSlots: Invariant = {
  name: 'a claimed attempt has a slot',
  breaches: (history) => {
    const breaches: string[] = [];
    replay(history, (claimed, owners) => {
      const slot = formatSlot(claimed);
      if (!owners.get(claimed.ownerId)?.slots.includes(slot)) breaches.push(`${slot} was claimed without a slot`);
    });
    return breaches;
  },
};

/** After faults a slot may remain: the next claim that needs it frees it. */
export const slotsAreFreed: Invariant = {
  name: 'a slot is freed when its attempt ends, without faults',
  breaches: (history) => {
    const isCalm = [history, ...history.jobs].every(({ faults }) => faults.length === 0);
    const owners = replay(history, () => undefined);
    return isCalm
      ? [...owners].flatMap(([ownerId, { slots }]) =>
          slots.length === 0 ? [] : [`${ownerId} still has the slots ${slots.join(', ')}`],
        )
      : [];
  },
};
