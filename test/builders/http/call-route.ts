import type { RouteApp, RouteRequest } from '../../../adapters/runtime/http/route.ts';
import type { Principal } from '../../../core/access/authentication.ts';
import type { Contract } from '../../../core/api/contract.ts';

type Parts<C extends Contract> = Partial<RouteRequest<C>> & { ownerId?: string };

/** Calls a route's app with a validated request of an owner; fields that are left out are empty. */
export function callRoute<C extends Contract>(app: RouteApp<C>, parts: Parts<C> = {}): ReturnType<RouteApp<C>> {
  const { ownerId = 'owner-1', ...rest } = parts;
  const principal: Principal = { ownerId, caller: 'session' };
  const empty = { params: {}, query: {}, headers: {}, body: undefined, sent: rest.body };
  return app({ ...empty, principal, ...rest } as unknown as RouteRequest<C>);
}
