export type { DashboardConfig } from '../access/dashboard-config.ts';
export { newApiKey, previewApiKey } from '../access/key-record.ts';
export { allScopes, defaultScopes, type Scope, scopes } from '../access/scopes.ts';
export type { ErrorDetail } from '../errors.ts';
export { downloadName, inputUrls, requestInputs, type WithInputs } from '../jobs/request-inputs.ts';
export { defaultPriority, maxInputs, maxKeepDays, maxOutputs, maxSteps } from '../jobs/request-limits.ts';
export { isTerminalState, type JobState, jobStates, terminalStates } from '../jobs/states.ts';
export { distinctNameOf } from '../jobs/stored-file.ts';
export { findTextRejection } from '../net/check-url.ts';
export { isUnderPrefix, keyBelow } from '../storage/object-key.ts';
export { type ProviderKind, type ProviderTestStep, providerKinds, providerTestSteps } from '../storage/provider.ts';
export { findProviderProblems, kindRules } from '../storage/provider-rules.ts';
export { parseStorageUrl, type StoredInput, storageUrl } from '../storage/storage-url.ts';
export { version } from '../version.ts';
export type { Contract } from './contract.ts';
export { type DeliveryResource, listDeliveriesContract, redeliverJobContract } from './deliveries.ts';
export type { ErrorBody } from './error-body.ts';
export { estimateJobContract } from './estimate-job.ts';
export { issueMessage } from './issue-message.ts';
export { completedJobExample, queuedJobExample, retriedJobExample } from './job-examples.ts';
export { idempotencyHeaders } from './job-fields.ts';
export { type JobRequest, requestUrls, type SubmittedJob, submittedJobSchema } from './job-request.ts';
export type { JobResource } from './job-resource.ts';
export { type ApiContract, contracts } from './registry.ts';
export {
  createStorageProviderContract,
  getStorageProviderContract,
  testStorageProviderContract,
  updateStorageProviderContract,
} from './storage-providers.ts';
export { type GroupUsage, getUsageContract } from './usage.ts';
