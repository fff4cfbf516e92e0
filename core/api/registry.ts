import { getHealthContract, getOpenapiContract } from './about.ts';
import { listAuditContract } from './audit.ts';
import { cancelBatchContract, createBatchContract, getBatchContract, listBatchesContract } from './batches.ts';
import type { Contract, WebhookContract } from './contract.ts';
import { createJobContract } from './create-job.ts';
import { listDeliveriesContract, recoverDeliveriesContract, redeliverJobContract } from './deliveries.ts';
import { estimateJobContract } from './estimate-job.ts';
import { listEventsContract } from './events.ts';
import { getFileContract, headFileContract } from './files.ts';
import { cancelJobContract, deleteJobContract, getJobLogContract, retryJobContract } from './job-actions.ts';
import { getJobContract, listJobsContract } from './jobs.ts';
import { createKeyContract, deleteKeyContract, eraseOwnerContract, listKeysContract } from './keys.ts';
import { createPlaybackContract, getEmbedPageContract, revokePlaybackContract } from './playback.ts';
import { createPresetContract, getPresetContract, listPresetsContract, updatePresetContract } from './presets.ts';
import { listRecipesContract } from './recipes.ts';
import { getSettingsContract, setSettingsContract, updateSettingsContract } from './settings.ts';
import {
  createStorageProviderContract,
  deleteStorageProviderContract,
  getExternalIdContract,
  getStorageProviderContract,
  listStorageProvidersContract,
  testStorageProviderContract,
  updateStorageProviderContract,
} from './storage-providers.ts';
import {
  abortUploadContract,
  completeUploadContract,
  createUploadContract,
  listUploadPartsContract,
  signUploadPartsContract,
} from './uploads.ts';
import { getLimitsContract, getUsageContract } from './usage.ts';
import { listWatchesContract, pauseWatchContract, resumeWatchContract } from './watches.ts';
import {
  createWebhookEndpointContract,
  deleteWebhookEndpointContract,
  listWebhookEndpointsContract,
  updateWebhookEndpointContract,
} from './webhook-endpoints.ts';
import { getWebhookSecretContract, rotateWebhookSecretContract, testWebhookContract } from './webhook-settings.ts';
import { jobEndedWebhook } from './webhooks.ts';

/** Every route of the API. To add one, declare its contract, write its handler file and list it here. */
export const contracts = [
  createJobContract,
  estimateJobContract,
  listJobsContract,
  getJobContract,
  listEventsContract,
  getJobLogContract,
  getFileContract,
  headFileContract,
  cancelJobContract,
  retryJobContract,
  deleteJobContract,
  createPlaybackContract,
  revokePlaybackContract,
  createBatchContract,
  listBatchesContract,
  getBatchContract,
  cancelBatchContract,
  listDeliveriesContract,
  redeliverJobContract,
  recoverDeliveriesContract,
  getSettingsContract,
  setSettingsContract,
  updateSettingsContract,
  listStorageProvidersContract,
  createStorageProviderContract,
  getExternalIdContract,
  getStorageProviderContract,
  updateStorageProviderContract,
  deleteStorageProviderContract,
  testStorageProviderContract,
  testWebhookContract,
  listWebhookEndpointsContract,
  createWebhookEndpointContract,
  updateWebhookEndpointContract,
  deleteWebhookEndpointContract,
  getWebhookSecretContract,
  rotateWebhookSecretContract,
  listKeysContract,
  createKeyContract,
  deleteKeyContract,
  eraseOwnerContract,
  listRecipesContract,
  listPresetsContract,
  createPresetContract,
  getPresetContract,
  updatePresetContract,
  listWatchesContract,
  pauseWatchContract,
  resumeWatchContract,
  getUsageContract,
  getLimitsContract,
  createUploadContract,
  listUploadPartsContract,
  signUploadPartsContract,
  completeUploadContract,
  abortUploadContract,
  listAuditContract,
  getEmbedPageContract,
  getHealthContract,
  getOpenapiContract,
] as const satisfies readonly Contract[];

/** Every request that the service sends to its users. */
export const webhooks = [jobEndedWebhook] as const satisfies readonly WebhookContract[];

/** A route with the literal types of its declaration. */
export type ApiContract = (typeof contracts)[number];
