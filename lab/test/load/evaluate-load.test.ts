import { describe, expect, it } from 'vitest';
import { evaluateLoad, isDelivered, type LoadedJob, type ReceivedWebhook } from '../../load/evaluate-load.ts';

const aJob = (differences: Partial<LoadedJob> = {}): LoadedJob => ({
  jobId: 'job-1',
  ownerId: 'owner-1',
  submittedAt: 1_000,
  receiverAccepts: true,
  end: { state: 'completed', completedAt: 3_000 },
  ...differences,
});
const aWebhook = (differences: Partial<ReceivedWebhook> = {}): ReceivedWebhook => ({
  ownerId: 'owner-1',
  webhookId: 'evt_job-1',
  body: JSON.stringify({ type: 'job.completed', timestamp: 3_000, data: { jobId: 'job-1', state: 'completed' } }),
  at: 3_100,
  ...differences,
});
const listed = new Map([['owner-1', ['job-1']]]);
const whole = { jobs: [aJob()], webhooks: [aWebhook()], listed };
const failed = JSON.stringify({ type: 'job.failed', timestamp: 3_000, data: { jobId: 'job-1', state: 'failed' } });

describe('a load', () => {
  it('counts a job of a good source that failed', () => {
    const jobs = [aJob({ end: { state: 'failed', completedAt: 3_000 } })];
    expect(evaluateLoad({ ...whole, jobs }).notCompleted).toBe(1);
  });

  it('without a fault has none', () => {
    expect(evaluateLoad(whole)).toEqual({
      jobs: 1,
      lost: 0,
      notCompleted: 0,
      duplicates: 0,
      lateWebhooks: 0,
      foreign: 0,
      p50: 2,
      p99: 2,
      states: { completed: 1 },
    });
  });

  it.each([
    ['a job that did not end', { jobs: [aJob({ end: undefined })] }],
    ['a webhook that never came', { webhooks: [] }],
    ['a rejecting receiver that got one attempt', { jobs: [aJob({ receiverAccepts: false })] }],
    ['a job that is in no list', { listed: new Map() }],
  ])('counts %s as lost', (_, differences) => expect(evaluateLoad({ ...whole, ...differences }).lost).toBe(1));

  it.each([
    ['a job that nobody submitted', { listed: new Map([['owner-1', ['job-1', 'job-2']]]) }],
    ['a second event of a job', { webhooks: [aWebhook(), aWebhook({ body: failed })] }],
  ])('counts %s as a duplicate', (_, differences) => {
    expect(evaluateLoad({ ...whole, ...differences })).toMatchObject({ lost: 0, duplicates: 1 });
  });

  it('does not count a second attempt with the same event', () => {
    expect(evaluateLoad({ ...whole, webhooks: [aWebhook(), aWebhook({ at: 70_000 })] }).duplicates).toBe(0);
  });

  it('counts a webhook that came after reconcile was to start its delivery', () => {
    expect(evaluateLoad({ ...whole, webhooks: [aWebhook({ at: 123_000 })] }).lateWebhooks).toBe(0);
    expect(evaluateLoad({ ...whole, webhooks: [aWebhook({ at: 123_001 })] }).lateWebhooks).toBe(1);
  });

  it.each([
    ['list', { listed: new Map([...listed, ['owner-2', ['job-1']]]) }],
    ['receiver', { webhooks: [aWebhook(), aWebhook({ ownerId: 'owner-2' })] }],
  ])("counts what reaches another owner's %s", (_, differences) => {
    expect(evaluateLoad({ ...whole, ...differences }).foreign).toBe(1);
  });
});

it('a rejecting receiver gets three attempts', () => {
  expect([1, 2, 3].map((received) => isDelivered(false, received))).toEqual([false, false, true]);
});
