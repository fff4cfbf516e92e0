import { ApiError } from '@media-jobs/client';
import { idempotencyHeaders } from '@media-jobs/core/api';
import { InvalidArgumentError } from 'commander';
import type { CommandContext } from '../context/command-context.ts';
import { shellQuote } from '../formatting/command-line.ts';

/** The option of each command that creates a job. */
export const idempotencyOption = [
  '--idempotency-key <key>',
  'makes a rerun safe: the same key returns the same job',
  parseIdempotencyKey,
] as const;

function parseIdempotencyKey(text: string): string {
  const { error } = idempotencyHeaders.safeParse({ 'idempotency-key': text });
  if (error) throw new InvalidArgumentError(`${error.issues[0]?.message}.`);
  return text;
}

export type IdempotencyOptions = { idempotencyKey?: string };

/**
 * Creates a job, or a batch, under an idempotency key, a new one by default, so that retrying after a lost response does not
 * create a second one. If it stays unknown whether there is a job, the failure hint has the key.
 */
export async function createOnce<Job>(
  { newId, setFailureHint, programName }: CommandContext,
  { idempotencyKey = newId() }: IdempotencyOptions,
  create: (headers: { 'idempotency-key': string }) => Promise<Job>,
  made: 'job' | 'batch' = 'job',
): Promise<Job> {
  setFailureHint({
    hint: `The ${made} may or may not have been submitted. A rerun with --idempotency-key ${shellQuote(idempotencyKey)} makes no second ${made}. To check: ${programName} ${made === 'job' ? 'list' : 'batches'}`,
  });
  try {
    return await create({ 'idempotency-key': idempotencyKey });
  } catch (error) {
    if (error instanceof ApiError && isRejection(error)) setFailureHint({ hint: `No ${made} was submitted.` });
    throw error;
  }
}

/** Whether the service has answered that it did not accept the request, and can have accepted no earlier attempt. */
function isRejection({ status, followsLostAttempt }: ApiError): boolean {
  return status >= 400 && status < 500 && !followsLostAttempt;
}
