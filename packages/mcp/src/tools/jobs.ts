import { ApiError, buildRequest, type Job, JobError } from '@media-jobs/client';
import * as z from 'zod';
import { answering, describeJob } from '../answer.ts';
import { fieldsOf, fieldsShape, jobShape, workOf } from './job-shape.ts';
import { readProbe } from './probe-input.ts';
import type { ToolContext } from './tool-context.ts';

const jobId = z.string().describe('Id of the job.');
const states = ['queued', 'processing', 'completed', 'failed', 'rejected', 'cancelled'] as const;
/** Clients of the protocol wait a minute for an answer. */
const maxWaitSeconds = 50;

/** Tools that price, submit and follow jobs. */
export function addJobTools(context: ToolContext): void {
  addEstimate(context);
  addSubmit(context);
  addWait(context);
  addReading(context);
}

function addEstimate({ server, mediaJobs, budget }: ToolContext): void {
  server.registerTool(
    'estimate',
    {
      title: 'Estimate time and price of a job',
      description:
        'Seconds and dollars of a job, before it is submitted. Without `probeJobId` the input is probed first.',
      inputSchema: {
        ...jobShape,
        ...fieldsShape,
        probeJobId: z.string().optional().describe('Of an earlier `probe` of this input.'),
      },
      annotations: { readOnlyHint: false, destructiveHint: false },
    },
    ({ probeJobId: known, ...job }, { signal }) =>
      answering(async () => {
        const input = await mediaJobs.uploads.send(job.input, { signal });
        const { probeJobId } =
          known === undefined ? await readProbe({ mediaJobs, budget }, { input, signal }) : { probeJobId: known };
        const request = await buildRequest(
          { client: mediaJobs.api, signal },
          { url: input, work: workOf(job), fields: fieldsOf(job) },
        );
        const { seconds, usd, worker, outputs } = await mediaJobs.api.estimateJob({
          body: { ...request, probeJobId } as never,
          signal,
        });
        return { seconds, usd, worker, ...(outputs && { outputs }), probeJobId, ...(known === undefined && { input }) };
      }),
  );
}

function addSubmit({ server, mediaJobs, budget }: ToolContext): void {
  server.registerTool(
    'submit',
    {
      title: 'Submit a job',
      description:
        'Starts a job and returns its id; `wait` returns its files. Give one of recipe, steps, outputs and preset.',
      inputSchema: { ...jobShape, ...fieldsShape },
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
    },
    ({ maxCostUsd, ...job }, { signal }) =>
      answering(async () => {
        const work = workOf(job);
        const reserved = budget.reserve(maxCostUsd);
        let created: Job | undefined;
        try {
          const options = { ...fieldsOf(job), ...(reserved !== undefined && { maxCostUsd: reserved }), signal };
          created = await mediaJobs.jobs.submit(job.input, work, options);
        } finally {
          budget.settle(reserved, created?.jobId);
        }
        return { ...describeJob(created), ...(reserved !== undefined && { maxCostUsd: reserved }) };
      }),
  );
}

function addWait({ server, mediaJobs, budget }: ToolContext): void {
  server.registerTool(
    'wait',
    {
      title: 'Wait for a job',
      description: `Waits until the job has ended, at most ${maxWaitSeconds} seconds, and returns it with the signed URLs of its files. Call it again while the state is queued or processing.`,
      inputSchema: { jobId, seconds: z.number().min(0).max(maxWaitSeconds).optional() },
      annotations: { readOnlyHint: true },
    },
    ({ jobId: id, seconds = maxWaitSeconds }, { signal, sendNotification, _meta: { progressToken } = {} }) =>
      answering(async () => {
        const limit = AbortSignal.timeout(seconds * 1000);
        let told: Promise<void> = Promise.resolve();
        const onProgress = ({ percent }: { percent: number }) => {
          if (progressToken === undefined) return;
          const params = { progressToken, progress: percent, total: 100 };
          told = sendNotification({ method: 'notifications/progress', params });
        };
        const ended = mediaJobs.jobs.wait(id, { signal: AbortSignal.any([signal, limit]), onProgress });
        const job = await ended.then(
          (result) => result.job,
          (error: unknown) => {
            if (error instanceof JobError) return error.job;
            // The last state, once the time is over.
            if (limit.aborted && !signal.aborted && !(error instanceof ApiError))
              return mediaJobs.api.getJob({ params: { id }, signal });
            throw error;
          },
        );
        // A client forgets the progress of a request that is answered.
        await told;
        if (job.cost !== undefined) budget.end(id, job.cost.usd);
        return describeJob(job);
      }),
  );
}

function addReading({ server, mediaJobs: { api } }: ToolContext): void {
  server.registerTool(
    'list',
    {
      title: 'List jobs',
      description:
        'Jobs, newest first: by state, by a pair of metadata, or by a search in ids, names of sources and values of metadata.',
      inputSchema: {
        state: z.enum(states).optional(),
        metadata: z.record(z.string(), z.string()).optional().describe('One pair.'),
        search: z.string().optional(),
        limit: z.int().min(1).max(100).optional(),
        cursor: z.string().optional().describe('`nextCursor` of the page before.'),
      },
      annotations: { readOnlyHint: true },
    },
    ({ state, limit = 20, ...filters }, { signal }) =>
      answering(async () => {
        const query = { ...filters, limit, ...(state && { state: [state] }) };
        const { jobs, nextCursor } = await api.listJobs({ query: query as never, signal });
        return { jobs: jobs.map(describeJob), nextCursor };
      }),
  );
  server.registerTool(
    'read',
    {
      title: 'Read a job',
      description:
        'One job: its state, its error, its cost, the URLs of its files; with `log` the ffmpeg commands and messages of each attempt.',
      inputSchema: { jobId, log: z.boolean().optional() },
      annotations: { readOnlyHint: true },
    },
    ({ jobId: id, log = false }, { signal }) =>
      answering(async () => {
        const job = await api.getJob({ params: { id }, signal });
        return {
          ...describeJob(job),
          request: job.request,
          ...(log && { log: await api.getJobLog({ params: { id }, signal }) }),
        };
      }),
  );
  server.registerTool(
    'playback',
    {
      title: 'Make URLs that play a job',
      description: 'URLs of the stream, the MP4 and the poster of a completed job, and of a page with a player.',
      inputSchema: { jobId, expiresInSeconds: z.int().min(60).max(604_800).optional(), output: z.string().optional() },
      annotations: { readOnlyHint: true },
    },
    ({ jobId: id, ...body }, { signal }) => answering(() => api.createPlayback({ params: { id }, body, signal })),
  );
}
