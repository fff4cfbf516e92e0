import type { PostOutcome } from '../net/ports.ts';
import type { WebhookPayload } from './payload.ts';

/** A sample payload: a completed job whose `jobId` starts with `test_` and whose URLs do not resolve. */
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
 * The result of a webhook test: the target's status. Without a response it is a gateway's status: 504 for a timeout,
 * else 502.
 */
export function webhookTestResult(outcome: PostOutcome): { ok: boolean; status: number } {
  if (outcome.ok) return { ok: true, status: outcome.status };
  const { status, errorClass } = outcome;
  if (status !== undefined) return { ok: false, status };
  const timedOut = errorClass === 'timeout' || errorClass === 'connect-timeout';
  return { ok: false, status: timedOut ? 504 : 502 };
}
