import { shellQuote } from '@media-jobs/cli/formatting';
import type { JobResource } from '@media-jobs/core/api';

type Request = JobResource['request'];
type Recipe = NonNullable<Request['recipe']>;

/** In place of a content key: the API returns none. */
const keyPlaceholder = 'YOUR_CONTENT_KEY';

/** The request of a job with a placeholder for each content key, which a new job needs again. */
export function withKeyPlaceholders(request: Request): Request {
  const { recipe, steps } = request;
  return {
    ...request,
    ...(recipe && { recipe: withKeyPlaceholder(recipe) }),
    ...(steps && { steps: steps.map((step) => ({ ...step, recipe: withKeyPlaceholder(step.recipe) })) }),
  };
}

function withKeyPlaceholder(recipe: Recipe): Recipe {
  const { encryption } = recipe;
  if (typeof encryption !== 'object' || encryption === null || 'key' in encryption) return recipe;
  return { ...recipe, encryption: { ...encryption, key: keyPlaceholder } };
}

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
  body: JSON.stringify(${JSON.stringify(request, null, 2).replaceAll('\n', '\n  ')}),
});
const job = await response.json();`;
}

/** The request in Python, by its standard library. */
export function pythonSnippet(request: object, origin: string): string {
  return `import json, os, urllib.request

job = ${pythonLiteral(request)}
request = urllib.request.Request(
    "${origin}/api/v1/jobs",
    data=json.dumps(job).encode(),
    headers={
        "Authorization": f"Bearer {os.environ['MEDIA_JOBS_KEY']}",
        "Content-Type": "application/json",
    },
)
job = json.load(urllib.request.urlopen(request))`;
}

const pythonConstants = new Map<unknown, string>([
  [true, 'True'],
  [false, 'False'],
  [null, 'None'],
]);

/** A JSON value as Python writes it. Strings of JSON are strings of Python. */
function pythonLiteral(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) return pythonConstants.get(value) ?? JSON.stringify(value);
  const inner = `${indent}    `;
  const items = Array.isArray(value)
    ? value.map((item) => pythonLiteral(item, inner))
    : Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([name, item]) => `${JSON.stringify(name)}: ${pythonLiteral(item, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  if (items.length === 0) return `${open}${close}`;
  return `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${indent}${close}`;
}
