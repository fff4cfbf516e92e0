import { type Clause, type SuiteRun, section } from '../clause.ts';
import { expect, expectEqual, expectField } from '../expectation.ts';
import { readSampleJob, submit, upload, waitForTerminalState } from '../jobs/jobs.ts';
import { buildAvi } from '../media/avi.ts';
import { expectInvalidRejected } from './job-request.ts';
import { webhookPayload } from './webhooks.ts';

export const service: Clause[] = section('What the service does', [
  {
    id: 'service.jobs',
    sentence:
      'The service runs media-processing jobs (for example transcoding and compression) that clients submit as JSON over HTTP.',
    check: async (run) => {
      const { state, error } = await readSampleJob(run, 'completed');
      expect(state === 'completed', `a job that compresses a video is ${state}: ${JSON.stringify(error)}`);
    },
  },
  {
    id: 'service.parts',
    sentence: 'A job has an input given by URL, an output with a format, and a mode.',
    check: (run) => expectInvalidRejected(run, { 'nothing but a recipe': { recipe: { name: 'compress' } } }),
  },
  {
    id: 'service.recipe',
    sentence:
      'The mode value `recipe` is used together with a named recipe (the recipe name `compress` with a numeric `crf` parameter is given).',
    check: crfCounts,
  },
  {
    id: 'service.result',
    sentence:
      "A client learns a job's result in one of two ways: polling `GET /api/v1/jobs/:id`, or receiving a webhook POST when the job reaches a terminal state.",
    needs: ['receiver'],
    check: async (run) => {
      const [polled, { data }] = [await readSampleJob(run, 'completed'), await webhookPayload(run, 'completed')];
      expectEqual(data.jobId, polled.jobId, 'data.jobId of the webhook');
      expectEqual(data.state, polled.state, 'data.state of the webhook');
    },
  },
  {
    id: 'service.dashboard',
    sentence: 'A web dashboard served at `/app` calls the same `/api/v1/*` endpoints.',
    needs: ['dashboard'],
    check: dashboardCallsTheApi,
  },
]);

/** A higher crf must give a smaller file: compares 45 with the 20 of the completed sample job. */
async function crfCounts(run: SuiteRun): Promise<void> {
  const large = expectField(await readSampleJob(run, 'completed'), 'output_files.output.size_mbytes', 'number');
  const url = await upload(run, buildAvi({ seconds: 2 }));
  const recipe = { name: 'compress', crf: 45 };
  const jobId = await submit(run, { input: { url }, output: { format: 'mp4' }, recipe });
  const small = expectField(await waitForTerminalState(run, jobId), 'output_files.output.size_mbytes', 'number');
  expect(small < large, `a crf of 45 made ${small} MB of what a crf of 20 makes ${large} MB`);
}

async function dashboardCallsTheApi({ anonymous }: SuiteRun): Promise<void> {
  const page = await anonymous('GET', '/app');
  const type = page.headers.get('content-type') ?? '';
  expect(page.status === 200 && type.includes('text/html'), `/app returned ${page.status} ${type}`);
  const scripts = [...page.text.matchAll(/<script[^>]*\ssrc="(\/[^"]*)"/g)].map(([, path = '']) => path);
  const responses = await Promise.all(scripts.map((path) => anonymous('GET', path)));
  const calls = responses.some(({ text }) => text.includes('/api/v1/'));
  expect(calls, `none of the scripts of /app calls /api/v1: ${scripts.join(', ')}`);
}
