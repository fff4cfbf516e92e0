// @module-tag sources
// @module-tag webhooks
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { byAnswer, byName, byRedirect } from './hostile-inputs.ts';
import { aNetworkStage, maxBytes, type NetworkStage } from './network-stage.ts';

// Slow inputs first: the others are processed while they time out.
const inputs = [...byAnswer, ...byName, ...byRedirect];

let world: NetworkStage;
const jobs = new Map<string, string>();
beforeAll(async () => {
  world = await aNetworkStage();
  for (const { name, url } of inputs) jobs.set(name, await world.submit(url(world.at)));
});
afterAll(() => world?.stop());

/** How many requests the hostile server received for a host name. */
const requestsTo = (name: string) =>
  world.hostile.requests.filter(({ headers }) => headers.host?.startsWith(`${name}:`)).length;

describe('an input that passes the text checks', () => {
  it.each(inputs)('is rejected later: $name', async ({ name, code, message, retryable }) => {
    const { state, error } = await world.ended(jobs.get(name) ?? '');
    // What arrives whole is looked at: only then is it known to be no media.
    const stage = code === 'INPUT_NOT_MEDIA' ? 'probing' : 'downloading';
    expect({ state, error }).toEqual({
      state: 'rejected',
      error: { code, message: message(world.at), stage, retryable },
    });
  });

  it('never connects to the private service', async () => {
    for (const jobId of jobs.values()) await world.ended(jobId);
    expect(world.inside.connections()).toBe(0);
  });
});

it('inputs are rejected if their total size exceeds the limit', async () => {
  const url = `http://${world.at.listed}/padding`;
  const inputs = [{ url }, { url }];
  const job = await world.ended(
    await world.submit(url, { input: undefined, inputs, recipe: { name: 'concat' } }),
  );
  const message = `inputs.1: With this file, the files of the job have more than ${maxBytes} bytes together`;
  expect(job).toMatchObject({ state: 'rejected', error: { code: 'INPUT_TOO_LARGE', message } });
});

describe('a rebound DNS name', () => {
  it.each(['rebinds-on-redirect.test', 'rebinds-on-resume.test'])(
    'is not followed beyond its first answer: %s',
    async (name) => {
      for (const jobId of jobs.values()) await world.ended(jobId);
      expect(requestsTo(name)).toBe(1);
    },
  );

  it('connects to the checked address without a second lookup', async () => {
    const jobId = await world.submit(`http://rebinds-at-once.test:${world.at.port}/text`);
    const job = await world.ended(jobId);
    expect(job).toMatchObject({ state: 'rejected', error: { code: 'INPUT_NOT_MEDIA', stage: 'probing' } });
    expect(requestsTo('rebinds-at-once.test')).toBe(1);
  });
});
