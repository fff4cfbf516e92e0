import { type Clause, type SuiteRun, section } from '../clause.ts';
import { expect, expectEqual, expectField, expectNoField, formatValue } from '../expectation.ts';
import { readSampleJob, terminalStates } from '../jobs/jobs.ts';
import { expectSignedUrl } from './expect-signed-url.ts';
import { webhookPayload } from './webhooks.ts';

export const jobResult: Clause[] = section('Job result', [
  {
    id: 'result.same-fields',
    sentence: '(as carried in a webhook; the same fields are read from GET /api/v1/jobs/:id)',
    needs: ['receiver'],
    check: sameFields,
  },
  {
    id: 'result.job-id',
    sentence: 'jobId | string | Job identifier.',
    check: async (run) => {
      const { jobId } = await run.sampleJob('completed');
      expectEqual((await readSampleJob(run, 'completed')).jobId, jobId, 'jobId');
    },
  },
  {
    id: 'result.state',
    sentence: 'state | string | One of the states listed under States and transitions.',
    check: async (run) => {
      const state = expectField(await readSampleJob(run, 'completed'), 'state', 'string');
      expect(terminalStates.includes(state), `state of a job that has ended is ${state}`);
    },
  },
  {
    id: 'result.progress',
    sentence: 'progress | number | 100 when completed.',
    check: async (run) => {
      expectEqual((await readSampleJob(run, 'completed')).progress, 100, 'progress of a completed job');
      expectField(await readSampleJob(run, 'failed'), 'progress', 'number');
    },
  },
  {
    id: 'result.output',
    sentence: 'output | object | Single-output jobs: contains `signedUrl` (string, signed download URL).',
    check: async (run) => {
      const url = expectField(await readSampleJob(run, 'completed'), 'output.signedUrl', 'string');
      const video = await expectSignedUrl(url, 'output.signedUrl');
      expect(video.subarray(4, 8).toString('latin1') === 'ftyp', 'output.signedUrl is not an mp4 file');
    },
  },
  {
    id: 'result.outputs',
    sentence: 'outputs | object | Multi-output jobs: signed URLs, one per output.',
    check: async (run) => {
      const job = await readSampleJob(run, 'multi-output');
      const outputs = Object.entries(expectField(job, 'outputs', 'object'));
      expect(outputs.length > 1, `outputs of a job that makes two images has ${outputs.length}`);
      for (const [name, url] of outputs) await expectSignedUrl(url, `outputs.${name}`);
    },
  },
  {
    id: 'result.output-files',
    sentence:
      'output_files | object | Keyed by output name (`output` for a single-output job). Each value is a file metadata record.',
    check: async (run) => {
      const [single, several] = [await readSampleJob(run, 'completed'), await readSampleJob(run, 'multi-output')];
      expectEqual(Object.keys(expectField(single, 'output_files', 'object')), ['output'], 'keys of output_files');
      const names = Object.keys(expectField(several, 'outputs', 'object')).sort();
      const files = expectField(several, 'output_files', 'object');
      expectEqual(Object.keys(files).sort(), names, 'keys of output_files, where there are several,');
      for (const name of names) expectField(files[name], 'file_id', 'string');
    },
  },
  {
    id: 'result.error',
    sentence: 'error | object | Present only on failure.',
    check: async (run) => {
      expectField(await readSampleJob(run, 'failed'), 'error', 'object');
      for (const kind of ['completed', 'multi-output', 'cancelled'] as const) {
        expectNoField(await readSampleJob(run, kind), 'error');
      }
    },
  },
]);

/** Signed URLs differ between reads. Everything else must be equal. */
async function sameFields(run: SuiteRun): Promise<void> {
  for (const kind of ['completed', 'multi-output', 'failed'] as const) {
    const [{ data }, job] = [await webhookPayload(run, kind), await readSampleJob(run, kind)];
    for (const [name, value] of Object.entries(data)) {
      const [delivered, read] = [withoutUrls(value), withoutUrls(job[name])];
      expect(
        isPartOf(delivered, read),
        `${name} is ${formatValue(delivered)} in the webhook and ${formatValue(read)} when read`,
      );
    }
  }
}

function withoutUrls(value: unknown): unknown {
  const text = JSON.stringify(value) ?? 'null';
  return JSON.parse(text.replaceAll(/"https?:[^"]*"/g, '"a URL"'));
}

function isPartOf(part: unknown, whole: unknown): boolean {
  if (typeof part !== 'object' || part === null) return part === whole;
  if (typeof whole !== 'object' || whole === null) return false;
  return Object.entries(part).every(([name, value]) => isPartOf(value, (whole as Record<string, unknown>)[name]));
}
