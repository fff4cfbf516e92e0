import { type Client, type ClientOptions, createClient } from './client.ts';
import { type Job, type JobFile, jobFiles } from './job-files.ts';
import { describeFile, type MediaFile, openSource } from './media-source.ts';
import { retryingFetch } from './retrying-fetch.ts';
import { buildRequest, type JobCalls, type JobFields, submitOnce, type Work, waitForJob } from './run-job.ts';
import { sleep } from './sleep.ts';
import type { UploadMemory } from './upload.ts';
import { uploadFile } from './upload-file.ts';
import { pageMemory, putBlob } from './upload-memory.ts';

/** `percent` of the upload, then of the job. */
export type RunProgress = { stage: 'uploading' | Job['stage']; percent: number; job?: Job };

export type UploadOptions = {
  onProgress?: (progress: RunProgress) => void;
  signal?: AbortSignal;
  /** Where the upload of this file is remembered until it is complete. Default: the storage of the page. */
  memory?: UploadMemory;
};

export type RunOptions = UploadOptions & JobFields;

/** A completed job, and its files by the names of its outputs. */
export type RunResult = { job: Job; files: Record<string, JobFile> };

export type MediaJobs = {
  jobs: {
    /**
     * Uploads the input unless it is a URL, submits a job, and waits for its end.
     * @param input a URL, a `File` or `Blob`, or in Node the path of a file
     * @throws JobError unless the job completes; ApiError; the signal's reason. An aborted run does not cancel its job.
     */
    run(input: string | URL | Blob, work: Work, options?: RunOptions): Promise<RunResult>;
    /** As `run`, without waiting: returns the queued job. */
    submit(input: string | URL | Blob, work: Work, options?: RunOptions): Promise<Job>;
    /** Waits for the end of a job that runs already. */
    wait(jobId: string, options?: Pick<RunOptions, 'onProgress' | 'signal'>): Promise<RunResult>;
  };
  uploads: {
    /** Uploads a file, in parts above 10 MiB, and returns its `inputUrl`. */
    send(file: string | Blob, options?: UploadOptions): Promise<string>;
  };
  /** Every operation of the API. */
  api: Client;
};

/** A job that ended otherwise than completed. */
export class JobError extends Error {
  override readonly name = 'JobError';
  readonly job: Job;

  constructor(job: Job) {
    super(job.error ? `${job.error.code}: ${job.error.message}` : `The job was ${job.state}.`);
    this.job = job;
  }
}

/** Creates a client that runs whole jobs, in Node from 20 and in browsers. */
export function createMediaJobs(options: ClientOptions): MediaJobs {
  const isForeign = isOtherOrigin(options.baseUrl);
  const newId = () => crypto.randomUUID();
  const mayRepeat = isForeign ? { mayRepeat: (_: string, { method }: RequestInit) => isRead(method) } : {};
  const callsOf = (signal = new AbortController().signal): JobCalls => {
    const own = options.fetch === undefined ? {} : { fetch: options.fetch };
    const client = createClient({ ...options, fetch: retryingFetch({ signal, sleep, ...own, ...mayRepeat }) });
    return { client, signal, sleep, newId, isForeign };
  };

  const upload = ({ client, signal }: JobCalls, file: MediaFile, { onProgress, memory }: UploadOptions) =>
    uploadFile({
      ...{ client, signal, sleep, source: describeFile(file), newId: isForeign ? undefined : newId },
      memory: memory ?? pageMemory(options.baseUrl, file),
      putRange: (put) => putBlob(file, put),
      onProgress: (bytes) => onProgress?.({ stage: 'uploading', percent: (bytes / file.size) * 100 }),
    });

  const finish = async (calls: JobCalls, jobId: string, onProgress: RunOptions['onProgress']) => {
    const onPoll = (job: Job) => onProgress?.({ stage: job.stage, percent: job.progress, job });
    const job = await waitForJob(calls, jobId, onPoll);
    if (job.state !== 'completed') throw new JobError(job);
    return { job, files: jobFiles(calls, job) };
  };

  const submit: MediaJobs['jobs']['submit'] = async (input, work, { onProgress, signal, memory, ...fields } = {}) => {
    const calls = callsOf(signal);
    const source = await openSource(input);
    const sending = { ...(onProgress && { onProgress }), ...(memory && { memory }) };
    const url = 'url' in source ? source.url : await upload(calls, source.file, sending);
    return submitOnce(calls, await buildRequest(calls, { url, work, fields }));
  };

  return {
    api: callsOf().client,
    jobs: {
      submit,
      async run(input, work, options = {}) {
        const { jobId } = await submit(input, work, options);
        return finish(callsOf(options.signal), jobId, options.onProgress);
      },
      wait: (jobId, { onProgress, signal } = {}) => finish(callsOf(signal), jobId, onProgress),
    },
    uploads: {
      async send(file, { signal, ...sending } = {}) {
        const source = await openSource(file);
        return 'url' in source ? source.url : upload(callsOf(signal), source.file, sending);
      },
    },
  };
}

function isRead(method = 'GET'): boolean {
  return method === 'GET' || method === 'HEAD';
}

/**
 * Whether this is a page of another origin than the API. Such a page may send only `Authorization`, `Content-Type` and
 * `X-API-KEY`.
 */
function isOtherOrigin(baseUrl: string): boolean {
  const { location } = globalThis as { location?: { href: string; origin: string } };
  return location !== undefined && new URL(baseUrl, location.href).origin !== location.origin;
}
