import { aStageWithTenants } from '../builders/tenants.ts';

/** The one private address that may be reached. Nobody listens there: the workers of these tests stand still. */
export const listedAddress = '127.0.0.1:8765';

/** A stage that reaches public addresses and the listed one, with two owners who know nothing of each other. */
export function aClosedStage() {
  return aStageWithTenants({ environment: { REACHABLE_PRIVATE_ADDRESSES: listedAddress } });
}

export type ClosedStage = Awaited<ReturnType<typeof aClosedStage>>;
