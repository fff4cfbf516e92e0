// @module-tag requests
import { beforeAll, describe, expect, it } from 'vitest';
import type { JobRecord } from '../../core/jobs/record.ts';
import { aChangedAssembly } from '../builders/stage/changed-assembly.ts';
import { pastJobs, storeJobs } from '../builders/stage/stored-jobs.ts';
import { aStageWithTenants, type Sending, type StageWithTenants } from '../builders/stage/tenants.ts';

const secret = 'the secret of the API';

let world: StageWithTenants;
beforeAll(async () => {
  const assemblyDirectory = await aChangedAssembly((properties) => {
    const { Variables = {} } = properties.Environment ?? {};
    properties.Environment = { Variables: { ...Variables, ORIGIN_SECRET: secret } };
  });
  world = await aStageWithTenants({ assemblyDirectory });
});

/** A request as CloudFront sends it with these secrets, or as a caller sends it to the API's own address. */
const request = (sent?: string): Sending => (sent === undefined ? {} : { headers: { 'x-origin-secret': sent } });

const forbidden = {
  status: 403,
  body: {
    error: {
      code: 'FORBIDDEN',
      message: 'This address is not public: use the public address of the service.',
    },
  },
};

describe('a stage with a firewall', () => {
  it.each([
    ['alone', secret],
    ['as the first of two', `${secret},the next`],
    ['between the previous and the next', `the previous,${secret},the next`],
    ['as the last of three', `the one before,the previous,${secret}`],
  ])('answers requests with its secret %s', async (_, sent) => {
    expect((await world.sendAs(world.alice.key)('/api/v1/jobs', request(sent))).status).toBe(200);
    expect((await world.send('/api/v1/openapi.json', request(sent))).status).toBe(200);
  });

  it.each([
    ['no secret', undefined],
    ['an empty one', ''],
    ['only empty ones', ',,'],
    ['others', 'the previous,the next'],
    ['the beginning of its own', 'the secret'],
    ['more than three', `1,2,3,${secret}`],
  ])('rejects requests with %s before any read, with a valid key or without a credential', async (_, sent) => {
    world.stage.resetCalls();
    expect(await world.sendAs(world.alice.key)('/api/v1/jobs', request(sent))).toMatchObject(forbidden);
    expect(await world.send('/api/v1/jobs', request(sent))).toMatchObject(forbidden);
    expect(await world.send('/api/v1/openapi.json', request(sent))).toMatchObject(forbidden);
    const { GetItem = 0, Query = 0 } = world.stage.calls().dynamodb;
    expect([GetItem, Query]).toEqual([0, 0]);
  });

  it('opens the URL of a file that was signed before only with its secret', async () => {
    const [job] = pastJobs(1, { until: new Date(), everyMinutes: 1 });
    await storeJobs(world.stage, [{ ...job, ownerId: world.alice.ownerId } as JobRecord]);
    const read = await world.sendAs(world.alice.key)(`/api/v1/jobs/${job?.jobId}`, request(secret));
    const { pathname, search } = new URL((read.body as Record<'output', { signedUrl: string }>).output.signedUrl);
    const statusOf = async (headers = {}) =>
      (await fetch(world.stage.baseUrl + pathname + search, { headers, redirect: 'manual' })).status;
    expect([await statusOf(), await statusOf({ 'x-origin-secret': secret })]).toEqual([403, 302]);
  });
});
