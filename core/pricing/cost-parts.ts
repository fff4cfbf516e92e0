/** Names of the parts of a job's cost, for the API. */
export const costParts = [
  'transcoding',
  'disk',
  'chunks',
  'fargate',
  'api',
  'records',
  'webhook',
  'files',
  'logs',
  'traces',
] as const;
