// @module-tag requests
import { readFile } from 'node:fs/promises';
import { clipWith } from '@media-jobs/video/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { newJobId } from '../../adapters/system/clock.ts';
import { aCompletedJob } from '../builders/jobs/ended-jobs.ts';
import { stageOwnerLimits } from '../builders/stage/stage-owner-limits.ts';
import { aStageWithTenants, type StageWithTenants } from '../builders/stage/tenants.ts';
import { anAttackerServer } from './attacker-server.ts';
import { type Attacker, attacks } from './attacks.ts';

/** Attacks that only a limit of the owner ends, and the rounds until it answers. */
const limited: Record<string, number> = {
  'unfinished jobs without end': 4,
  'webhook tests of a receiver that never answers': 1,
  'batches without end, whose manifests arrive slowly': 3,
  'uploads by the terabyte': 8,
  'keys without end': 4,
};

let world: StageWithTenants;
let server: Awaited<ReturnType<typeof anAttackerServer>>;
const victim = newJobId(new Date());
beforeAll(async () => {
  world = await aStageWithTenants({ environment: stageOwnerLimits('multi', { maxUnfinishedJobs: 9, maxKeys: 9 }) });
  server = await anAttackerServer(await readFile(await clipWith()));
  await world.store(aCompletedJob({ ownerId: world.bob.ownerId, jobId: victim }));
});

/** Another owner for each attack, with a completed job: an owner at its limits gets nothing but 429. */
async function anAttacker(name: string): Promise<Attacker> {
  const { ownerId, key } = await world.aTenant(name);
  await world.store(aCompletedJob({ ownerId, jobId: newJobId(new Date()) }));
  return {
    origin: server.origin,
    victimJobIds: () => [victim],
    async call(method, path, { body, credential = key } = {}) {
      const send = credential === null ? world.send : world.sendAs(credential);
      const answer = await send(path, { method, body });
      return { status: answer.status, body: answer.body as Record<string, unknown> };
    },
  };
}

describe('the attack of one owner on others:', () => {
  it.each(attacks.map((attack) => [attack.name, attack] as const))('%s', async (name, { round, statuses }) => {
    const attacker = await anAttacker(name);
    const answers: number[] = [];
    for (let rounds = 0; rounds < (limited[name] ?? 1); rounds += 1) answers.push(...(await round(attacker)));
    expect(answers.filter((status) => !statuses.includes(status))).toEqual([]);
    if (name in limited) expect(answers).toContain(429);
    else expect(answers.some((status) => status !== 429)).toBe(true);
  });

  it('leaves the jobs of another owner as they were', async () => {
    const { body } = await world.sendAs(world.bob.key)('/api/v1/jobs');
    expect(body).toMatchObject({ jobs: [{ jobId: victim, state: 'completed' }] });
  });
});
