import type { JobResource } from '../../core/api/job-resource.ts';
import { shellQuote } from '../../formatting/command-line.ts';

type Request = JobResource['request'] & { metadata?: Record<string, string> | undefined };

/** The request as one would send it with curl. */
export function curlSnippet(request: Request, origin: string): string {
  return [
    `curl ${origin}/api/v1/jobs`,
    '-H "Authorization: Bearer $MEDIA_JOBS_KEY"',
    '-H "Content-Type: application/json"',
    `-d ${shellQuote(JSON.stringify(request))}`,
  ].join(' \\\n  ');
}

/** The request in TypeScript, with nothing but fetch. */
export function typeScriptSnippet(request: Request, origin: string): string {
  return `const answer = await fetch('${origin}/api/v1/jobs', {
  method: 'POST',
  headers: {
    Authorization: \`Bearer \${process.env.MEDIA_JOBS_KEY}\`,
    'Content-Type': 'application/json',
  },
  body: JSON.stringify(${indented(JSON.stringify(request, null, 2))}),
});
const job = await answer.json();`;
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n  ');
}
