import { describe, expect, it } from 'vitest';
import { findExceededCap, findUsedUpCap, usesOfCap } from '../../../core/spending/cap-use.ts';
import { aJobId } from '../../builders/jobs/jobs.ts';

const idAt = (n: number, time: string) => aJobId(n, new Date(time));
const job = { jobId: idAt(1, '2026-12-31T10:00:00.000Z') };
const counter = {
  version: 3,
  latest: [],
  spent: { '2026-12-30': 2e9, '2026-12-31': 1e9 },
  reserved: {
    [job.jobId]: 9e9,
    [idAt(2, '2026-12-31T11:00:00.000Z')]: 0.5e9,
    [idAt(3, '2026-12-30T11:00:00.000Z')]: 0.25e9,
  },
};

describe('the use of a cap', () => {
  it('is the cost and the reservations of the jobs of the day and the month, without the job itself', () => {
    expect(usesOfCap({ usdPerDay: 4, usdPerMonth: 40 }, counter, job)).toEqual([
      { limit: 'usdPerDay', value: 4, use: 1.5, spent: 1, endsAt: new Date('2027-01-01T00:00:00.000Z') },
      { limit: 'usdPerMonth', value: 40, use: 3.75, spent: 3, endsAt: new Date('2027-01-01T00:00:00.000Z') },
    ]);
  });

  it('ends with the day or the month of the job', () => {
    const earlier = { jobId: idAt(1, '2026-02-27T10:00:00.000Z') };
    const ends = usesOfCap({ usdPerDay: 4, usdPerMonth: 40 }, counter, earlier).map(({ endsAt }) =>
      endsAt.toISOString().slice(0, 10),
    );
    expect(ends).toEqual(['2026-02-28', '2026-03-01']);
  });
});

it('a cap is exceeded by a job that costs more than it leaves', () => {
  const uses = usesOfCap({ usdPerDay: 2 }, counter, job);
  expect(findExceededCap(uses, 0.5)).toBeUndefined();
  expect(findExceededCap(uses, 0.51)).toMatchObject({ limit: 'usdPerDay', use: 1.5 });
});

it('a cap is used up once it leaves nothing, and a cap of nothing always is', () => {
  expect(findUsedUpCap(usesOfCap({ usdPerDay: 2 }, counter, job))).toBeUndefined();
  expect(findUsedUpCap(usesOfCap({ usdPerDay: 1.5 }, counter, job))).toMatchObject({ use: 1.5 });
  const unused = { ...counter, spent: {}, reserved: {} };
  expect(findUsedUpCap(usesOfCap({ usdPerDay: 0 }, unused, job))).toMatchObject({ use: 0 });
});
