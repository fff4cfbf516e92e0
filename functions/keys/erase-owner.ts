import type { RouteApp } from '../../adapters/runtime/http/route.ts';
import { type Erasures, erasureHours } from '../../core/access/erasure.ts';
import type { KeyTable } from '../../core/access/key-record.ts';
import type { eraseOwnerContract } from '../../core/api/owner.ts';
import { invalidRequest } from '../../core/errors.ts';
import { addMs } from '../../core/jobs/durations.ts';
import type { Clock } from '../../core/jobs/ports.ts';

export type EraseOwnerDeps = {
  erasures: Pick<Erasures, 'request'>;
  keys: Pick<KeyTable, 'list' | 'remove'>;
  clock: Pick<Clock, 'now'>;
};

/** Stores the request, from which sessions can change nothing, then revokes the keys. Reconcile does the rest. */
export function eraseOwner({ erasures, keys, clock }: EraseOwnerDeps): RouteApp<typeof eraseOwnerContract> {
  return async ({ body: { confirm }, principal: { ownerId } }) => {
    if (confirm !== ownerId) throw invalidRequest([{ path: 'confirm', message: `Must be the id ${ownerId}` }]);
    const erasure = await erasures.request({ ownerId, requestedAt: clock.now().toISOString() });
    await keys.remove(await keys.list(ownerId));
    const endsBy = addMs(new Date(erasure.requestedAt), erasureHours * 3_600_000);
    return { status: 202, body: { ...erasure, endsBy } };
  };
}
