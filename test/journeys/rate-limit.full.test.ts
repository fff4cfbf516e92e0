// @module-tag requests
import { beforeAll, expect, it } from 'vitest';
import { anAssemblyWith } from '../builders/stage/assembly-with-settings.ts';
import { aStageWithTenants, type StageWithTenants } from '../builders/stage/tenants.ts';

const burst = 20;

let world: StageWithTenants;
beforeAll(async () => {
  const assemblyDirectory = await anAssemblyWith({ rateLimit: { requestsPerSecond: 1, burst } });
  world = await aStageWithTenants({ assemblyDirectory });
});

it('a key above its rate gets 429, which pages can read, and the other owner is served', async () => {
  const origin = 'https://page.example';
  const ask = () => world.sendAs(world.alice.key)('/api/v1/limits', { headers: { origin } });
  let answer = await ask();
  let passed = 0;
  for (; answer.status === 200; answer = await ask()) passed += 1;
  expect(passed).toBeGreaterThanOrEqual(burst);
  expect(passed).toBeLessThan(burst + 20);
  expect(answer).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED', retryable: true } } });
  const { headers } = answer;
  expect(headers.get('retry-after')).toMatch(/^([1-9]|10)$/);
  expect(headers.get('ratelimit-policy')).toBe('"requests";q=20;w=20');
  expect(headers.get('ratelimit')).toBe(`"requests";r=0;t=${headers.get('retry-after')}`);
  expect(headers.get('access-control-expose-headers')?.toLowerCase()).toContain('ratelimit-policy');
  expect((await world.sendAs(world.bob.key)('/api/v1/limits')).status).toBe(200);
});
