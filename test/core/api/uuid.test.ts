import { expect, it } from 'vitest';
import { estimateJobContract } from '../../../core/api/estimate-job.ts';
import { getFileContract } from '../../../core/api/files.ts';
import { getJobContract } from '../../../core/api/jobs.ts';
import { deleteKeyContract } from '../../../core/api/keys.ts';

const id = '0199c39e-77aa-7d10-b1c4-5f2e8a90d3b6';
const upperCase = id.toUpperCase();

it.each([getJobContract, getFileContract, deleteKeyContract])('$id finds an id in upper case', ({ params }) =>
  expect(params.parse({ id: upperCase, output: 'output', file: 'output.mp4' })).toMatchObject({ id }),
);

it('an estimate finds the probe by its id in upper case', () => {
  const { mode, input, output, recipe } = estimateJobContract.bodyExample;
  const body = { mode, input, output, recipe, probeJobId: upperCase };
  expect(estimateJobContract.body.parse(body)).toMatchObject({ probeJobId: id });
});

it('an id that is no UUID is rejected', () => {
  expect(getJobContract.params.safeParse({ id: 'nonsense' }).success).toBe(false);
});
