import type { FailureHint } from './context/command-context.ts';
import type { ProcessContext } from './context/process-context.ts';
import { exitCodes } from './exit-codes.ts';
import type { Failure } from './failure.ts';
import { redactSecrets } from './show/redact-secrets.ts';
import { formatJson, sanitizeText } from './show/sanitize.ts';

type To = Pick<ProcessContext, 'err' | 'environment'> & {
  isJson: boolean;
  situation: FailureHint | undefined;
};

/** Says on standard error what went wrong and what to do about it, free of credentials and of what signs a URL. */
export function reportFailure(failure: Failure, { err, environment, isJson, situation }: To): void {
  const text = isJson ? asJson(failure, situation) : asText(failure, situation);
  err.write(`${redactSecrets(text, [environment.MEDIA_JOBS_KEY ?? ''])}\n`);
}

function asJson({ exit, ...failure }: Failure, situation: FailureHint | undefined): string {
  const hint = [failure.hint, situation?.hint].filter(Boolean).join(' ');
  const error = {
    ...failure,
    hint: hint || undefined,
    jobId: situation?.jobId,
    exitCode: exitCodes[exit].code,
  };
  return formatJson({ error });
}

function asText(
  { message, details = [], hint, requestId }: Failure,
  situation: FailureHint | undefined,
): string {
  const more = details.filter(({ message: detail }) => !message.includes(detail));
  const lines = [
    message,
    ...more.map(({ path, message: detail }) => `  ${path}: ${detail}`),
    ...[hint, situation?.hint].filter((line) => line !== undefined),
    ...(requestId === undefined ? [] : [`(request ${requestId})`]),
  ];
  return sanitizeText(lines.join('\n'));
}
