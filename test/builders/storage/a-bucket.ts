import { createBuckets } from '@media-jobs/local-stage/emulators';

/** An empty bucket of the emulator at an endpoint. */
export async function aBucket(endpoint: string, name: string): Promise<void> {
  await createBuckets(endpoint, [{ name }]);
}
