import { aVirtualClock } from '@media-jobs/testing/virtual-clock';
import { describe, expect, it } from 'vitest';
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  listWebhookEndpoints,
  updateWebhookEndpoint,
} from '../../../functions/settings/webhook-endpoints.ts';
import { memoryReservations } from '../../../lab/simulation/memory/reservations.ts';
import { memorySettingsTable } from '../../../lab/simulation/memory/settings-table.ts';
import { callRoute } from '../../builders/http/call-route.ts';
import { aJobId, start } from '../../builders/jobs/jobs.ts';

const url = 'https://hooks.example/a';

function someRoutes() {
  const settings = memorySettingsTable();
  let made = 0;
  const deps = {
    ...{ settings, reservations: memoryReservations(), clock: aVirtualClock(start) },
    newId: () => aJobId(++made),
    randomBytes: (size: number) => new Uint8Array(size).fill(++made),
    webhookUrlRules: { schemes: ['https' as const], reachable: [] },
  };
  const create = (body: object, headers = {}, ownerId = 'owner-1') =>
    callRoute(createWebhookEndpoint(deps), {
      ownerId,
      body,
      headers,
      rawBody: JSON.stringify(body),
    } as never) as Promise<{ body: { id: string; secret: string } }>;
  const list = async (ownerId = 'owner-1') =>
    ((await callRoute(listWebhookEndpoints(deps), { ownerId } as never)).body as { webhookEndpoints: object[] })
      .webhookEndpoints;
  const update = (id: string, body: object, ownerId = 'owner-1') =>
    callRoute(updateWebhookEndpoint(deps), { ownerId, params: { id }, body } as never);
  const remove = (id: string, ownerId = 'owner-1') =>
    callRoute(deleteWebhookEndpoint(deps), { ownerId, params: { id } } as never);
  return { create, list, update, remove, settings };
}

describe('the webhook endpoints', () => {
  it('are made, changed and removed by their owner, and show their secret once', async () => {
    const { create, list, update, remove } = someRoutes();
    const { body } = await create({ url, states: ['failed'], metadata: { site: 'a' } });
    expect(body).toMatchObject({ url, states: ['failed'], disabled: false, secret: expect.stringMatching(/^whsec_/) });
    const { secret: _, ...shown } = body;
    expect(await list()).toEqual([shown]);
    expect(await list('owner-2')).toEqual([]);
    await update(body.id, { disabled: true, states: null });
    expect(await list()).toEqual([{ ...shown, disabled: true, states: undefined }]);
    await expect(update(body.id, { url: 'http://hooks.example/' })).rejects.toMatchObject({ code: 'INVALID_URL' });
    await expect(create({ url: 'https://127.0.0.1/' })).rejects.toMatchObject({ code: 'INVALID_URL' });
    await expect(remove(body.id, 'owner-2')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await remove(body.id);
    expect(await list()).toEqual([]);
  });

  it('are removed though the response of the table is lost', async () => {
    const { create, list, remove, settings } = someRoutes();
    const { body } = await create({ url });
    const { replaceEndpoints } = settings;
    let lost = false;
    settings.replaceEndpoints = async (...write) => {
      const isWritten = await replaceEndpoints(...write);
      const isFirst = !lost;
      lost = true;
      return isWritten && !isFirst;
    };
    expect(await remove(body.id)).toMatchObject({ status: 204 });
    expect(await list()).toEqual([]);
  });

  it('are at most five', async () => {
    const { create, list } = someRoutes();
    await Promise.allSettled(Array.from({ length: 7 }, () => create({ url })));
    expect(await list()).toHaveLength(5);
    await expect(create({ url })).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
  });

  it('have the same id and a new secret after a repeated request', async () => {
    const { create, list, settings } = someRoutes();
    const headers = { 'idempotency-key': 'one' };
    const [{ body: first }, { body: again }] = [await create({ url }, headers), await create({ url }, headers)];
    expect([again.id, (await list()).length]).toEqual([first.id, 1]);
    expect(again.secret).not.toBe(first.secret);
    expect((await settings.get('owner-1')).webhookEndpoints?.list).toMatchObject([{ secret: again.secret }]);
  });
});
