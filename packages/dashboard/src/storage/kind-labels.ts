import type { ProviderKind } from '@media-jobs/core/api';

export const kindLabels: Readonly<Record<ProviderKind, string>> = {
  s3: 'Amazon S3',
  r2: 'Cloudflare R2',
  b2: 'Backblaze B2',
  gcs: 'Google Cloud Storage',
  's3-compatible': 'S3-compatible',
};

/** Text of the example in the field for the endpoint. */
export const endpointExamples: Partial<Record<ProviderKind, string>> = {
  r2: 'https://<account id>.r2.cloudflarestorage.com',
  's3-compatible': 'https://storage.example.com',
};
