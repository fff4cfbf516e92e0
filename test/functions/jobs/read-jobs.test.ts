import { aVirtualClock } from '@media-jobs/testing/virtual-clock';
import { describe, expect, it, vi } from 'vitest';
import { logger } from '../../../adapters/runtime/logger.ts';
import { minJobIdAt } from '../../../core/jobs/job-id.ts';
import type { JobRecord } from '../../../core/jobs/record.ts';
import { deleteJob } from '../../../core/jobs/removal-transitions.ts';
import { webhookStates } from '../../../core/jobs/states.ts';
import { claim } from '../../../core/jobs/transitions.ts';
import { UnreadableJobError } from '../../../core/jobs/unreadable-job-error.ts';
import { getJob } from '../../../functions/jobs/get-job.ts';
import { listJobs } from '../../../functions/jobs/list-jobs.ts';
import { memoryJobTable } from '../../../lab/simulation/memory/job-table.ts';
import { memoryMetadataIndex } from '../../../lab/simulation/memory/metadata-index.ts';
import { memoryRunningLimit } from '../../../lab/simulation/memory/running-limit.ts';
import { callRoute } from '../../builders/http/call-route.ts';
import { aCompletedJob, aFailedJob, withSettledDelivery } from '../../builders/jobs/ended-jobs.ts';
import { aJobId, aQueuedJob, aRequest, start } from '../../builders/jobs/jobs.ts';

/** The read routes over these jobs. */
async function aReader(records: JobRecord[], publicUrl = 'https://api.example') {
  const jobs = memoryJobTable();
  const running = memoryRunningLimit();
  const metadataIndex = memoryMetadataIndex();
  for (const job of records) {
    await jobs.write({ job, guard: { absent: true } });
    if (job.state !== 'deleted') await metadataIndex.add({ ...job, metadata: job.request.metadata ?? {} });
    if (job.state === 'processing') await running.enter(job, { max: 10 });
  }
  const clock = aVirtualClock(start);
  const files = { publicUrl, fileUrlSeconds: 3_600, setUrlSeconds: 86_400 };
  const get = getJob({ jobs, files, clock });
  const list = listJobs({ jobs, running, metadataIndex, files, clock });
  return {
    clock,
    jobs,
    get: (id: string, ifNoneMatch?: string, ownerId = 'owner-1', query: { expand?: 'input' } = {}) =>
      callRoute(get, { ownerId, params: { id }, query, headers: { 'if-none-match': ifNoneMatch } }),
    list: (query: Partial<Parameters<typeof list>[0]['query']> = {}, ownerId = 'owner-1') =>
      callRoute(list, { ownerId, query: { limit: 20, order: 'desc', ...query } }),
  };
}

const completed = aCompletedJob({ jobId: aJobId(1) });
const { jobId } = aFailedJob();

describe('reading a job', () => {
  it('signs its files at each read', async () => {
    const { get, clock } = await aReader([completed]);
    const first = await get(completed.jobId);
    clock.pass(1_000);
    const second = await get(completed.jobId);
    if (first.status !== 200 || second.status !== 200) throw new Error('Both should have a body');
    expect(first.body.output?.signedUrl).not.toBe(second.body.output?.signedUrl);
    expect(first.body.output?.expiresAt).toBe('2026-03-01T13:00:00.000Z');
    expect(JSON.stringify(first.body)).not.toContain('ownerId');
  });

  it('of a queued job returns its position, with which its ETag changes', async () => {
    const [first, second] = [1, 2].map((n) => aQueuedJob({ jobId: aJobId(n) }));
    if (first === undefined || second === undefined) throw new Error('There are two jobs');
    const { get, clock, jobs } = await aReader([first, second]);
    const before = await get(second.jobId);
    expect(before).toMatchObject({ status: 200, body: { state: 'queued', position: 2 } });
    await jobs.write(claim(first, 'lease-1', clock.now()));
    clock.pass(5_000);
    const after = await get(second.jobId, before.headers?.etag);
    expect(after).toMatchObject({ status: 200, body: { position: 1 } });
    expect((await get(second.jobId, after.headers?.etag)).status).toBe(304);
  });

  it('is 304 without body and signature if nothing changed', async () => {
    const { get } = await aReader([completed]);
    const { headers } = await get(completed.jobId);
    expect(await get(completed.jobId, headers?.etag)).toEqual({ status: 304, headers });
  });

  it('has the URL of an uploaded input if asked for it, under an ETag of its own', async () => {
    const input = { url: `upload://${minJobIdAt(start)}/in.mp4` };
    const { get } = await aReader([{ ...aFailedJob(), request: { ...aRequest, input } }]);
    const [plain, expanded] = [await get(jobId), await get(jobId, undefined, 'owner-1', { expand: 'input' })];
    expect([plain.body?.input, expanded.body?.input?.signedUrl]).toEqual([undefined, expect.stringContaining(jobId)]);
    expect(expanded.headers?.etag).not.toBe(plain.headers?.etag);
  });

  it.each<[string, JobRecord, string]>([
    ['of another owner', completed, 'owner-2'],
    ['that was deleted', deleteJob(completed, start).job, 'owner-1'],
  ])('is NOT_FOUND for %s', async (_, job, ownerId) => {
    const { get } = await aReader([job]);
    const rejections = await Promise.all(
      [job.jobId, aJobId(99)].map((id) => get(id, undefined, ownerId).catch((error: Error) => error)),
    );
    expect(rejections[0]).toMatchObject({ code: 'NOT_FOUND' });
    expect(rejections[0]).toEqual(rejections[1]);
  });
});

