import { shellQuote } from '../../formatting/command-line.ts';

/** The request as a curl command that reads the API key from MEDIA_JOBS_KEY. */
export function curlSnippet(request: object, origin: string): string {
  return [
    `curl ${origin}/api/v1/jobs`,
    '-H "Authorization: Bearer $MEDIA_JOBS_KEY"',
    '-H "Content-Type: application/json"',
    `-d ${shellQuote(JSON.stringify(request))}`,
  ].join(' \\\n  ');
}

/** The request in TypeScript, by `fetch` without a library. */
export function typeScriptSnippet(request: object, origin: string): string {
  return `const response = await fetch('${origin}/api/v1/jobs', {
  method: 'POST',
  headers: {
    Authorization: \`Bearer \${process.env.MEDIA_JOBS_KEY}\`,
    'Content-Type': 'application/json',
  },
  body: JSON.stringify(${indent(JSON.stringify(request, null, 2))}),
});
const job = await response.json();`;
}

function indent(text: string): string {
  return text.replaceAll('\n', '\n  ');
}
