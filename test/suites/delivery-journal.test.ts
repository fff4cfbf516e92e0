import { beforeEach, describe, expect, it } from 'vitest';
import { deliveryJournal } from '../../adapters/dynamodb/delivery-journal.ts';
import { type DeliveryAttempt, type DeliveryJournal, lostOutcome } from '../../core/webhooks/delivery.ts';
import { memoryDeliveryJournal } from '../../lab/simulation/memory/delivery-journal.ts';
import { aDeliveryAttempt } from '../builders/jobs/a-delivery-attempt.ts';
import { later } from '../builders/jobs/jobs.ts';
import { aNewOwner, bothStores } from './stores.ts';

const stores = bothStores(deliveryJournal, memoryDeliveryJournal);

describe.each(stores)('the delivery journal %s', (_, openJournal) => {
  let journal: DeliveryJournal;
  let ownerId: string;
  beforeEach(async () => {
    journal = await openJournal();
    ownerId = aNewOwner();
  });

  const anAttempt = (more: Partial<DeliveryAttempt> = {}) => aDeliveryAttempt({ ownerId, jobId: 'job-1', ...more });
  const closed = (attempt: DeliveryAttempt, delivered = true): DeliveryAttempt => ({
    ...attempt,
    outcome: { delivered, endedAt: later(90).toISOString(), latencyMs: 90, status: delivered ? 200 : 500 },
  });

  it('lets one of 20 writers open an attempt, and returns that attempt to the others', async () => {
    const attempts = Array.from({ length: 20 }, (_unused, n) => anAttempt({ writerId: `writer-${n}` }));
    const results = await Promise.all(attempts.map((attempt) => journal.open(attempt)));
    const [winner] = attempts.filter((_attempt, n) => results[n]?.written);
    expect(results.filter(({ written }) => written)).toHaveLength(1);
    expect(results.filter(({ written }) => !written)).toEqual(
      Array.from({ length: 19 }, () => ({ written: false, current: winner })),
    );
  });

  it('does not open an attempt again that has ended', async () => {
    await journal.open(anAttempt());
    await journal.close(closed(anAttempt()));
    expect(await journal.open(anAttempt())).toEqual({ written: false, current: closed(anAttempt()) });
  });

  it('keeps the first outcome: a late 2xx does not replace a recorded loss', async () => {
    const attempt = anAttempt();
    const lost = { ...attempt, outcome: lostOutcome(attempt, later(60_000)) };
    await journal.open(attempt);
    await journal.close(lost);
    expect(await journal.close(closed(attempt))).toEqual({ written: false, current: lost });
    expect(await journal.get(attempt)).toEqual(lost);
  });

  it('closes nothing that was never opened', async () => {
    expect(await journal.close(closed(anAttempt()))).toEqual({ written: false, current: undefined });
    expect(await journal.get(anAttempt())).toBeUndefined();
  });

  it('reports a repeated write as written', async () => {
    await journal.open(anAttempt());
    expect(await journal.open(anAttempt())).toEqual({ written: true });
    await journal.close(closed(anAttempt()));
    expect(await journal.close(closed(anAttempt()))).toEqual({ written: true });
  });

  it('lists the attempts of one delivery in order, as many as a setting may ask for', async () => {
    for (const attempt of [2, 1, 10, 3]) await journal.open(anAttempt({ attempt }));
    await journal.open(anAttempt({ deliveryId: 'delivery-2' }));
    const listed = await journal.list({ ownerId, jobId: 'job-1', deliveryId: 'delivery-1' });
    expect(listed).toEqual([1, 2, 3, 10].map((attempt) => anAttempt({ attempt })));
  });

  it('lists every delivery of a job, and none of a job whose id has the same prefix', async () => {
    await journal.open(anAttempt());
    await journal.open(anAttempt({ deliveryId: 'delivery-2' }));
    await journal.open(anAttempt({ jobId: 'job-11' }));
    const listed = await journal.list({ ownerId, jobId: 'job-1' });
    expect(listed.map(({ deliveryId }) => deliveryId)).toEqual(['delivery-1', 'delivery-2']);
  });

  it('lists the latest attempts of a job in order', async () => {
    for (const n of [1, 2, 3, 4, 5]) await journal.open(anAttempt({ deliveryId: `delivery-${n}` }));
    const latest = await journal.listLatest({ ownerId, jobId: 'job-1' }, 2);
    expect(latest.map(({ deliveryId }) => deliveryId)).toEqual(['delivery-4', 'delivery-5']);
  });

  it('removes all attempts of a job, however many, and no others', async () => {
    const deliveries = Array.from({ length: 30 }, (_unused, n) => `delivery-${n}`);
    await Promise.all(deliveries.map((deliveryId) => journal.open(anAttempt({ deliveryId }))));
    await journal.open(anAttempt({ jobId: 'job-2' }));
    await journal.removeAll({ ownerId, jobId: 'job-1' });
    expect(await journal.list({ ownerId, jobId: 'job-1' })).toEqual([]);
    expect(await journal.list({ ownerId, jobId: 'job-2' })).toHaveLength(1);
  });
});
