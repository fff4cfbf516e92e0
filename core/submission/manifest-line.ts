import * as z from 'zod';
import { issueDetails, issueMessage } from '../api/issue-message.ts';
import { metadataSchema } from '../api/job-fields.ts';
import { type JobRequest, resolvedJobSchema, type SubmittedJob, submittedJobSchema } from '../api/job-request.ts';
import { inputSchema } from '../api/request-fields.ts';
import { assertStorable, leaveOutNulls } from '../api/request-values.ts';
import { type Batch, maxLineBytes } from '../batches/batch.ts';
import { AppError, invalidRequest } from '../errors.ts';
import { jsonText } from '../json-text.ts';
import { storedAt } from './accept-job.ts';

/** A line of a manifest. Its id makes its job once. */
export const batchLineSchema = z.strictObject({
  id: z.string().min(1).max(255),
  input: inputSchema,
  metadata: metadataSchema.optional(),
  output: z.record(z.string(), z.unknown()).optional(),
});

export type BatchLine = z.output<typeof batchLineSchema>;

const lineTextSchema = jsonText(z.preprocess((line) => leaveOutNulls(batchLineSchema, line), batchLineSchema));

/**
 * A line as it lies in the manifest, without its line break: of a long one the beginning, which may show its id. `end` is where
 * the next one begins.
 */
export type RawLine = { start: number; end: number; text: string };

/** A manifest may be one line, whose JSON would take ten times its size of memory. */
const maxTextBytes = 8 * maxLineBytes;

/** The complete lines of a piece of the manifest that begins at a line; at the end of the manifest the last one may have no break. */
export function splitLines(piece: Buffer, { offset, isLast }: { offset: number; isLast: boolean }): RawLine[] {
  const lines: RawLine[] = [];
  for (let start = 0; start < piece.length; ) {
    const found = piece.indexOf(0x0a, start);
    if (found < 0 && !isLast) break;
    const end = found < 0 ? piece.length : found;
    lines.push({
      start: offset + start,
      end: offset + Math.min(end + 1, piece.length),
      text: piece.toString('utf8', start, Math.min(end, start + maxTextBytes)).trim(),
    });
    start = end + 1;
  }
  return lines;
}

/** Parses a line. Throws AppError INVALID_JSON, VALIDATION_ERROR or PAYLOAD_TOO_LARGE. */
export function parseLine({ text }: Pick<RawLine, 'text'>): BatchLine {
  if (Buffer.byteLength(text) > maxLineBytes)
    throw new AppError('PAYLOAD_TOO_LARGE', `A line has at most ${maxLineBytes} bytes.`);
  const parsed = lineTextSchema.safeParse(text.replace(/^\ufeff/, ''), { error: issueMessage });
  if (parsed.success) {
    assertStorable(parsed.data);
    return parsed.data;
  }
  const [first] = parsed.error.issues;
  if (first?.path.length === 0 && first.code === 'custom')
    throw new AppError('INVALID_JSON', 'The line is not valid JSON.');
  throw invalidRequest(parsed.error.issues.flatMap((issue) => issueDetails(issue)));
}

/** The id of a line that cannot be submitted, for its report: of a backfill, the key of the object. */
export function idOfLine(text: string): string | null {
  const id = jsonText(z.looseObject({ id: z.string().max(1024) })).safeParse(text);
  return id.success ? id.data.id : null;
}

/** The job of a line: the request of the batch with the line's input and metadata. Throws AppError VALIDATION_ERROR. */
export function jobOfLine(
  { request }: Pick<Batch, 'request'>,
  { input, metadata }: Pick<BatchLine, 'input' | 'metadata'>,
): SubmittedJob {
  const merged = { ...request, input, ...(metadata && { metadata: { ...(request.metadata as object), ...metadata } }) };
  const parsed = submittedJobSchema.safeParse(merged, { error: issueMessage });
  if (parsed.success) return parsed.data;
  throw invalidRequest(parsed.error.issues.flatMap((issue) => issueDetails(issue)));
}

/** A request with the `output` of a line in its output, or in each that it delivers. Throws AppError VALIDATION_ERROR. */
export function withOutput(request: JobRequest, output: BatchLine['output']): JobRequest {
  if (output === undefined) return request;
  // The request was resolved: only a preset of the stage made it a command.
  const schema = resolvedJobSchema(request, 'stage');
  const written = leaveOutNulls(schema, storedAt(request, output));
  const parsed = schema.safeParse(written, { error: issueMessage });
  if (parsed.success) return parsed.data;
  throw invalidRequest(parsed.error.issues.flatMap((issue) => issueDetails(issue)));
}
