import { describe, expect, it } from 'vitest';
import { slowDeliveries } from '../../adapters/dynamodb/slow-deliveries.ts';
import { memorySlowDeliveries } from '../memory/slow-deliveries.ts';
import { aNewOwner, bothStores } from './stores.ts';

const now = new Date('2026-03-01T12:00:00.000Z');
const soon = new Date('2026-03-01T12:00:15.000Z');
const later = new Date('2026-03-01T12:00:16.000Z');
const limit = { max: 2, now };

describe.each(bothStores(slowDeliveries, memorySlowDeliveries))(
  'deliveries to slow receivers %s',
  (_, open) => {
    const delivery = (ownerId: string, deliveryId: string) => ({ ownerId, deliveryId, endsAt: soon });

    it('begin up to the limit, also when many begin at once', async () => {
      const deliveries = await open();
      const ownerId = aNewOwner();
      const begun = await Promise.all(
        Array.from({ length: 8 }, (_unused, n) => deliveries.begin(delivery(ownerId, `d-${n}`), limit)),
      );
      expect(begun.filter((hasBegun) => hasBegun)).toHaveLength(2);
      expect(await deliveries.begin(delivery(aNewOwner(), 'other'), limit)).toBe(true);
    });

    it('begin again without taking a second place', async () => {
      const deliveries = await open();
      const ownerId = aNewOwner();
      for (let n = 0; n < 3; n += 1) {
        expect(await deliveries.begin(delivery(ownerId, 'a'), limit)).toBe(true);
      }
      expect(await deliveries.begin(delivery(ownerId, 'b'), limit)).toBe(true);
      expect(await deliveries.begin(delivery(ownerId, 'a'), limit)).toBe(true);
    });

    it('leave their places when they end, and when they expire after a crash', async () => {
      const deliveries = await open();
      const ownerId = aNewOwner();
      for (const id of ['a', 'b']) await deliveries.begin(delivery(ownerId, id), limit);
      await deliveries.end({ ownerId, deliveryId: 'a' });
      await deliveries.end({ ownerId, deliveryId: 'a' });
      expect(await deliveries.begin(delivery(ownerId, 'c'), limit)).toBe(true);
      expect(await deliveries.begin(delivery(ownerId, 'd'), limit)).toBe(false);
      expect(await deliveries.begin(delivery(ownerId, 'd'), { max: 2, now: later })).toBe(true);
    });
  },
);
