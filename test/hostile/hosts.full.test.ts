// @module-tag requests
import { beforeAll, expect, it } from 'vitest';
import { newJobId } from '../../adapters/system/clock.ts';
import { aCompletedJob } from '../builders/jobs/ended-jobs.ts';
import { aRequest } from '../builders/jobs/jobs.ts';
import { aClosedStage, type ClosedStage } from './closed-stage.ts';
import { jobs } from './hostile-paths.ts';
import type { RawAnswer, RawRequest } from './raw-request.ts';

const otherHosts: [name: string, headers: RawRequest['headers']][] = [
  ["an attacker's Host header", [['Host', 'evil.example']]],
  ['a Host of the loopback interface', [['Host', '127.0.0.1:1']]],
  ['an empty Host', [['Host', '']]],
  ['a malformed Host', [['Host', 'a b@c/..?d']]],
  ['two Hosts', ['evil.example', 'media.example'].map((host) => ['Host', host] as const)],
];

const spoofed: [name: string, headers: RawRequest['headers']][] = [
  ['a forwarded host', [['X-Forwarded-Host', 'evil.example']]],
  ['a forwarded host of the newer kind', [['Forwarded', 'host=evil.example']]],
  ['a path that was rewritten', [['X-Original-URL', '/api/v1/keys']]],
  ['another path that was rewritten', [['X-Rewrite-URL', '/api/v1/keys']]],
  ['another method', [['X-HTTP-Method-Override', 'DELETE']]],
];

let world: ClosedStage;
const jobId = newJobId(new Date());
beforeAll(async () => {
  world = await aClosedStage();
  await world.store(aCompletedJob({ ownerId: world.alice.ownerId, jobId }));
});

it.each(spoofed)('a request with spoofed headers for %s gets the job, and no spoofed host', async (_, headers) => {
  const answer = await world.rawAs(world.alice.key, { target: `${jobs}/${jobId}`, headers });
  expect(answer.status).toBe(200);
  expect(JSON.parse(answer.text)).toMatchObject({ jobId, state: 'completed' });
  expect(JSON.stringify(answer)).not.toContain('evil.example');
});

it.each(otherHosts)(
  'a request to another host, as after DNS rebinding, with %s gets 403 and nothing of the job',
  async (_, headers) => {
    const answer = await world.rawAs(world.alice.key, { target: `${jobs}/${jobId}`, headers });
    expect(answer.status).toBe(403);
    expect(answer.text).not.toContain(jobId);
  },
);

it.each<[string, string, object, (answer: RawAnswer) => string | undefined, RegExp]>([
  ['Location of a job', jobs, aRequest, ({ headers }) => headers.location, /^\/api\/v1\/jobs\/[0-9a-f-]{36}$/],
  ['URL of an upload', '/api/v1/uploads', { sizeBytes: 1 }, uploadUrl, /^http:\/\/127\.0\.0\.1:/],
])("an attacker's forwarded host is not in the %s", async (_, target, body, urlIn, form) => {
  const answer = await world.rawAs(world.alice.key, {
    method: 'POST',
    target,
    headers: [
      ['X-Forwarded-Host', 'evil.example'],
      ['Content-Type', 'application/json'],
    ],
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(201);
  expect(urlIn(answer)).toMatch(form);
});

function uploadUrl({ text }: RawAnswer): string {
  return JSON.parse(text).uploadUrl;
}
