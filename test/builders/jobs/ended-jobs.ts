import type { JobIn, TerminalJob } from '../../../core/jobs/record.ts';
import type { StoredFile } from '../../../core/jobs/stored-file.ts';
import type { ResultFiles } from '../../../core/jobs/view.ts';
import { aRequest, urlSecret } from './jobs.ts';

const common = {
  ownerId: 'owner-1',
  jobId: '01980000-0000-7000-8000-000000000001',
  request: aRequest,
  urlSecret,
  attempt: 1,
  progress: 35,
  stage: 'transcoding',
  createdAt: '2026-03-01T12:00:00.000Z',
  updatedAt: '2026-03-01T12:01:00.250Z',
  completedAt: '2026-03-01T12:01:00.250Z',
  webhookTarget: 'https://receiver.example/hook',
  pendingDelivery: { id: 'delivery-1', starts: 0, redelivery: false },
  dueAt: '2026-03-01T12:01:20.250Z',
} as const;

const error = {
  code: 'TRANSCODE_ERROR',
  message: 'The encoder stopped.',
  stage: 'transcoding',
  retryable: true,
} as const;

const { storage_url: _, ...measured } = aFileRecord('output');
const storedFile: StoredFile = { ...measured, key: 'jobs/job-1/1/output/output.mp4' };

/** A job that ended a minute after its creation, its first delivery pending; `more` overrides its fields. */
export function aCompletedJob(more: Partial<JobIn<'completed'>> = {}): JobIn<'completed'> {
  return {
    ...common,
    state: 'completed',
    stage: 'done',
    progress: 100,
    files: { output: storedFile },
    filesExpireAt: '2026-04-01T12:01:00.250Z',
    ...more,
  };
}

export function aFailedJob(more: Partial<JobIn<'failed'>> = {}): JobIn<'failed'> {
  return { ...common, state: 'failed', error, ...more };
}

export function aRejectedJob(more: Partial<JobIn<'rejected'>> = {}): JobIn<'rejected'> {
  return { ...common, state: 'rejected', error: { ...error, code: 'INPUT_UNREACHABLE' }, ...more };
}

export function aCancelledJob(more: Partial<JobIn<'cancelled'>> = {}): JobIn<'cancelled'> {
  return { ...common, state: 'cancelled', ...more };
}

/** The same job with its delivery settled: it has no `dueAt`, so reconcile does not look at it. */
export function withSettledDelivery<J extends TerminalJob>(job: J, deliveryOutcome: TerminalJob['deliveryOutcome']): J {
  const { pendingDelivery: _pending, dueAt: _dueAt, ...rest } = job;
  return { ...(rest as J), deliveryOutcome };
}

/** A file record as the API and webhooks show it. */
export function aFileRecord(name: string) {
  return {
    file_id: `job-1-${name}`,
    filename: `${name}.mp4`,
    size_mbytes: 1.25,
    duration: 10,
    file_type: 'video' as const,
    file_format: 'mp4',
    mime_type: 'video/mp4',
    codec: 'h264',
    width: 1280,
    height: 720,
    storage_url: signedUrlOf(name),
  };
}

function signedUrlOf(name: string): string {
  return `https://api.example/api/v1/jobs/job-1/files/${name}/output.mp4?o=owner-1&e=1&s=1`;
}

/** The signed URLs of a job with one output, and of one with two. */
export const singleOutput: ResultFiles = {
  output: { signedUrl: signedUrlOf('output'), expiresAt: '2026-03-01T13:01:00.250Z' },
  output_files: { output: aFileRecord('output') },
};

export const twoOutputs: ResultFiles = {
  outputs: { small: signedUrlOf('small'), large: signedUrlOf('large') },
  output_files: { small: aFileRecord('small'), large: aFileRecord('large') },
};
