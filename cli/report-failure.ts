import { exitCodes } from './exit-codes.ts';
import type { Failure } from './failure.ts';
import { jsonText, plainText } from './show/plain-text.ts';
import { withoutSecrets } from './show/secrets.ts';
import type { Surroundings } from './tools/surroundings.ts';
import type { Situation } from './tools/tools.ts';

type To = Pick<Surroundings, 'err' | 'environment'> & { isJson: boolean; situation: Situation | undefined };

/** Says on standard error what went wrong and what to do about it, free of credentials and of what signs a URL. */
export function reportFailure(failure: Failure, { err, environment, isJson, situation }: To): void {
  const text = isJson ? asJson(failure, situation) : asText(failure, situation);
  err.write(`${withoutSecrets(text, [environment.MEDIA_JOBS_KEY ?? ''])}\n`);
}

function asJson({ exit, ...failure }: Failure, situation: Situation | undefined): string {
  const hint = [failure.hint, situation?.hint].filter(Boolean).join(' ');
  const error = {
    ...failure,
    hint: hint || undefined,
    jobId: situation?.jobId,
    exitCode: exitCodes[exit].code,
  };
  return jsonText({ error });
}

function asText(
  { message, details = [], hint, requestId }: Failure,
  situation: Situation | undefined,
): string {
  const more = details.filter(({ message: detail }) => !message.includes(detail));
  const lines = [
    message,
    ...more.map(({ path, message: detail }) => `  ${path}: ${detail}`),
    ...[hint, situation?.hint].filter((line) => line !== undefined),
    ...(requestId === undefined ? [] : [`(request ${requestId})`]),
  ];
  return plainText(lines.join('\n'));
}
