// @module-tag requests
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { localAudience, localIssuer } from '@media-jobs/local-stage/identity';
import { beforeAll, expect, it } from 'vitest';
import { root } from '../../lib/build/paths.ts';
import { tokensAfterSignIn } from '../../lib/local/sign-in.ts';
import { aRequest } from '../builders/jobs/jobs.ts';
import { aChangedAssembly } from '../builders/stage/changed-assembly.ts';
import { aRunningStage } from '../builders/stage/running-stage.ts';
import { readJob, submitJob } from '../builders/stage/submitted-jobs.ts';
import { aStageWithTenants, type StageWithTenants } from '../builders/stage/tenants.ts';

const organisationClaim = 'org_id';

let world: StageWithTenants;
beforeAll(async () => {
  const assemblyDirectory = await aChangedAssembly(({ Environment: { Variables = {} } = {} }) => {
    if ('OIDC_ISSUER' in Variables) Variables.OIDC_ORGANISATION_CLAIM = organisationClaim;
  });
  world = await aStageWithTenants({ assemblyDirectory });
});

/** A session of a user, or of an organisation if one is named. */
const session = (sub: string, organisation?: string) =>
  world.provider.token({
    iss: localIssuer,
    aud: localAudience,
    sub,
    ...(organisation === undefined ? {} : { [organisationClaim]: organisation }),
  });

async function submitAs(credential: string): Promise<string> {
  const { status, headers } = await world.sendAs(credential)('/api/v1/jobs', {
    method: 'POST',
    body: aRequest,
  });
  expect(status).toBe(201);
  return headers.get('location') ?? '';
}

async function keyOf(token: string): Promise<string> {
  const { body } = await world.sendAs(token)('/api/v1/keys', { method: 'POST', body: { name: 'own' } });
  return (body as { key: string }).key;
}

const statusOf = async (credential: string, path: string) => (await world.sendAs(credential)(path)).status;

it("the demo user of the stage's own provider a user signs in with one click and sees the jobs of the first key", async () => {
  const running = await aRunningStage();
  const { identity } = running.stage;
  if (identity === undefined) throw new Error('The local stage has an identity provider');
  const { access_token: token = '' } = await tokensAfterSignIn(identity);
  const { jobId } = await submitJob(running.api, aRequest);
  expect(await readJob(running.apiAs(token), jobId)).toMatchObject({ jobId });
});

it('the sessions and the keys of one user see the same jobs and the same settings', async () => {
  const token = session('erin');
  const key = await keyOf(token);
  const byKey = await submitAs(key);
  const bySession = await submitAs(token);
  const lists = await Promise.all([key, token].map((one) => world.sendAs(one)('/api/v1/jobs')));
  expect(lists[0]?.body).toEqual(lists[1]?.body);
  expect(lists[0]?.body).toMatchObject({ jobs: [bySession, byKey].map(jobAt) });
  const defaultWebhookUrl = 'https://hooks.example/erin';
  await world.sendAs(key)('/api/v1/settings', { method: 'PUT', body: { defaultWebhookUrl } });
  expect((await world.sendAs(token)('/api/v1/settings')).body).toMatchObject({ defaultWebhookUrl });
});

it('colleagues of one organisation share jobs and keys, with each other and with nobody else', async () => {
  const [alice, bob] = [session('alice', 'acme'), session('bob', 'acme')];
  const [key, path] = [await keyOf(alice), await submitAs(alice)];
  for (const colleague of [bob, key]) expect(await statusOf(colleague, path)).toBe(200);
  expect((await world.sendAs(bob)('/api/v1/keys')).body).toMatchObject({ keys: [{ name: 'own' }] });
  const strangers = [session('alice'), session('alice', 'acme2'), session('carol', 'globex'), session('acme')];
  for (const stranger of strangers) expect(await statusOf(stranger, path)).toBe(404);
});

it('the first key of a stage is created with AWS credentials alone, and is accepted by the API', async () => {
  const flags = ['--stage', 'local', '--account', '000000000000'];
  const { stdout } = await promisify(execFile)(process.execPath, ['lib/operator/first-key.ts', ...flags], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      AWS_ENDPOINT_URL_DYNAMODB: world.stage.endpoints.dynamodb,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'secret',
    },
  });
  const key = stdout.trim();
  expect(await statusOf(key, await submitAs(key))).toBe(200);
});

function jobAt(path: string): object {
  return expect.objectContaining({ jobId: path.split('/').at(-1) });
}
