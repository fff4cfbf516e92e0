import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { activeSecrets } from '../../../core/settings/owner-settings.ts';
import { getWebhookSecret, rotateWebhookSecret } from '../../../functions/settings/settings.ts';
import { aRouteRequest, webhookRouteDeps } from '../../builders/webhook-routes.ts';

const day = 24 * 3_600_000;
const request = aRouteRequest();

async function anOwner() {
  const deps = { ...(await webhookRouteDeps()), randomBytes };
  const { settings, clock } = deps;
  return {
    ...deps,
    read: async () => (await getWebhookSecret(deps)(request)).body,
    rotate: async () => (await rotateWebhookSecret(deps)(request)).body,
    signWith: async () => {
      const { signingSecrets } = await settings.get('owner-1');
      return signingSecrets === undefined ? [] : activeSecrets(signingSecrets, clock.now());
    },
  };
}

/** Settings whose reads resolve only once `count` of them have started, so that every read precedes every write. */
function afterReadsOf<T>(count: number, read: (ownerId: string) => Promise<T>) {
  const all = Promise.withResolvers<void>();
  let reads = 0;
  return async (ownerId: string): Promise<T> => {
    const value = await read(ownerId);
    if (++reads === count) all.resolve();
    await all.promise;
    return value;
  };
}

describe('the signing secret', () => {
  it('is created by the first read and stays the same', async () => {
    const { read } = await anOwner();
    const first = await read();
    expect(first).toEqual({
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      previousSecretExpiresAt: null,
    });
    expect(await read()).toEqual(first);
  });

  it('is the same for concurrent first reads', async () => {
    const { read } = await anOwner();
    const secrets = await Promise.all(Array.from({ length: 10 }, async () => (await read()).secret));
    expect(new Set(secrets).size).toBe(1);
  });

  it('is limited to one owner', async () => {
    const deps = await anOwner();
    const other = await getWebhookSecret(deps)(aRouteRequest({ ownerId: 'owner-2' }));
    expect(other.body.secret).not.toBe((await deps.read()).secret);
  });
});

describe('a rotation', () => {
  it('keeps the previous secret valid for exactly 24 hours', async () => {
    const { read, rotate, signWith, clock } = await anOwner();
    const before = await read();
    const after = await rotate();
    expect(after.previousSecretExpiresAt).toBe(new Date(clock.now().getTime() + day).toISOString());
    clock.pass(day - 1);
    expect(await signWith()).toEqual([after.secret, before.secret]);
    clock.pass(1);
    expect(await signWith()).toEqual([after.secret]);
    expect(await read()).toEqual({ secret: after.secret, previousSecretExpiresAt: null });
  });

  it('keeps each secret valid for its whole 24 hours, also after further rotations', async () => {
    const { read, rotate, signWith, clock } = await anOwner();
    const first = (await read()).secret;
    const second = (await rotate()).secret;
    clock.pass(day / 2);
    const third = (await rotate()).secret;
    expect(await signWith()).toEqual([third, second, first]);
    clock.pass(day / 2 - 1);
    expect(await signWith()).toEqual([third, second, first]);
    clock.pass(1);
    expect(await signWith()).toEqual([third, second]);
  });

  it('is rejected while five secrets are valid, until the oldest expires', async () => {
    const { read, rotate, signWith, clock } = await anOwner();
    await read();
    for (let count = 0; count < 4; count++) {
      await rotate();
      clock.pass(1_000);
    }
    const valid = await signWith();
    expect(valid).toHaveLength(5);
    await expect(rotate()).rejects.toMatchObject({ code: 'SECRET_ROTATED_RECENTLY' });
    expect(await signWith()).toEqual(valid);
    clock.pass(day - 4_000);
    const { secret } = await rotate();
    expect(await signWith()).toEqual([secret, ...valid.slice(0, 4)]);
  });

  it('that is concurrent with another counts once: the secret that receivers know stays valid', async () => {
    const owner = await anOwner();
    const { secret: known } = await owner.read();
    const settings = { ...owner.settings, get: afterReadsOf(5, owner.settings.get) };
    const rotate = rotateWebhookSecret({ ...owner, settings });
    const answers = await Promise.all(Array.from({ length: 5 }, () => rotate(request)));
    const [rotated, ...others] = new Set(answers.map(({ body }) => body.secret));
    expect(others).toEqual([]);
    expect(await owner.signWith()).toEqual([rotated, known]);
  });

  it('creates the first secret of an owner without one', async () => {
    const { rotate, read } = await anOwner();
    const rotated = await rotate();
    expect(rotated.previousSecretExpiresAt).toBeNull();
    expect(await read()).toEqual(rotated);
  });

  it('keeps the other settings', async () => {
    const { rotate, settings, clock } = await anOwner();
    await settings.change('owner-1', { defaultWebhookUrl: 'https://hook.example/' }, clock.now());
    await rotate();
    expect((await settings.get('owner-1')).defaultWebhookUrl).toBe('https://hook.example/');
  });
});
