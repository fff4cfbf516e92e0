import { expect, it } from 'vitest';
import { humanText } from '../../../lib/local/log-lines.ts';

const jobId = '01a22756-d426-74e9-b66b-44c457534993';
const worker = 'function media-jobs-local-transcode';

const error = (code: string, message: string) => ({ code, message });

it.each([
  [
    { JobsCompleted: 1, JobUsd: 0.00012, MediaSeconds: 75, ComputeSeconds: 2.41 },
    'job ID completed: in 2.4 s, 1 min 15 s of media, $0.00012',
  ],
  [{ JobsCompleted: 1, MediaSeconds: 7200, JobUsd: 1.5 }, 'job ID completed: 2 h of media, $1.50'],
  [
    { JobsRejected: 1, error: error('INPUT_UNSUPPORTED', 'It has no video') },
    'job ID rejected: INPUT_UNSUPPORTED: It has no video',
  ],
  [{ JobsFailed: 1, error: error('TIMEOUT', 'Too long') }, 'job ID failed: TIMEOUT: Too long'],
  [{ JobsCancelled: 1 }, 'job ID cancelled'],
  [{ WorkersLost: 1 }, 'job ID lost its worker and is queued again'],
  [{ WebhooksDelivered: 1 }, 'webhook of job ID delivered'],
  [{ WebhooksAbandoned: 1 }, 'webhook of job ID abandoned: no attempt was answered by a 2xx'],
  [
    { message: 'Delivery attempted', status: 'retry', attempt: 1 },
    'webhook of job ID failed at attempt 1, and is sent again',
  ],
  [
    { level: 'ERROR', message: 'Not stored', error: { message: 'AccessDenied' } },
    `${worker}: Not stored: AccessDenied`,
  ],
])('%j is printed', (entry, expected) => {
  expect(humanText(worker, JSON.stringify({ ...entry, jobId }))?.replace(jobId, 'ID')).toBe(expected);
});

it.each([
  ['the start of a job', worker, JSON.stringify({ level: 'INFO', message: 'Job received', jobId })],
  ['the end of the deliveries', worker, JSON.stringify({ message: 'Delivery attempted', status: 'settled' })],
  ['a time in the queue', worker, JSON.stringify({ jobId, QueueSeconds: 1.7 })],
  ['an event, which the end of its job tells', 'events', 'Job Completed from media-jobs'],
])('%s is not printed', (_, source, line) => expect(humanText(source, line)).toBeUndefined());

it('what is no JSON is printed as it is', () => {
  expect(humanText('sample', 'received the webhook')).toBe('sample: received the webhook');
});
