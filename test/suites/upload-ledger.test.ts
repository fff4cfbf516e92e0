import { describe, expect, it } from 'vitest';
import { uploadLedger } from '../../adapters/dynamodb/upload-ledger.ts';
import { memoryUploadLedger } from '../../lab/simulation/memory/upload-ledger.ts';
import { aNewOwner, bothStores } from './stores.ts';

const now = new Date('2026-03-01T12:00:00.000Z');
const day = '2026-03-01';

describe.each(bothStores(uploadLedger, memoryUploadLedger))('the upload ledger %s', (_, open) => {
  const upload = (ownerId: string, uploadId: string, sizeBytes = 40) => ({ ownerId, uploadId, sizeBytes, now });

  it('adds the bytes of an owner up to the limit of the day, and rejects the upload that exceeds it', async () => {
    const ledger = await open();
    const ownerId = aNewOwner();
    expect(await ledger.add(upload(ownerId, 'a'), 100)).toEqual({ added: true, bytes: 40 });
    expect(await ledger.add(upload(ownerId, 'b', 60), 100)).toEqual({ added: true, bytes: 100 });
    expect(await ledger.add(upload(ownerId, 'c', 1), 100)).toEqual({ added: false, bytes: 100 });
    expect(await ledger.bytesOn(ownerId, day)).toBe(100);
  });

  it('counts a repeated upload once, even after the limit is reached', async () => {
    const ledger = await open();
    const ownerId = aNewOwner();
    for (let n = 0; n < 3; n += 1) {
      expect(await ledger.add(upload(ownerId, 'a', 100), 100)).toEqual({ added: true, bytes: 100 });
    }
    expect(await ledger.bytesOn(ownerId, day)).toBe(100);
  });

  it('admits as many concurrent uploads as fit, and counts each once', async () => {
    const ledger = await open();
    const ownerId = aNewOwner();
    const results = await Promise.all(
      Array.from({ length: 12 }, (_, n) => ledger.add(upload(ownerId, `upload-${n}`, 25), 200)),
    );
    expect(results.filter(({ added }) => added)).toHaveLength(8);
    expect(await ledger.bytesOn(ownerId, day)).toBe(200);
  });

  it('begins each UTC day at zero, and each owner has its own', async () => {
    const ledger = await open();
    const ownerId = aNewOwner();
    await ledger.add(upload(ownerId, 'a'), 100);
    const tomorrow = { ...upload(ownerId, 'b'), now: new Date('2026-03-02T00:00:00.000Z') };
    expect(await ledger.add(tomorrow, 100)).toEqual({ added: true, bytes: 40 });
    expect(await ledger.bytesOn(aNewOwner(), day)).toBe(0);
  });
});
