import type { ApiContract } from '@media-jobs/core/api';

/**
 * Method and path of each operation. Repeated here so that a page does not load the contracts. It compiles only if it
 * matches all of them.
 */
export const routes = {
  createJob: 'POST /api/v1/jobs',
  estimateJob: 'POST /api/v1/jobs/estimate',
  listJobs: 'GET /api/v1/jobs',
  getJob: 'GET /api/v1/jobs/{id}',
  getJobLog: 'GET /api/v1/jobs/{id}/log',
  getFile: 'GET /api/v1/jobs/{id}/files/{output}/{file}',
  headFile: 'HEAD /api/v1/jobs/{id}/files/{output}/{file}',
  cancelJob: 'POST /api/v1/jobs/{id}/cancel',
  retryJob: 'POST /api/v1/jobs/{id}/retry',
  deleteJob: 'DELETE /api/v1/jobs/{id}',
  createPlayback: 'POST /api/v1/jobs/{id}/playback',
  revokePlayback: 'DELETE /api/v1/jobs/{id}/playback',
  listDeliveries: 'GET /api/v1/jobs/{id}/deliveries',
  redeliverJob: 'POST /api/v1/jobs/{id}/deliveries',
  recoverDeliveries: 'POST /api/v1/deliveries/recover',
  getSettings: 'GET /api/v1/settings',
  setSettings: 'POST /api/v1/settings',
  updateSettings: 'PUT /api/v1/settings',
  testWebhook: 'POST /api/v1/settings/webhook/test',
  getWebhookSecret: 'GET /api/v1/settings/webhook/secret',
  rotateWebhookSecret: 'POST /api/v1/settings/webhook/secret/rotate',
  listStorageProviders: 'GET /api/v1/storage-providers',
  createStorageProvider: 'POST /api/v1/storage-providers',
  getExternalId: 'GET /api/v1/storage-providers/external-id',
  getStorageProvider: 'GET /api/v1/storage-providers/{id}',
  updateStorageProvider: 'PUT /api/v1/storage-providers/{id}',
  deleteStorageProvider: 'DELETE /api/v1/storage-providers/{id}',
  testStorageProvider: 'POST /api/v1/storage-providers/{id}/test',
  listKeys: 'GET /api/v1/keys',
  createKey: 'POST /api/v1/keys',
  deleteKey: 'DELETE /api/v1/keys/{id}',
  listRecipes: 'GET /api/v1/recipes',
  getUsage: 'GET /api/v1/usage',
  getLimits: 'GET /api/v1/limits',
  createUpload: 'POST /api/v1/uploads',
  listUploadParts: 'GET /api/v1/uploads/{id}/parts',
  signUploadParts: 'POST /api/v1/uploads/{id}/parts',
  completeUpload: 'POST /api/v1/uploads/{id}/complete',
  abortUpload: 'DELETE /api/v1/uploads/{id}',
  listAudit: 'GET /api/v1/audit',
  getEmbedPage: 'GET /embed',
  getHealth: 'GET /health',
  getOpenapi: 'GET /api/v1/openapi.json',
} as const satisfies { [C in ApiContract as C['id']]: `${C['method']} ${C['path']}` };

export type OperationId = keyof typeof routes;
