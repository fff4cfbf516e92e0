import { beforeEach, describe, expect, it } from 'vitest';
import { idempotencyTable } from '../../adapters/dynamodb/idempotency-table.ts';
import { type Reservations, reservationFor } from '../../core/idempotency.ts';
import { memoryReservations } from '../../lab/simulation/memory/reservations.ts';
import { later } from '../builders/jobs/jobs.ts';
import { aNewOwner, bothStores } from './stores.ts';

const stores = bothStores(idempotencyTable, memoryReservations);

const day = 24 * 3_600_000;

describe.each(stores)('the reservations of idempotency keys %s', (_, open) => {
  let reservations: Reservations;
  let ownerId: string;
  beforeEach(async () => {
    reservations = await open();
    ownerId = aNewOwner();
  });
  const reserve = (resourceId: string, { at = 0, key = 'key', owner = ownerId } = {}) => {
    const now = later(at);
    return reservations.reserve(reservationFor({ ownerId: owner, key, body: {}, resourceId, now }), now);
  };

  it('give 20 concurrent requests the same job', async () => {
    const requests = Array.from({ length: 20 }, (_unused, n) => reserve(`job-${n}`));
    const jobIds = (await Promise.all(requests)).map(({ resourceId }) => resourceId);
    expect(new Set(jobIds).size).toBe(1);
  });

  it('hold for a day, whether the table has removed them or not', async () => {
    await reserve('job-1');
    expect((await reserve('job-2', { at: day - 1_000 })).resourceId).toBe('job-1');
    expect((await reserve('job-3', { at: day })).resourceId).toBe('job-3');
  });

  it('are found until they expire, and not before they are made', async () => {
    const requested = reservationFor({ ownerId, key: 'key', body: {}, resourceId: 'job-1', now: later(0) });
    expect(await reservations.find(requested, later(0))).toBeUndefined();
    await reservations.reserve(requested, later(0));
    expect(await reservations.find(requested, later(day - 1_000))).toEqual(requested);
    expect(await reservations.find(requested, later(day))).toBeUndefined();
  });

  it('keep a result', async () => {
    const reservation = await reserve('job-1');
    await reservations.complete(reservation, 'made');
    expect(await reserve('job-2')).toEqual({ ...reservation, result: 'made' });
  });

  it("do not hold for another key, or for another owner's same key", async () => {
    await reserve('job-1');
    expect((await reserve('job-2', { key: 'other' })).resourceId).toBe('job-2');
    expect((await reserve('job-3', { owner: aNewOwner() })).resourceId).toBe('job-3');
  });
});
