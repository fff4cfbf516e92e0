import { aVirtualClock } from '@media-jobs/testing/virtual-clock';
import { expect, it } from 'vitest';
import { encoderSlowness } from '../../adapters/dynamodb/encoder-slowness.ts';
import { memorySlowness } from '../../lab/simulation/memory/encoder-slowness.ts';
import { later } from '../builders/jobs/jobs.ts';
import { bothStores } from './stores.ts';

const stores = bothStores(
  (client, tableName) => encoderSlowness(client, tableName, aVirtualClock(later(0))),
  memorySlowness,
);

it.each(stores)('what workers measured is kept for each encoder and group of owners, %s', async (_, open) => {
  const store = await open();
  expect(await store.read()).toEqual({});
  await store.write('libx264#3', 0.71);
  await store.write('libvpx-vp9#3', 0.55);
  await store.write('libx264#7', 0.8);
  await store.write('libx264#3', 0.7);
  expect(await store.read()).toEqual({ 'libx264#3': 0.7, 'libvpx-vp9#3': 0.55, 'libx264#7': 0.8 });
});
