// @module-tag requests
import { localAudience, localIssuer } from '@media-jobs/local-stage/identity';
import { beforeAll, describe, expect, it } from 'vitest';
import { aRequest } from '../builders/jobs/jobs.ts';
import { anApiKeyOf } from '../builders/stage/an-api-key.ts';
import { aChangedAssembly } from '../builders/stage/changed-assembly.ts';
import { stageOwnerLimits } from '../builders/stage/stage-owner-limits.ts';
import { aStageWithTenants, type StageWithTenants } from '../builders/stage/tenants.ts';

let world: StageWithTenants;
beforeAll(async () => {
  const ofTeam = { OIDC_ORGANISATION_CLAIM: 'org_id', OIDC_ORGANISATION: 'acme' };
  const assemblyDirectory = await aChangedAssembly(({ Environment: { Variables = {} } = {} }) => {
    Object.assign(Variables, { TENANCY: 'single', ...stageOwnerLimits('single') });
    if ('OIDC_ISSUER' in Variables) Object.assign(Variables, ofTeam);
  });
  world = await aStageWithTenants({ assemblyDirectory });
});

const session = (sub: string, organisation?: string) =>
  world.provider.token({ iss: localIssuer, aud: localAudience, sub, org_id: organisation });

const statusOf = async (credential: string) => (await world.sendAs(credential)('/api/v1/jobs')).status;

describe('a stage of one team', () => {
  it('shows every job and key to every session and key', async () => {
    const ada = world.sendAs(session('ada', 'acme'));
    const bob = world.sendAs(session('bob', 'acme'));
    const made = await ada('/api/v1/keys', { method: 'POST', body: { name: 'of ada' } });
    const { key } = made.body as { key: string };
    const { body } = await world.sendAs(key)('/api/v1/jobs', { method: 'POST', body: aRequest });
    const { jobId } = body as { jobId: string };
    expect((await bob(`/api/v1/jobs/${jobId}`)).status).toBe(200);
    expect((await bob('/api/v1/keys')).body).toMatchObject({ keys: [{ name: 'of ada' }] });
    expect(await world.stored({ ownerId: 'stage', jobId })).toMatchObject({ jobId });
  });

  it('has no limits but those of a key', async () => {
    const ada = world.sendAs(session('ada', 'acme'));
    expect((await ada('/api/v1/limits')).body).toEqual({ limits: [] });
    const limits = { maxUploadBytesPerDay: 10 };
    const made = await ada('/api/v1/keys', { method: 'POST', body: { name: 'limited', limits } });
    const limited = world.sendAs((made.body as { key: string }).key);
    expect((await limited('/api/v1/limits')).body).toEqual({
      limits: [{ limit: 'maxUploadBytesPerDay', value: 10, use: 0 }],
    });
    // More than an owner of several may announce in a day by default.
    const upload = { method: 'POST', body: { sizeBytes: 4_000_000_000 } };
    for (let n = 0; n < 26; n += 1) expect((await ada('/api/v1/uploads', upload)).status).toBe(201);
    expect((await limited('/api/v1/uploads', upload)).body).toMatchObject({ error: { code: 'LIMIT_EXCEEDED' } });
  });

  it('admits nobody of another organization or of none, and no key of another owner', async () => {
    expect(await statusOf(session('ada', 'acme'))).toBe(200);
    for (const organisation of ['other', '', undefined]) {
      expect(await statusOf(session('ada', organisation))).toBe(401);
    }
    expect(await statusOf(world.alice.key)).toBe(401);
    expect(await statusOf(await anApiKeyOf(world.stage, 'stage'))).toBe(200);
  });
});
