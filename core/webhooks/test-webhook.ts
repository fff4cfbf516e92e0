import type { PostOutcome } from '../net/post-outcome.ts';
import type { WebhookPayload } from './payload.ts';

/** The payload of a test: that of a completed job, but that its `jobId` starts with `test_` and its URLs lead nowhere. */
export function samplePayload({ id, now }: { id: string; now: Date }): WebhookPayload {
  const jobId = `test_${id}`;
  const url = `https://files.example/${jobId}/output.mp4`;
  return {
    data: {
      jobId,
      state: 'completed',
      progress: 100,
      output: { signedUrl: url },
      output_files: {
        output: {
          file_id: `${jobId}-output`,
          filename: 'output.mp4',
          size_mbytes: 1.5,
          duration: 10,
          file_type: 'video',
          file_format: 'mp4',
          mime_type: 'video/mp4',
          codec: 'h264',
          width: 1280,
          height: 720,
          storage_url: url,
        },
      },
    },
    timestamp: now.getTime(),
  };
}

/**
 * What a test of a webhook target reports: the target's own status, and where there is none, or only one that
 * belongs to an answer which never ended, what a proxy would say: 504 for one that took too long, else 502.
 */
export function webhookTestResult(outcome: PostOutcome): { ok: boolean; status: number } {
  if (outcome.ok) return { ok: true, status: outcome.status };
  const { status, errorClass } = outcome;
  if (status !== undefined && (status < 200 || status >= 300)) return { ok: false, status };
  const tookTooLong = errorClass === 'timeout' || errorClass === 'connect-timeout';
  return { ok: false, status: tookTooLong ? 504 : 502 };
}
