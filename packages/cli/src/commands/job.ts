import type { OperationResult } from '@media-jobs/client';
import { Command } from 'commander';
import { confirmDeletion } from '../confirm-deletion.ts';
import type { CommandContext, CommandFactory } from '../context/command-context.ts';
import { shellQuote } from '../formatting/command-line.ts';
import { formatJob } from '../show/job-text.ts';
import { createOnce, type IdempotencyOptions, idempotencyOption } from '../submit/create-once.ts';

type JobCommand = {
  name: string;
  description: string;
  options?: readonly (readonly [string, string, ((text: string) => string)?])[];
};

// biome-ignore lint/suspicious/noExplicitAny: commander's own type; each command declares the types of its arguments.
type Act = (context: CommandContext, id: string, ...args: any[]) => Promise<void>;

const aboutJob =
  ({ name, description, options = [] }: JobCommand, act: Act): CommandFactory =>
  (context) => {
    const command = new Command(name).description(description).argument('<job-id>', 'the job');
    for (const [flags, text, parse] of options) command.option(flags, text, parse ?? String);
    return command.action((id: string, ...args) => act(context, id, ...args));
  };

export const getCommand = aboutJob(
  { name: 'get', description: 'Shows a job. --json adds the signed URLs.' },
  async ({ client, printResult }, id: string) => {
    const job = await client.getJob({ params: { id } });
    printResult(job, formatJob(job));
  },
);

export const cancelCommand = aboutJob(
  { name: 'cancel', description: 'Cancels a queued or processing job.' },
  async ({ client, printResult }, id: string) => {
    const job = await client.cancelJob({ params: { id } });
    printResult(job, `Job ${job.jobId} is cancelled.`);
  },
);

export const retryCommand = aboutJob(
  {
    name: 'retry',
    description: 'Submits a failed, rejected or cancelled job again and prints the id of the new job.',
    options: [idempotencyOption],
  },
  async (context, id: string, options: IdempotencyOptions) => {
    const { client, printResult, printNote, programName } = context;
    const job = await createOnce(context, options, (headers) => client.retryJob({ params: { id }, headers }));
    printResult(job, job.jobId);
    printNote(`Follow it: ${programName} watch ${job.jobId}`);
  },
);

export const deleteCommand = aboutJob(
  {
    name: 'delete',
    description: 'Deletes a terminal job and its files. Files at a storage provider stay.',
    options: [['--files', 'also removes its files at a storage provider']],
  },
  async ({ client, printResult }, id: string, { files = false }: { files?: boolean }) => {
    const query = files ? { files: 'true' as const } : {};
    await confirmDeletion(client.deleteJob({ params: { id }, query }));
    const removed = files ? 'Its files, also those at a storage provider,' : 'Its files in the bucket of the service';
    printResult({ jobId: id, deleted: true }, `Job ${id} is deleted. ${removed} are removed within minutes.`);
  },
);

export const redeliverCommand = aboutJob(
  { name: 'redeliver', description: "Redelivers a job's webhook and prints the delivery id." },
  async ({ client, printResult, printNote, programName }, id: string) => {
    const delivery = await client.redeliverJob({ params: { id } });
    printResult(delivery, delivery.deliveryId);
    printNote(`List its attempts: ${programName} deliveries ${id}`);
  },
);

export const logCommand = aboutJob(
  { name: 'log', description: 'Shows the ffmpeg commands and log of each attempt.' },
  async ({ client, printResult }, id: string) => {
    const log = await client.getJobLog({ params: { id } });
    printResult(log, log.attempts.map(formatAttempt).join('\n\n') || 'ffmpeg has not run for this job.');
  },
);

function formatAttempt({
  attempt,
  ffmpegVersion,
  commands,
  log,
}: OperationResult<'getJobLog'>['attempts'][number]): string {
  const lines = commands.map((args) => `$ ffmpeg ${args.map(shellQuote).join(' ')}`);
  return [`Attempt ${attempt}, ${ffmpegVersion}`, ...lines, log.trimEnd()].join('\n');
}
