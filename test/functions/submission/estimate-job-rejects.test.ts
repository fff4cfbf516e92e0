import { aProbe, aVideoStream } from '@media-jobs/video/testing';
import { describe, expect, it } from 'vitest';
import { estimateJobContract } from '../../../core/api/estimate-job.ts';
import type { Job } from '../../../core/jobs/record.ts';
import {
  aCompletedProbe,
  aRoute,
  job,
  media,
  probeRequest,
  storageProviderId,
} from '../../builders/http/estimate-job-route.ts';
import { aProcessingJob } from '../../builders/jobs/jobs.ts';

describe('a request for an estimate is rejected', () => {
  it.each([
    ['without a source', { ...job }, /media: Give either media or probeJobId/],
    ['with two sources', { ...job, media, probeJobId: crypto.randomUUID() }, /Give either media or probeJobId/],
    ['with an unknown field', { ...job, media, colour: 'mauve' }, /colour/],
    ['with a parameter that the recipe does not have', { ...job, media, recipe: { name: 'mute', crf: 3 } }, /crf/],
  ])('%s', (_, body, message) => {
    const issues = estimateJobContract.body.safeParse(body).error?.issues ?? [];
    const text = issues.map(({ path, message: each }) => `${path.join('.')}: ${each}`).join('; ');
    expect(text).toMatch(message);
  });

  it('with a URL that a job must not have', async () => {
    const call = aRoute().call({ ...job, media, input: { url: 'https://127.0.0.1/in.mp4' } });
    await expect(call).rejects.toMatchObject({ code: 'INVALID_URL' });
  });

  it('with a storage provider that the owner does not have', async () => {
    const call = aRoute().call({ ...job, media, output: { ...job.output, storageProviderId } });
    await expect(call).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'output.storageProviderId' }],
    });
  });

  it('with a source above a limit of the stage', async () => {
    const call = aRoute().call({ ...job, media: { ...media, durationSeconds: 40_000 } });
    await expect(call).rejects.toThrow(/lasts 40000 s; the limit is 28800 s/);
  });

  it('with a source that does not suit the recipe', async () => {
    const call = aRoute().call({ ...job, recipe: { name: 'hdr-to-sdr' }, media });
    await expect(call).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'media', message: expect.stringMatching(/HDR/) }],
    });
  });

  it('with a measured source that does not suit the recipe', async () => {
    const stored = aCompletedProbe();
    const { call } = aRoute({ stored, text: JSON.stringify(aProbe([aVideoStream()])) });
    const estimate = call({ ...job, recipe: { name: 'hdr-to-sdr' }, probeJobId: stored.jobId });
    await expect(estimate).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'probeJobId', message: expect.stringMatching(/HDR/) }],
    });
  });

  it('with a probe of an unknown job', async () => {
    const call = aRoute().call({ ...job, probeJobId: aCompletedProbe().jobId });
    await expect(call).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it.each<[string, Job, string]>([
    ['of a job of another recipe', aProcessingJob(), 'The job is not one of the recipe probe'],
    ['that is not completed', aProcessingJob({ request: probeRequest }), 'The job is not completed: it is processing'],
    [
      'whose file is at a storage provider',
      aCompletedProbe({ storageProviderId, key: 'probe.json' }),
      'The file of the job is at a storage provider, where an estimate does not read it',
    ],
    ['whose file has expired', aCompletedProbe(), 'The file of the job has expired'],
  ])('with a probe %s', async (_, stored, message) => {
    const call = aRoute({ stored }).call({ ...job, probeJobId: stored.jobId });
    await expect(call).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path: 'probeJobId', message }] });
  });
});
