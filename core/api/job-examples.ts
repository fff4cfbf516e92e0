import type { JobResource } from './job-resource.ts';

const jobId = '0199c3a4-5b6e-7c21-9d3f-6f1b2a8c4e10';
const signedUrl = `https://media.example.com/api/v1/jobs/${jobId}/files/output/output.mp4?o=stage&e=t8qmr4&s=2Xq0b9fMZ1vN8sKdT4wYcA`;

export const jobRequestExample = {
  mode: 'recipe',
  input: { url: 'https://example.com/videos/beach.mov' },
  output: { format: 'mp4' },
  recipe: { name: 'compress', crf: 28 },
  webhookUrl: 'https://example.com/hooks/media',
  metadata: { customer: '4711' },
} as const;

/** What examples say of a finished MP4. */
export const exampleVideo = {
  file_type: 'video',
  file_format: 'mp4',
  mime_type: 'video/mp4',
  codec: 'h264',
  width: 1280,
  height: 720,
} as const;

const { metadata, ...request } = jobRequestExample;

export const queuedJobExample: JobResource = {
  jobId,
  state: 'queued',
  progress: 0,
  stage: 'queued',
  request,
  priority: 5,
  attempt: 0,
  worker: null,
  createdAt: '2026-11-21T09:30:00.000Z',
  updatedAt: '2026-11-21T09:30:00.000Z',
  startedAt: null,
  completedAt: null,
  filesExpireAt: null,
  warnings: [],
  metadata,
};

export const cancelledJobExample: JobResource = {
  ...queuedJobExample,
  state: 'cancelled',
  updatedAt: '2026-11-21T09:30:04.120Z',
  completedAt: '2026-11-21T09:30:04.120Z',
};

export const retriedJobExample: JobResource = {
  ...queuedJobExample,
  jobId: '0199c3b0-11f2-7a05-8e44-2b7d9c0a6f31',
  createdAt: '2026-11-21T09:43:00.000Z',
  updatedAt: '2026-11-21T09:43:00.000Z',
  retryOf: jobId,
};

export const completedJobExample: JobResource = {
  ...queuedJobExample,
  state: 'completed',
  progress: 100,
  stage: 'done',
  attempt: 1,
  updatedAt: '2026-11-21T09:31:12.480Z',
  startedAt: '2026-11-21T09:30:00.740Z',
  completedAt: '2026-11-21T09:31:12.480Z',
  filesExpireAt: '2026-12-21T09:31:12.480Z',
  output: { signedUrl, expiresAt: '2026-11-21T10:32:00.000Z' },
  output_files: {
    output: {
      file_id: '0199c3a5-6d02-7f3a-a6b1-90ce7d42f855',
      filename: 'beach.mp4',
      size_mbytes: 12.481,
      duration: 63.04,
      ...exampleVideo,
      storage_url: signedUrl,
    },
  },
  cost: {
    usd: 0.003025127,
    parts: [
      { name: 'transcoding', usd: 0.002810266 },
      { name: 'disk', usd: 0.000021059 },
      { name: 'files', usd: 0.00014625 },
      { name: 'api', usd: 0.000003552 },
      { name: 'records', usd: 0.000044 },
    ],
  },
};
