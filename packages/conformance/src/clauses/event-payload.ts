import { type Clause, type SampleJobKind, type SuiteRun, webhookSection } from '../clause.ts';
import { expect, expectEqual, expectField, expectNoField } from '../expectation.ts';
import { readSampleJob } from '../jobs/jobs.ts';
import { expectSignedUrl } from './expect-signed-url.ts';
import { webhookPayload } from './webhooks.ts';

const kinds: SampleJobKind[] = ['completed', 'failed', 'rejected', 'cancelled'];

export const eventPayload: Clause[] = webhookSection('Events, payload', [
  {
    id: 'payload.job-id',
    sentence: 'data.jobId | string | Job identifier.',
    check: async (run) => {
      const { jobId } = await run.sampleJob('completed');
      expectEqual((await webhookPayload(run, 'completed')).data.jobId, jobId, 'data.jobId');
    },
  },
  {
    id: 'payload.state',
    sentence: 'data.state | string | Terminal state: `completed`, `failed`, `rejected`, or `cancelled`.',
    check: async (run) => {
      for (const kind of kinds) {
        expectEqual((await webhookPayload(run, kind)).data.state, kind, `data.state of a ${kind} job`);
      }
    },
  },
  {
    id: 'payload.progress',
    sentence:
      'data.progress | number | Progress at completion; 100 for completed (35 is given for a failed job, so it is the progress reached).',
    check: progressReached,
  },
  {
    id: 'payload.output',
    sentence: 'data.output | object | Signed URL (`signedUrl`) for single-output jobs.',
    check: async (run) => {
      const { data } = await webhookPayload(run, 'completed');
      await expectSignedUrl(expectField(data, 'output.signedUrl', 'string'), 'data.output.signedUrl');
    },
  },
  {
    id: 'payload.outputs',
    sentence: 'data.outputs | object | Signed URLs for multi-output jobs.',
    check: async (run) => {
      const { data } = await webhookPayload(run, 'multi-output');
      const outputs = Object.entries(expectField(data, 'outputs', 'object'));
      expect(outputs.length > 1, `data.outputs of a job with several outputs has ${outputs.length}`);
      for (const [name, url] of outputs) await expectSignedUrl(url, `data.outputs.${name}`);
    },
  },
  {
    id: 'payload.output-files',
    sentence: 'data.output_files | object | File metadata per output (see Resources).',
    check: async (run) => {
      const { data } = await webhookPayload(run, 'multi-output');
      const files = expectField(data, 'output_files', 'object');
      const names = Object.keys(expectField(data, 'outputs', 'object')).sort();
      expectEqual(Object.keys(files).sort(), names, 'keys of data.output_files');
      for (const name of names) expectField(files[name], 'file_id', 'string');
    },
  },
  {
    id: 'payload.error',
    sentence: 'data.error | object | Only on failure: `code`, `message`, `stage`, `retryable`.',
    check: async (run) => {
      const { data } = await webhookPayload(run, 'failed');
      for (const name of ['code', 'message', 'stage']) expectField(data, `error.${name}`, 'string');
      expectField(data, 'error.retryable', 'boolean');
      for (const kind of ['completed', 'cancelled'] as const) {
        expectNoField((await webhookPayload(run, kind)).data, 'error');
      }
    },
  },
  {
    id: 'payload.timestamp',
    sentence: 'timestamp | number | Unix time in milliseconds.',
    check: async (run) => {
      const timestamp = expectField((await webhookPayload(run, 'completed')).payload, 'timestamp', 'number');
      const hoursAway = Math.abs(Date.now() - timestamp) / 3_600_000;
      expect(hoursAway < 1, `timestamp is ${timestamp}, which is not the present in milliseconds`);
    },
  },
  {
    id: 'payload.completed-or-failed',
    sentence:
      'A completed payload carries `output` and `output_files`; a failed payload carries `error` and no output fields.',
    check: async (run) => {
      const [completed, failed] = [await webhookPayload(run, 'completed'), await webhookPayload(run, 'failed')];
      for (const name of ['output', 'output_files']) expectField(completed.data, name, 'object');
      expectField(failed.data, 'error', 'object');
      for (const name of ['output', 'outputs', 'output_files']) expectNoField(failed.data, name);
    },
  },
]);

async function progressReached(run: SuiteRun): Promise<void> {
  for (const kind of kinds) {
    const progress = expectField((await webhookPayload(run, kind)).data, 'progress', 'number');
    expectEqual(progress, (await readSampleJob(run, kind)).progress, `data.progress of a ${kind} job`);
    if (kind === 'completed') expectEqual(progress, 100, 'data.progress of a completed job');
  }
}
