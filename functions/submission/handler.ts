import { answerOnDemand } from '../../adapters/runtime/http/route.ts';

const createJob = () => import('./parts/create-job.ts');
const uploads = () => import('./parts/uploads.ts');
const presets = () => import('./parts/presets.ts');
const batches = () => import('./parts/batches.ts');
const catalogue = () => import('./parts/catalogue.ts');

export const handler = answerOnDemand<'submission'>({
  'POST /api/v1/jobs': createJob,
  'POST /api/v1/jobs/estimate': catalogue,
  'GET /api/v1/recipes': catalogue,
  'GET /api/v1/openapi.json': catalogue,
  'GET /health': catalogue,
  'GET /api/v1/presets': presets,
  'POST /api/v1/presets': presets,
  'GET /api/v1/presets/{name}': presets,
  'PATCH /api/v1/presets/{name}/{version}': presets,
  'POST /api/v1/batches': batches,
  'GET /api/v1/batches': batches,
  'GET /api/v1/batches/{id}': batches,
  'POST /api/v1/batches/{id}/cancel': batches,
  'POST /api/v1/uploads': uploads,
  'GET /api/v1/uploads/{id}/parts': uploads,
  'POST /api/v1/uploads/{id}/parts': uploads,
  'POST /api/v1/uploads/{id}/complete': uploads,
  'DELETE /api/v1/uploads/{id}': uploads,
});
