import { beforeAll, describe, expect, it } from 'vitest';
import { aClosedStage, type ClosedStage } from './closed-stage.ts';
import { hostileMethods, hostilePaths, hostileQueries, jobs } from './hostile-paths.ts';
import type { RawRequest } from './raw-request.ts';
import { expectRejection } from './rejection.ts';

// @module-tag requests

let world: ClosedStage;
beforeAll(async () => {
  world = await aClosedStage();
});

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

it.each(hostileQueries)('the query %s is rejected', async (query, rejection) => {
  expectRejection(await bob({ target: `${jobs}?${query}` }), rejection);
});
