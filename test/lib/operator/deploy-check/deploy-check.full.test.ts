import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { suite } from '@media-jobs/conformance';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type Alteration,
  changingResponse,
  instead,
  type Json,
  startProxy,
  unchanged,
} from '../../../builders/http/altering-proxy.ts';
import { aConformingStage, type ConformingStage } from '../../../conformance/builders/a-conforming-stage.ts';

let stage: ConformingStage;
let apiKey: string;
beforeAll(async () => {
  // Above 5 GiB, so that a multipart upload is possible.
  stage = await aConformingStage({ MAX_INPUT_BYTES: '9000000000' });
  ({ apiKey } = await stage.aCustomer());
}, 240_000);

/** Checks the stage as an operator does, through a proxy that may modify responses. */
async function check(args: string[], alteration: Alteration = unchanged) {
  const proxy = await startProxy(stage.baseUrl, alteration);
  const child = spawn(process.execPath, ['lib/operator/deploy-check.ts', '--url', proxy.origin, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, MEDIA_JOBS_KEY: apiKey },
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const out = await text(child.stdout);
  await proxy.stop();
  return { exitCode: await exited, out };
}

describe('the check of a deployed stage', () => {
  it('passes on a stage of this version', async () => {
    const { exitCode, out } = await check(['--only', 'deployment']);
    expect(out).toMatch(/Clauses: 4 passed, 0 failed, 0 skipped/);
    expect(exitCode).toBe(0);
  });

  it('runs a multipart upload, a job in chunks and a playlist', async () => {
    const { exitCode, out } = await check(['--only', 'media']);
    expect(out).toMatch(/Clauses: 5 passed, 0 failed, 0 skipped/);
    expect(out).toMatch(/ffmpeg is isolated.*\n +no_new_privs, seccomp/);
    expect(exitCode).toBe(0);
  });

  it('also checks conformance to the specification', async () => {
    const { out } = await check(['--list']);
    for (const { id, section, sentence } of suite) expect(out).toContain(`${id}\t${section}\t${sentence}`);
  });

  it.each<[string, Alteration, RegExp]>([
    [
      'an older version',
      changingResponse('GET /api/v1/openapi.json', ({ paths }) => delete (paths as Json)['/api/v1/usage']),
      /✗ 1\/4[\s\S]*The document lacks getUsage: an older version may be deployed/,
    ],
    [
      'a version whose requests are others',
      changingResponse('GET /api/v1/openapi.json', ({ components }) => {
        delete (components as { schemas: Json }).schemas.RecipeRequest;
      }),
      /✗ 1\/4[\s\S]*The document differs in components: another version may be deployed/,
    ],
    [
      'another answer than the contract has',
      changingResponse('GET /api/v1/recipes', (body) => delete body.recipes),
      /✗ 2\/4[\s\S]*listRecipes does not match its contract/,
    ],
    [
      'no word for a method that there is not',
      instead('PUT /api/v1/jobs', 404),
      /✗ 3\/4[\s\S]*PUT \/api\/v1\/jobs answered 404, not 405/,
    ],
    ['a dashboard on one path only', instead('GET /app/jobs/any', 404), /✗ 4\/4[\s\S]*\/app\/jobs\/any answered 404/],
  ])('finds %s', async (_what, alteration, found) => {
    const { exitCode, out } = await check(['--only', 'deployment'], alteration);
    expect(out).toMatch(found);
    expect(out).toMatch(/3 passed, 1 failed/);
    expect(exitCode).toBe(1);
  });
});
