import { retryFailed, taskMessage } from './parallel-transcode.ts';

/**
 * The state machine that runs one whole job in the large function, in Amazon States Language (JSONPath). Its input is a
 * `OtherWorkerInput` with a group. The deployment replaces `${Partition}` and `${TranscodeLargeQueue}`.
 *
 * The job is a message with a task token in a FIFO queue, in a message group of its owner: the queue bounds how many run at
 * once, of all owners and of each. A retry does nothing if the first message has the job.
 */
export function largeTranscodeDefinition({ timeoutSeconds }: { timeoutSeconds: number }) {
  const job = { 'ownerId.$': '$.ownerId', 'jobId.$': '$.jobId', 'leaseId.$': '$.leaseId' };
  return {
    Comment: 'Runs one job in the large function',
    StartAt: 'RunFunction',
    TimeoutSeconds: timeoutSeconds,
    States: {
      RunFunction: {
        ...taskMessage('TranscodeLargeQueue', { task: job }),
        Retry: [retryFailed],
        End: true,
      },
    },
  };
}
