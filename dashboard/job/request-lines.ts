import type { JobResource } from '../../core/api/job-resource.ts';

type Request = JobResource['request'] & { metadata?: Record<string, string> | undefined };

/** The request as one would send it with curl. */
export function asCurl(request: Request, origin: string): string {
  return [
    `curl ${origin}/api/v1/jobs`,
    '-H "Authorization: Bearer $MEDIA_JOBS_KEY"',
    '-H "Content-Type: application/json"',
    `-d ${shellQuoted(JSON.stringify(request))}`,
  ].join(' \\\n  ');
}

/** The request in TypeScript, with nothing but fetch. */
export function asTypeScript(request: Request, origin: string): string {
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

/** The request by the command line of the service. */
export function asCli(request: Request): string {
  const { input, output, recipe, webhookUrl } = request;
  const { name, ...parameters } = recipe;
  const options = Object.entries(parameters).map(([option, value]) => {
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
    return `--${kebab(option)} ${shellQuoted(text)}`;
  });
  return [
    `npm run cli -- submit ${shellQuoted(input.url)}`,
    `--recipe ${name}`,
    `--format ${output.format}`,
    ...options,
    ...(webhookUrl === undefined ? [] : [`--webhook-url ${shellQuoted(webhookUrl)}`]),
    '--wait',
  ].join(' \\\n  ');
}

/** One word of a POSIX shell, whatever it holds. */
export function shellQuoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n  ');
}
