import { aStageWithTenants } from '../builders/stage/tenants.ts';
import { type RawAnswer, type RawRequest, sendRaw } from './raw-request.ts';

/** The one reachable private address. Nothing listens there: these tests run no worker. */
export const listedAddress = '127.0.0.1:8765';

/** A stage that reaches public addresses and the listed one, with two separate owners. */
export async function aClosedStage() {
  const world = await aStageWithTenants({
    environment: { REACHABLE_PRIVATE_ADDRESSES: listedAddress, MAX_INPUT_BYTES: String(9e9) },
  });
  const raw = (request: RawRequest): Promise<RawAnswer> => sendRaw(world.stage.baseUrl, request);
  return {
    ...world,
    raw,
    /** Sends a request with an API key or a session token. */
    rawAs: (credential: string, { headers = [], ...request }: RawRequest): Promise<RawAnswer> =>
      raw({ ...request, headers: [['Authorization', `Bearer ${credential}`], ...headers] }),
  };
}

export type ClosedStage = Awaited<ReturnType<typeof aClosedStage>>;
