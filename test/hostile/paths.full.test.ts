// @module-tag requests
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newJobId } from '../../adapters/system/clock.ts';
import { aCompletedJob } from '../builders/jobs/ended-jobs.ts';
import { aClosedStage, type ClosedStage } from './closed-stage.ts';
import { badCursor, hostileMethods, hostilePaths, hostileQueries, jobs } from './hostile-paths.ts';
import type { RawRequest } from './raw-request.ts';
import { expectRejection } from './rejection.ts';

let world: ClosedStage;
beforeAll(async () => {
  world = await aClosedStage();
});
afterAll(() => world?.stop());

const bob = (request: RawRequest) => world.rawAs(world.bob.key, request);

it.each(hostilePaths)('the path %s is NOT_FOUND', async (target, rejection) => {
  expectRejection(await bob({ target }), rejection);
});

describe('the method', () => {
  it.each(hostileMethods)('%s of %s is METHOD_NOT_ALLOWED', async (method, target, rejection) => {
    const answer = await bob({ method, target });
    expectRejection(answer, rejection);
    if (rejection.status === 405) expect(rejection.message).toBe(`This path supports ${answer.headers.allow}.`);
  });

  it('HEAD is rejected without a body', async () => {
    expect(await bob({ method: 'HEAD', target: jobs })).toMatchObject({ status: 405, text: '' });
  });
});

describe('the query', () => {
  it.each(hostileQueries)('%s is rejected', async (query, rejection) => {
    expectRejection(await bob({ target: `${jobs}?${query}` }), rejection);
  });

  it("with the cursor of another owner's list or another filter is rejected", async () => {
    const { ownerId } = world.alice;
    for (const jobId of [1, 2].map(() => newJobId(new Date()))) {
      await world.store(aCompletedJob({ ownerId, jobId }));
    }
    const page = await world.rawAs(world.alice.key, { target: `${jobs}?limit=1` });
    const { nextCursor } = JSON.parse(page.text) as { nextCursor: string };
    expect(nextCursor).toBeTruthy();
    expectRejection(await bob({ target: `${jobs}?cursor=${nextCursor}` }), badCursor);
    const filtered = `${jobs}?state=failed&cursor=${nextCursor}`;
    expectRejection(await world.rawAs(world.alice.key, { target: filtered }), badCursor);
  });
});
