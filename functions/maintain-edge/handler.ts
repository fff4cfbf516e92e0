import { edgeStoreFromEnvironment } from '../../adapters/cloudfront/edge-store.ts';
import { randomBytes, systemClock } from '../../adapters/system/clock.ts';
import { maintainEdge } from '../../core/playback/edge-store.ts';

const store = edgeStoreFromEnvironment();
if (store === undefined) throw new Error('EDGE_STORE_ARN is not set.');

const newSecret = () => Buffer.from(randomBytes(32)).toString('base64url');

/** Makes and rotates the keys of the edge, and removes the revocations that have ended. */
export const handler = async (): Promise<void> => {
  const entries = await store.list();
  await store.update(maintainEdge(entries, { now: systemClock.now(), newSecret }));
};
