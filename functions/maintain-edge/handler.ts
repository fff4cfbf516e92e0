import { edgeStoreFromEnvironment } from '../../adapters/runtime/clients/key-value-store.ts';
import { randomBytes, systemClock } from '../../adapters/system/clock.ts';
import { maintainEdgeStore } from './app.ts';

const store = edgeStoreFromEnvironment();
if (store === undefined) throw new Error('EDGE_STORE_ARN is not set.');

export const handler = maintainEdgeStore({
  store,
  clock: systemClock,
  newSecret: () => Buffer.from(randomBytes(32)).toString('base64url'),
});
