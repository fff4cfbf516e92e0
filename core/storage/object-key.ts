import * as z from 'zod';

/** Of the name of a step. A file that a step delivers has its name. */
export const maxStepNameLength = 40;
const maxCharacters = 400;
/** S3's limit. */
const maxKeyBytes = 1024;

/** The placeholders of a key template. `name` is that of the file, without its extension. */
export type KeyFields = { jobId: string; name: string; extension: string; date: string };

export const defaultKeyTemplate = '{jobId}/{name}.{extension}';

const placeholders: ReadonlySet<string> = new Set(['jobId', 'name', 'extension', 'date']);

/** The reason why a key or prefix is rejected: URL parsers and file systems read `.` and empty segments differently. */
function findKeyProblem(text: string): string | undefined {
  if (!/^[^\p{Cc}\p{Cs}\\]*$/u.test(text)) return 'Must not contain control characters or backslashes';
  const segments = text.split('/');
  if (segments.some((segment) => ['.', '..'].includes(segment))) return 'Must not have a segment . or ..';
  if (segments.slice(0, -1).some((segment) => segment === '')) {
    return 'Must not begin with a slash or have an empty segment';
  }
  return undefined;
}

function addProblem(problem: string | undefined, context: z.RefinementCtx): void {
  if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
}

export const keyPrefixSchema = z
  .string()
  .min(1)
  .max(maxCharacters)
  .superRefine((text, context) => addProblem(findKeyProblem(text), context));

export const objectKeySchema = z
  .string()
  .min(1)
  .superRefine((text, context) => {
    if (Buffer.byteLength(text) > maxKeyBytes) addProblem(`Must have at most ${maxKeyBytes} bytes`, context);
    else addProblem(text.endsWith('/') ? 'Must not end with a slash' : findKeyProblem(text), context);
  });

export const keyTemplateSchema = z
  .string()
  .min(1)
  .max(maxCharacters)
  .superRefine((text, context) => addProblem(findTemplateProblem(text), context));

function findTemplateProblem(text: string): string | undefined {
  for (const [whole, name = ''] of text.matchAll(/\{([^{}]*)\}/g)) {
    if (!placeholders.has(name)) {
      return `${whole} is not one of ${[...placeholders].map((known) => `{${known}}`).join(', ')}`;
    }
  }
  if (/[{}]/.test(text.replaceAll(/\{[^{}]*\}/g, ''))) return 'Must not have a single brace';
  return text.endsWith('/') ? 'Must not end with a slash' : findKeyProblem(text);
}

/** The key of a file: the filled template under the provider's prefix. */
export function renderKey(template: string, fields: KeyFields, prefix: string | undefined): string {
  const values: Readonly<Record<string, string>> = fields;
  const key = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
  return underPrefix(key, prefix);
}

/** Values of maximum length. The name is that of a step, since files of a set have shorter names. */
const maxLengthFields: KeyFields = {
  jobId: '0'.repeat(36),
  name: 'n'.repeat(maxStepNameLength),
  extension: 'e'.repeat(4),
  date: '2026-01-31',
};

/** The reason why a template is rejected: it repeats the prefix, or its keys under the prefix may be longer than S3 accepts. */
export function findTemplateProblemUnder(template: string, prefix: string | undefined): string | undefined {
  const { name, extension } = maxLengthFields;
  // Files that would have the same key get their name or their extension too.
  const addition = template.includes('{name}') ? `.${extension}` : `-${name}.${extension}`;
  const bytes = Buffer.byteLength(renderKey(template, maxLengthFields, prefix) + addition);
  return findRepeatedPrefix(template, prefix) ?? findLengthProblem(bytes, 'allows keys of');
}

/** The reason why the key of an input is rejected: what `output.key` is for a file, it is for a source. */
export function findInputKeyProblem(key: string, prefix: string | undefined): string | undefined {
  return (
    findRepeatedPrefix(key, prefix) ?? findLengthProblem(Buffer.byteLength(underPrefix(key, prefix)), 'is a key of')
  );
}

function findLengthProblem(bytes: number, subject: string): string | undefined {
  if (bytes <= maxKeyBytes) return undefined;
  return `${subject} ${bytes} bytes, with the prefix of the storage provider; at most ${maxKeyBytes} are possible`;
}

/** Whether a key is one that `underPrefix` returns. */
export function isUnderPrefix(key: string, prefix: string | undefined): boolean {
  return key.startsWith(underPrefix('', prefix));
}

/** The rest of a key under a prefix: what requests and answers show. */
export function keyBelow(key: string, prefix: string | undefined): string {
  return key.slice(underPrefix('', prefix).length);
}

function findRepeatedPrefix(key: string, prefix: string | undefined): string | undefined {
  if (prefix === undefined || !isUnderPrefix(key, prefix)) return undefined;
  return `begins with the prefix ${prefix} of the storage provider. Keys are below it: leave it out`;
}

export function underPrefix(key: string, prefix: string | undefined): string {
  if (prefix === undefined) return key;
  return prefix.endsWith('/') ? prefix + key : `${prefix}/${key}`;
}
