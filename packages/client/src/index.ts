export { ApiError, apiErrorFromResponse, isErrorBody } from './api-error.ts';
export { type Client, type ClientOptions, createClient } from './client.ts';
export type { OperationRequest, OperationResult } from './operation.ts';
export { isStorageRejection, storageRejectionError, storageUnreachableError } from './storage-error.ts';
export { type RangePut, uploadFile } from './upload-file.ts';
export { mayHaveExpired, type Sleep } from './upload-retry.ts';
