import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aChangedAssembly } from '../builders/stage/changed-assembly.ts';
import { aStageWithTenants, type Sending, type StageWithTenants } from '../builders/stage/tenants.ts';

const secrets = ['the current secret', 'the next secret'];

let world: StageWithTenants;
beforeAll(async () => {
  const assemblyDirectory = await aChangedAssembly((properties) => {
    const { Variables = {} } = properties.Environment ?? {};
    properties.Environment = { Variables: { ...Variables, ORIGIN_SECRETS: secrets.join(',') } };
  });
  world = await aStageWithTenants({ assemblyDirectory });
});
afterAll(() => world?.stop());

/** A request as CloudFront sends it with this secret, or as a caller sends it to the API's own address. */
const request = (secret?: string): Sending =>
  secret === undefined ? {} : { headers: { 'x-origin-secret': secret } };

const forbidden = {
  status: 403,
  body: {
    error: {
      code: 'FORBIDDEN',
      message: 'This address is not public: use the public address of the service.',
    },
  },
};

describe('a stage with an edge', () => {
  it.each(secrets)('answers requests with %s', async (secret) => {
    expect((await world.sendAs(world.alice.key)('/api/v1/jobs', request(secret))).status).toBe(200);
    expect((await world.send('/api/v1/openapi.json', request(secret))).status).toBe(200);
  });

  it.each([
    ['no secret', undefined],
    ['an empty one', ''],
    ['an earlier one', 'the previous secret'],
    ['both at once', secrets.join(',')],
    ['the beginning of one', 'the current'],
  ])(
    'rejects requests with %s before any read, with a valid key or without a credential',
    async (_, secret) => {
      world.stage.resetCalls();
      expect(await world.sendAs(world.alice.key)('/api/v1/jobs', request(secret))).toMatchObject(forbidden);
      expect(await world.send('/api/v1/jobs', request(secret))).toMatchObject(forbidden);
      expect(await world.send('/api/v1/openapi.json', request(secret))).toMatchObject(forbidden);
      const { GetItem = 0, Query = 0 } = world.stage.calls().dynamodb;
      expect([GetItem, Query]).toEqual([0, 0]);
    },
  );
});