describe('the list of jobs', () => {
  const five = [1, 2, 3, 4, 5].map((n) => aQueuedJob({ jobId: aJobId(n) }));

  it('continues page by page, newest first, to its end', async () => {
    const { list } = await aReader(five);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { body } = await list({ limit: 2, cursor });
      seen.push(...body.jobs.map(({ jobId }) => jobId));
      cursor = body.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual(five.map(({ jobId }) => jobId).toReversed());
  });

  it('rejects a cursor of another owner or another filter', async () => {
    const { list } = await aReader(five);
    const { body } = await list({ limit: 2 });
    const cursor = body.nextCursor ?? '';
    await expect(list({ cursor }, 'owner-2')).rejects.toMatchObject({ code: 'INVALID_CURSOR' });
    await expect(list({ cursor, state: ['queued'] })).rejects.toMatchObject({ code: 'INVALID_CURSOR' });
  });

  it('leaves out a job whose record cannot be read, and logs its key', async () => {
    const { list, jobs } = await aReader(five);
    const { get, list: listAll } = jobs;
    const cause = new Error('an unknown error code');
    const unreadable = new UnreadableJobError({ ownerId: 'owner-1', jobId: aJobId(4) }, cause);
    const isReadable = ({ jobId }: { jobId: string }) => jobId !== unreadable.jobId;
    jobs.get = async (ref) => (isReadable(ref) ? get(ref) : Promise.reject(unreadable));
    jobs.list = async (listing) => {
      const page = await listAll(listing);
      return { ...page, jobs: page.jobs.filter(isReadable), unreadable: [unreadable] };
    };
    const logged = vi.spyOn(logger, 'error').mockImplementation(() => {});
    const readable = [5, 3, 2, 1].map((n) => ({ jobId: aJobId(n) }));
    for (const state of [undefined, ['queued' as const]]) {
      expect((await list({ state })).body).toMatchObject({ jobs: readable, nextCursor: null });
    }
    const entry = { ownerId: 'owner-1', jobId: aJobId(4), error: cause };
    expect(logged.mock.calls.map(([, keys]) => keys)).toEqual([entry, entry]);
    logged.mockRestore();
  });

  it('filters by the delivery of the webhook', async () => {
    const ended = (n: number) => aCompletedJob({ jobId: aJobId(n) });
    const { list } = await aReader([
      ended(1),
      withSettledDelivery(ended(2), 'delivered'),
      withSettledDelivery(ended(3), 'abandoned'),
      { ...withSettledDelivery(ended(4), 'none'), webhookTarget: null },
      aQueuedJob({ jobId: aJobId(5) }),
    ]);
    for (const [index, state] of webhookStates.entries()) {
      const { body } = await list({ webhook: state });
      expect(body.jobs).toMatchObject([{ jobId: aJobId(index + 1), webhook: { state, host: 'receiver.example' } }]);
      expect(body.jobs).toHaveLength(1);
    }
  });

  it('finds a job by its metadata among all others, in one request', async () => {
    const tagged = aQueuedJob({ jobId: aJobId(1), request: { ...aRequest, metadata: { a: '1', b: '2' } } });
    const { list } = await aReader([tagged, ...five.slice(1)]);
    const found = async (metadata: Record<string, string>) => (await list({ limit: 3, metadata })).body;
    expect(await found({ a: '1' })).toMatchObject({ jobs: [{ jobId: tagged.jobId }], nextCursor: null });
    expect((await found({ a: '1', b: '2' })).jobs).toHaveLength(1);
    const others: Record<string, string>[] = [{ a: '2' }, { b: '1' }, { constructor: '1' }, { a: '1', b: '1' }];
    for (const metadata of others) expect(await found(metadata)).toEqual({ jobs: [], nextCursor: null });
  });

  it('has signed URLs only if asked for files', async () => {
    const { list, get } = await aReader([completed]);
    const [lean] = (await list()).body.jobs;
    const [expanded] = (await list({ expand: 'files' })).body.jobs;
    const { body: read } = await get(completed.jobId);
    const { output, output_files, ...rest } = read ?? {};
    expect(output).toBeDefined();
    expect(lean).toEqual(rest);
    expect(expanded).toEqual({ ...rest, output, output_files });
  });

  it('ends a page early whose signed URLs exceed the response limit, and continues after it', async () => {
    const large = [1, 2, 3].map((n) => aCompletedJob({ jobId: aJobId(n) }));
    const { list } = await aReader(large, `https://${'x'.repeat(1_000_000)}`);
    const { body: first } = await list({ expand: 'files' });
    expect(first.jobs.map(({ jobId }) => jobId)).toEqual([aJobId(3)]);
    const { body: second } = await list({ expand: 'files', cursor: first.nextCursor ?? '' });
    expect(second.jobs.map(({ jobId }) => jobId)).toEqual([aJobId(2)]);
  });
});
