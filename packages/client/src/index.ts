export { ApiError, apiErrorFromResponse, isErrorBody } from './api-error.ts';
export { type Client, type ClientOptions, createClient } from './client.ts';
export type { Job, JobFile } from './job-files.ts';
export {
  createMediaJobs,
  JobError,
  type MediaJobs,
  type RunOptions,
  type RunProgress,
  type RunResult,
} from './media-jobs.ts';
export type { OperationRequest, OperationResult } from './operation.ts';
export { poll } from './poll.ts';
export { retryingFetch } from './retrying-fetch.ts';
export { buildRequest, type JobFields, type Work, waitForJob } from './run-job.ts';
export { type Sleep, sleep } from './sleep.ts';
export { isStorageRejection, storageRejectionError, storageUnreachableError } from './storage-error.ts';
export type { RangePut, UploadMemory } from './upload.ts';
export { uploadFile } from './upload-file.ts';
export { mayHaveExpired } from './upload-retry.ts';
export * as webhooks from './webhooks.ts';
