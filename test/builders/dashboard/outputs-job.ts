import type { JobResource } from '../../../core/api/job-resource.ts';
import type { Dashboard } from './dashboard.ts';

/** Runs a job of outputs of every kind that the pages show: a set, a file, one of another one, one that is skipped. */
export async function endedOutputsJob({ running, customer, ended }: Dashboard, name: string): Promise<JobResource> {
  const { status, body } = await running.api('POST', '/api/v1/jobs', {
    mode: 'outputs',
    input: { url: `${customer.origin}/${name}` },
    outputs: {
      stream: { recipe: { name: 'hls', maxHeight: 360 }, format: 'm3u8' },
      small: { recipe: { name: 'compress', maxWidth: 640 }, format: 'mp4' },
      poster: { from: 'small', recipe: { name: 'thumbnail', at: 2 }, format: 'webp' },
      preview: { recipe: { name: 'sprite', every: 1, columns: 3, rows: 2 }, format: 'jpg', keepDays: 365 },
      large: { recipe: { name: 'compress' }, format: 'mp4', when: { minHeight: 2160 } },
      captions: { recipe: { name: 'extract-subtitles' }, format: 'vtt', optional: true },
    },
  });
  if (status !== 201) throw new Error(`The job of outputs was answered ${status}: ${JSON.stringify(body)}`);
  return ended((body as JobResource).jobId);
}
