// @module-tag nightly
// @module-tag jobs
import { expect, it } from 'vitest';
import { aWorkerStage } from './worker-stage.ts';

it('the worker fails a job that exceeds its time limit before the function is killed', async () => {
  const stage = await aWorkerStage({ stallSeconds: 60 });
  const job = await stage.ended(await stage.submit('/long.mp4'));
  expect(job).toMatchObject({ state: 'failed', error: { code: 'TIMEOUT', retryable: false } });
  expect(stage.encoders()).toEqual([]);
});
