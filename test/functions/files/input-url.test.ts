import { expect, it } from 'vitest';
import { minJobIdAt } from '../../../core/jobs/job-id.ts';
import { inputAddress, inputLink } from '../../../core/jobs/kept-input.ts';
import { uploadDays } from '../../../core/uploads/upload.ts';
import { aCompletedJob } from '../../builders/jobs/ended-jobs.ts';
import { aJobId, start } from '../../builders/jobs/jobs.ts';
import { fileRoutes } from './file-routes.ts';
import { hour, urlOf } from './stored-set.ts';

const routes = await fileRoutes();
const { open, jobs } = routes;

const links = { publicUrl: 'https://media.example', fileUrlSeconds: hour, setUrlSeconds: 24 * hour };
const objectId = minJobIdAt(start);
const jobId = aJobId(7);
const { request, ...rest } = aCompletedJob({ jobId, inputSizeBytes: 1_234, urlSecret: `the secret of ${jobId}` });
const job = { ...rest, request: { ...request, input: { url: `upload://${objectId}/a%20film.MOV` } } };
await jobs.write({ job, guard: { absent: true } });

const secondsAfter = (seconds: number) => new Date(start.getTime() + seconds * 1_000);

it('the input of a job opens by its URL until the upload expires', async () => {
  const { signedUrl = '', expiresAt } = inputLink(job, links, start) ?? {};
  expect(expiresAt).toBe(secondsAfter(hour).toISOString());
  const { status, location } = await open(signedUrl);
  const { pathname, searchParams } = new URL(location);
  expect([status, pathname]).toEqual([302, expect.stringMatching(`/uploads/owner-1/${objectId}$`)]);
  expect(searchParams.get('response-content-disposition')).toContain('a film.MOV');
  const { headers } = await open(signedUrl, 0, 'HEAD');
  expect(headers).toMatchObject({ 'content-type': 'video/quicktime', 'content-length': '1234' });
  expect((await open(signedUrl, hour)).status).toBe(403);
  const days = uploadDays * 24 * hour;
  expect(inputLink(job, links, secondsAfter(days - 60))?.expiresAt).toBe(secondsAfter(days).toISOString());
  expect(inputLink(job, links, secondsAfter(days))).toBeUndefined();
});

it('no URL of an output called input opens it', async () => {
  const url = urlOf({ file: 'hls.m3u8', jobId }).replace(
    '/output/hls.m3u8',
    `/${inputAddress.output}/${inputAddress.file}`,
  );
  expect((await open(url)).status).toBe(403);
});

it.each(['https://media.example/in.mp4', 'upload://../secret'])('the service has no input of %s', (url) => {
  expect(inputLink({ ...job, request: { ...request, input: { url } } }, links, start)).toBeUndefined();
});
