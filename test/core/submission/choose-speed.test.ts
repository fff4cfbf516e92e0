import { describe, expect, it } from 'vitest';
import type { Principal } from '../../../core/access/authentication.ts';
import { createKeyRecord } from '../../../core/access/key-record.ts';
import { chooseSpeed, repeatSpeed, type StageSpeeds } from '../../../core/submission/accept-job.ts';
import { aRequest, later, start } from '../../builders/jobs/jobs.ts';
import { stageSpeeds } from '../../builders/jobs/stage-speeds.ts';

const session: Principal = { ownerId: 'owner-1', caller: 'session' };
const keyOf = (defaultSpeed: 'fast' | 'economy'): Principal => ({
  ownerId: 'owner-1',
  caller: 'key',
  key: createKeyRecord('key', { ownerId: 'owner-1', keyId: 'k', name: 'server', defaultSpeed, now: start }),
});
const without: StageSpeeds = { default: 'standard', hasPool: false };
const ahead = (ms: number) => later(ms).toISOString();
const minute = 60_000;

describe('the speed of a new job', () => {
  it.each<[string, object, Principal, StageSpeeds, object]>([
    ['nobody names', {}, session, stageSpeeds, {}],
    ['the stage names', {}, session, { default: 'economy', hasPool: true }, { speed: 'economy' }],
    ['the key names', {}, keyOf('economy'), { default: 'fast', hasPool: true }, { speed: 'economy' }],
    ['the request names', { speed: 'standard' }, keyOf('economy'), stageSpeeds, { speed: 'standard' }],
  ])('is the one that %s', (_, request, principal, speeds, chosen) => {
    expect(chooseSpeed(request, { principal, speeds, now: start })).toEqual(chosen);
  });

  it.each([
    [{ speed: 'economy' } as const, session],
    [{}, keyOf('economy')],
  ])('cannot be economy without a pool, and names the setting', (request, principal) => {
    expect(() => chooseSpeed(request, { principal, speeds: without, now: start })).toThrow(
      expect.objectContaining({ details: [{ path: 'speed', message: expect.stringContaining('fargate.pool') }] }),
    );
  });
});

describe('finishBy', () => {
  const choose = (request: object, principal: Principal = session) =>
    chooseSpeed(request, { principal, speeds: stageSpeeds, now: start });

  it.each([10 * minute, 7 * 24 * 60 * minute])('is a time of an economy job, such as in %d ms', (ms) => {
    const finishBy = ahead(ms);
    expect(choose({ speed: 'economy', finishBy })).toEqual({ speed: 'economy', finishBy });
    expect(choose({ finishBy }, keyOf('economy'))).toEqual({ speed: 'economy', finishBy });
  });

  it('is kept in UTC', () => {
    const { finishBy } = choose({ speed: 'economy', finishBy: ahead(60 * minute).replace('Z', '+00:00') });
    expect(finishBy).toBe(ahead(60 * minute));
  });

  it.each<[string, object, Principal]>([
    ['too soon', { speed: 'economy', finishBy: ahead(10 * minute - 1) }, session],
    ['too late', { speed: 'economy', finishBy: ahead(7 * 24 * 60 * minute + 1) }, session],
    ['of a fast job', { speed: 'fast', finishBy: ahead(60 * minute) }, keyOf('economy')],
    ['of a job of the default speed', { finishBy: ahead(60 * minute) }, session],
  ])('is an error if it is %s', (_, request, principal) => {
    expect(() => choose(request, principal)).toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR', details: [expect.objectContaining({ path: 'finishBy' })] }),
    );
  });

  it('is dropped by a retry once it is past, and the speed stays', () => {
    const request = { ...aRequest, speed: 'economy' as const, finishBy: ahead(minute) };
    expect(repeatSpeed(request, start)).toEqual(request);
    expect(repeatSpeed(request, later(minute))).toEqual({ ...aRequest, speed: 'economy' });
  });
});
